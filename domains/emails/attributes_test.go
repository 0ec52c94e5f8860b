package emails

import (
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
)

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "emails1") }

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, part                  string
		wantTime, wantTopic, wantBy string
	}{
		{"a reply from another zone", "From: Ivo <Ivo@Harbour.example>\nSubject: Re: RE: Dinner\nDate: Mon, 12 Jun 2023 23:30 -0400\n\nYes.",
			"2023-06-13 03:30:00", "Dinner", "ivo@harbour.example"},
		{"encoded words and a folded header", "from: =?utf-8?Q?H=C3=A9l=C3=A8ne?=\n <h@sedan.example>\nSUBJECT: Fwd: =?utf-8?Q?D=C3=AEner?=\n\nDate: no header",
			"", "Dîner", "h@sedan.example"},
		{"no headers", "\nFrom: nobody", "", "", ""},
		{"a date that there is not", "Date: 30 Feb 2023 10:00:00 +0000\n\n", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := [3]string{utcTime(tt.part), topic(tt.part), senderAddress(tt.part)}; got != [3]string{tt.wantTime, tt.wantTopic, tt.wantBy} {
				t.Errorf("time, topic and sender are %q", got)
			}
		})
	}
}
