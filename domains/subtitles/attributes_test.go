package subtitles

import (
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
)

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "subtitles1") }

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	type attributes struct{ duration, speed, kind string }
	tests := []struct {
		name, part string
		want       attributes
	}{
		{"tags and line ends are not read", "4\n00:00:01,000 --> 00:00:03,500\n<i>Slow</i>\n{\\an8}ahead.", attributes{"2.500", "4.0", "speech"}},
		{"halves are rounded up", "00:00:01,000 --> 00:00:05,000\nAye", attributes{"4.000", "0.8", "speech"}},
		{"a sound with a label is speech", "1\n00:59:59,900 --> 01:00:00,100\nMATE: [laughs]", attributes{"0.200", "70.0", "speech"}},
		{"a sound of two lines", "1\n00:00:00.000 --> 00:00:01.000\n[horn] [bell\nrings]", attributes{"1.000", "18.0", "sound"}},
		{"music", "1\n00:00:00,000 --> 00:00:02,000\n♪ Haul ♪\n♪ away ♪", attributes{"2.000", "8.0", "music"}},
		{"words next to a song", "1\n00:00:00,000 --> 00:00:02,000\n♪ Haul ♪ and so on", attributes{"2.000", "9.0", "speech"}},
		{"no text", "1\n00:00:00,000 --> 00:00:02,000\n", attributes{"2.000", "0.0", "speech"}},
		{"ends where it starts", "1\n00:00:02,000 --> 00:00:02,000\nNo", attributes{"0.000", "", "speech"}},
		{"no cue", "MATE: No", attributes{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := (attributes{duration(tt.part), readingSpeed(tt.part), kind(tt.part)}); got != tt.want {
				t.Errorf("attributes are %q, want %q", got, tt.want)
			}
		})
	}
}
