package fonteng

import (
	"strings"
	"testing"

	"agentd/vfs"
)

const sample = `# Harbour Sans, under the OFL
languagesystem DFLT dflt;
languagesystem latn TRK;
@caps = [A - C];
@small = [a.sc b.sc c.sc];
@round = [o e];
markClass [acutecomb] <anchor 10 480> @TOP;
valueRecordDef <0 0 -20 0> TIGHT;
lookup SWASH {
  sub a by a.swsh;
} SWASH;
feature smcp {
  sub @caps by @small; # by hand
  sub [o e] by [o.sc e.sc];
} smcp;
feature liga {
  lookupflag IgnoreMarks;
  sub f f i by f_f_i;
  sub f i by f_i;
  script latn;
  language TRK exclude_dflt;
  sub a' lookup SWASH b;
} liga;
feature kern {
  # open pairs
  pos A b -40;
  enum pos [A B] @round -12;
  pos c <TIGHT>;
  pos base a <anchor 12 480> mark @TOP;
} kern;
table head {
  FontRevision 1.002;
} head;
table name {
  nameid 9 "Zo\00eb";
  nameid 9 1 "Zoe";
} name;
`

// A lookupflag without a value stops a compiler, so it does not stand for 0.
func TestALookupflagWithoutAValueIsNoZero(t *testing.T) {
	t.Parallel()
	zero, none := change(t, "lookupflag IgnoreMarks", "lookupflag 0"), change(t, "lookupflag IgnoreMarks", "lookupflag ")
	if len(New().Differences(zero, none)) == 0 {
		t.Error("no difference")
	}
}

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"harbour.fea": strings.Replace(sample, was, is, 1)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a language system that was lost":     {"languagesystem latn TRK;\n", ""},
		"one that was added":                  {"TRK;\n", "TRK;\nlanguagesystem latn NLD;\n"},
		"one that is there twice":             {"TRK;\n", "TRK;\nlanguagesystem latn TRK;\n"},
		"another language":                    {"latn TRK", "latn AZE"},
		"a class that was added":              {"@caps =", "@more = [x];\n@caps ="},
		"a class that is there twice":         {"@caps =", "@round = [o e];\n@caps ="},
		"the name of a class":                 {"@round = ", "@bowls = "},
		"a glyph that was lost from a class":  {"[a.sc b.sc c.sc]", "[a.sc c.sc]"},
		"glyphs of a class in another order":  {"[a.sc b.sc c.sc]", "[b.sc a.sc c.sc]"},
		"a shorter range":                     {"[A - C]", "[A - B]"},
		"another class in a rule":             {"by @small", "by @round"},
		"a list that is no class":             {"by @small", "by [a.sc b.sc d.sc]"},
		"the anchor of a mark":                {"10 480", "10 482"},
		"the sign of a shared value":          {"-20 0> TIGHT", "20 0> TIGHT"},
		"a rule in a lookup at top level":     {"a.swsh;", "a.alt;"},
		"the name of a lookup":                {"lookup SWASH {\n  sub a by a.swsh;\n} SWASH", "lookup SWASHES {\n  sub a by a.swsh;\n} SWASHES"},
		"a lookup that extends":               {"lookup SWASH {", "lookup SWASH useExtension {"},
		"the tag of a feature":                {"feature smcp {", "feature c2sc {"},
		"rules in another order":              {"  sub f f i by f_f_i;\n  sub f i by f_i;\n", "  sub f i by f_i;\n  sub f f i by f_f_i;\n"},
		"a rule that is there twice":          {"  sub f i by f_i;\n", "  sub f i by f_i;\n  sub f i by f_i;\n"},
		"a rule of another language":          {"  sub f i by f_i;\n  script latn;\n", "  script latn;\n  sub f i by f_i;\n"},
		"a script that was lost":              {"  script latn;\n", ""},
		"default rules that are kept":         {" exclude_dflt", ""},
		"a flag":                              {"IgnoreMarks", "IgnoreLigatures"},
		"a mark in a context":                 {"sub a' lookup SWASH b", "sub a' lookup SWASH b'"},
		"the lookup of a context":             {"a' lookup SWASH b", "a' b' lookup SWASH"},
		"a kerning value":                     {"-40", "-41"},
		"a pair that is enumerated no longer": {"enum pos", "pos"},
		"a glyph for its class":               {"pos A b", "pos [A] b"},
		"another value record":                {"<TIGHT>", "<0 0 -20 0>"},
		"an anchor of a base":                 {"12 480", "-12 480"},
		"a revision beyond three decimals":    {"1.002", "1.0021"},
		"the text of a name":                  {"Zo\\00eb", "Zoe"},
		"the platform of a name":              {"9 1 ", "9 3 "},
		"a table that was added":              {"table head", "table hhea {\n  LineGap 0;\n} hhea;\ntable head"},
		"a field that no one knows":           {"  FontRevision", "  Magic 3;\n  FontRevision"},
		"a comment that was altered":          {"under the OFL", "under the MIT"},
		"a line that is no statement":         {"@round =", "here are the classes\n@round ="},
		"an instruction that is left in":      {"  pos A b -40;\n", "  pos A b -40;\n  ... and so on\n"},
		"a semicolon that is missing":         {"[A - C];", "[A - C]"},
		"a closing tag that is missing":       {"} head;", "};"},
		"a brace that is missing":             {"} name;", ""},
		"a bracket that is missing":           {"[A - C];", "[A - C;"},
		"a file that is to be included":       {"@round =", "include(more.fea);\n@round ="},
	} {
		differences := New().Differences(vfs.Files{"a.fea": sample}, change(t, edit[0], edit[1]))
		if len(differences) == 0 {
			t.Errorf("%s: no difference", rule)
		}
		if score := New().Compare(vfs.Files{"a.fea": sample}, change(t, edit[0], edit[1])); score.Strict < 0.7 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, differences)
		}
	}
	features := strings.Split(sample, "feature ")
	swapped := features[0] + "feature " + features[2] + "feature " + features[1] + "feature " + features[3]
	if len(New().Differences(vfs.Files{"a.fea": sample}, vfs.Files{"a.fea": swapped})) == 0 {
		t.Error("features in another order: no difference")
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"language systems in another order": {"languagesystem DFLT dflt;\nlanguagesystem latn TRK;", "languagesystem latn TRK;\nlanguagesystem DFLT dflt;"},
		"a script in small letters":         {"languagesystem DFLT", "languagesystem dflt"},
		"classes in another order":          {"@caps = [A - C];\n@small = [a.sc b.sc c.sc];", "@small = [a.sc b.sc c.sc];\n@caps = [A - C];"},
		"a class after its use":             {"@round = [o e];\nmarkClass", "markClass"},
		"a range that is spelled out":       {"[A - C]", "[A B C]"},
		"a range without blanks":            {"[A - C]", "[A-C]"},
		"a class that is spelled out":       {"sub @caps", "sub [A B C]"},
		"a list written as its class":       {"sub [o e] by", "sub @round by"},
		"a class in brackets":               {"by @small", "by [@small]"},
		"long keywords":                     {"sub f i by", "substitute f i by"},
		"a glyph with a backslash":          {"sub f i by", `sub f \i by`},
		"a value in full":                   {"-40", "<0 0 -40 0>"},
		"a value after the first of a pair": {"pos A b -40", "pos A -40 b"},
		"flags by their bits":               {"IgnoreMarks", "8"},
		"a definition elsewhere":            {"valueRecordDef <0 0 -20 0> TIGHT;\nlookup SWASH {\n  sub a by a.swsh;\n} SWASH;\n", "lookup SWASH {\n  sub a by a.swsh;\n} SWASH;\nvalueRecordDef <0 0 -20 0> TIGHT;\n"},
		"a character for its code":          {`Zo\00eb`, "Zoë"},
		"the platform that is meant anyhow": {`nameid 9 "Zo`, `nameid 9 3 1 0x409 "Zo`},
		"zeros at the end of a revision":    {"1.002", "1.0020"},
		"a comment that was added":          {"@caps =", "# capitals\n@caps ="},
		"a comment of another language":     {"@caps =", "/* capitals,\n as drawn */\n@caps ="},
		"statements on one line":            {";\n  sub f i by f_i;\n", "; sub f i by f_i; "},
		"a rule on several lines":           {"sub f f i by", "sub f f\n    i\n  by"},
		"semicolons that end nothing":       {"f_i;\n", "f_i;;\n ;\n"},
		"line ends of another system":       {"TRK;\n", "TRK;\r\n"},
		"code fences":                       {"# Harbour", "```fea\n# Harbour"},
	} {
		candidate := change(t, edit[0], edit[1])
		if rule == "a class after its use" {
			candidate["harbour.fea"] += "@round = [o e];\n"
		}
		if differences := New().Differences(vfs.Files{"a.fea": sample}, candidate); len(differences) > 0 {
			t.Errorf("%s: %v", rule, differences)
		}
	}
	half := strings.Index(sample, "feature liga")
	parts := vfs.Files{"1.fea": sample[:half], "2.fea": sample[half:]}
	if differences := New().Differences(vfs.Files{"a.fea": sample}, parts); len(differences) > 0 {
		t.Errorf("several files: %v", differences)
	}
}

