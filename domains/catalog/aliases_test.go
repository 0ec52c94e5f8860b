package catalog

import (
	"strings"
	"testing"
)

func TestNamesThatPeopleUse(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"gtfs": "transit", "Terraform": "infra", "ical": "calendar", "SRT": "subtitles", "pgn": "chess", "BibTeX": "latex",
		"Accounting": "accounting", " transit ": "transit", "acc*": "acc*", "nothing": "nothing",
	} {
		if got := Canonical(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	for alias, name := range aliases {
		if d, ok := Lookup(name); !ok {
			t.Errorf("%s stands for %s, which is no domain", alias, name)
		} else if _, taken := Lookup(alias); taken || alias != strings.ToLower(alias) {
			t.Errorf("%s is a domain's own name, or not in small letters (%s)", alias, d.Info().Name)
		}
	}
	if _, err := Find("subtitel"); err == nil || !strings.Contains(err.Error(), "subtitles") {
		t.Errorf("a misspelt name: %v", err)
	}
}
