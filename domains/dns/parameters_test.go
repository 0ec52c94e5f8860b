package dns

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains/domaintest"
)

// Parameters of other zones.
func TestOtherParameters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ edit, parameters, file, want string }{
		{"pointers", `{"document": "yard.zone", "network": "10.61.20.0/24", "pointers": "ptr.zone", "others": "rest.zone", "table": "t.csv"}`,
			"ptr.zone", "$ORIGIN 20.61.10.in-addr.arpa.\n7 3600 IN PTR crane.shed.yard.cymru.\t; slow\n7 3600 IN PTR spare.shed.yard.cymru.\n"},
		{"label_addresses", `{"document": "yard.zone", "to": "l.zone", "labels": {"AAAA": "six"}, "table": "t.csv"}`,
			"l.zone", replaced("2001:8b0::34", "[six_01]")},
		{"renumber", `{"document": "yard.zone", "to": "r.zone", "block": "10.61.9.0/24", "into": "10.8.9.0/24", "table": "t.csv"}`,
			"r.zone", replaced("10.61.9.30", "10.8.9.30", "2024031501", "2024031502")},
	} {
		edit, err := domaintest.Edit(t, New(), c.edit).With(c.parameters)
		if err != nil {
			t.Fatal(err)
		}
		made, err := edit.Forward(yardZone())
		if diff := cmp.Diff(c.want, made[c.file]); err != nil || diff != "" {
			t.Errorf("%s: %v %s", c.edit, err, diff)
		}
		back, err := edit.Backward(made)
		if score := New().Compare(yardZone(), back); err != nil || score.Strict != 1 || back["yard.zone"] == "" {
			t.Errorf("%s: %v %v", c.edit, err, back)
		}
	}
	for edit, parameters := range map[string]string{
		"pointers": `{"document": "", "network": "10.61.20.0/22", "pointers": "", "others": "", "table": ""}`,
		"renumber": `{"document": "", "to": "", "block": "10.61.9.0/24", "into": "10.8.9.0/25", "table": ""}`,
	} {
		made, err := domaintest.Edit(t, New(), edit).With(parameters)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := made.Forward(yardZone()); err == nil {
			t.Errorf("%s made %v", edit, got)
		}
	}
}
