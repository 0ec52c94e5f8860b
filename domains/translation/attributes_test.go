package translation

import (
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
)

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "translation1") }

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	type attributes struct{ source, translation, ratio, state, words string }
	tests := []struct {
		name, part string
		want       attributes
	}{
		{"texts of several lines", "#: a.c:1\nmsgid \"\"\n\"Keep \"\n\"it\\n\"\nmsgstr \"\"\n\"Behalt \"\n\"es\\n\"", attributes{"Keep it\n", "Behalt es\n", "1.25", "translated", "2"}},
		{"halves are rounded up", "msgid \"aaaaaaaa\"\nmsgstr \"b\"", attributes{"aaaaaaaa", "b", "0.13", "translated", "1"}},
		{"the first of plural forms", "#, fuzzy\nmsgid \"%d ul\"\nmsgid_plural \"%d ule\"\nmsgstr[0] \"%d x\"\nmsgstr[1] \"%d xx\"", attributes{"%d ul", "%d x", "0.80", "fuzzy", "2"}},
		{"a plural form is missing", "#, fuzzy\nmsgid \"hive\"\nmsgid_plural \"hives\"\nmsgstr[0] \"ul\"\nmsgstr[1] \"\"", attributes{"hive", "ul", "0.50", "untranslated", "1"}},
		{"obsolete ones below", "msgid \"Lime\"\nmsgstr \"\"\n\n#~ msgid \"Cloud\"\n#~ msgstr \"Chmura\"", attributes{"Lime", "", "", "untranslated", "1"}},
		{"nothing", "", attributes{"", "", "", "untranslated", "0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := attributes{joinedSource(tt.part), joinedTranslation(tt.part), lengthRatio(tt.part), progress(tt.part), words(tt.part)}
			if got != tt.want {
				t.Errorf("attributes are %q, want %q", got, tt.want)
			}
		})
	}
}