func TestALostCommentIsNamedAndWeighsNothing(t *testing.T) {
	t.Parallel()
	reference, candidate := vfs.Files{"a.fea": sample}, change(t, " # by hand", "")
	found := New().Differences(reference, candidate)
	if strict := New().Compare(reference, candidate).Strict; strict != 1 || len(found) != 1 || found[0].Was != "by hand | comment" && found[0].Was != "by hand" {
		t.Errorf("Strict %v, %v", strict, found)
	}
}

// One glyph that is lost from a class costs that glyph, not every rule that uses
// the class.
func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		was, is string
		most    int // differences
	}{
		"a glyph of a class": {"[a.sc b.sc c.sc]", "[a.sc c.sc]", 1},
		"a value":            {"-40", "-4", 1},
		"a missing tag":      {"} head;", "};", 1},
		"a missing bracket":  {"[A - C];", "[A - C;", 1},
		"a missing end":      {"by f_f_i;", "by f_f_i", 1},
		"an added rule":      {"  sub f i by f_i;\n", "  sub f i by f_i;\n  sub f j by f_j;\n", 1},
	} {
		differences := New().Differences(vfs.Files{"a.fea": sample}, change(t, c.was, c.is))
		if len(differences) > c.most {
			t.Errorf("%s: %d differences, want at most %d: %v", rule, len(differences), c.most, differences)
		}
	}
}

func TestStrayBracesThatTouchAreOneLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"}": 1, "}}}}": 1, "}}\n}}\n": 2, "feature liga { sub f i by f_i; } liga;\n}}": 4} {
		if got := New().Elements(vfs.Files{"a.fea": text}); len(got) != want {
			t.Errorf("%q has %d elements, want %d: %v", text, len(got), want, got)
		}
	}
}
