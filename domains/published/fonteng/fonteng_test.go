package fonteng

import (
	"strings"
	"testing"

	"agentd/vfs"
)

// inFeature reads rules of a feature and returns their canonical text, what is
// around it left out.
func inFeature(t *testing.T, tag, rules string) (string, error) {
	t.Helper()
	text := `@abc = [a b c];
markClass acutecomb <anchor 0 500> @TOP;
valueRecordDef 7 NARROW;
anchorDef 1 2 FOOT;
lookup L1 { sub a by b; } L1;
feature ` + tag + " {\n" + rules + "\n} " + tag + ";\n"
	m, err := Parse(vfs.Files{"a.fea": text})
	if err != nil {
		return "", err
	}
	got := m.features[padded(tag)]
	got = strings.TrimPrefix(got, "feature "+tag+" {")
	return strings.TrimSuffix(strings.TrimPrefix(got, "\n"), "} "+tag+";"), nil
}

func TestCanonicalRules(t *testing.T) {
	t.Parallel()
	for rules, want := range map[string]string{
		"substitute a by b;":                         "    sub a by b;\n",
		`sub \name by \12;`:                          `    sub \name by cid00012;` + "\n",
		`sub [a - c \14 - \15] by [\2 - \6];`:        `    sub [a - c \14 - \15] by [\2 - \6];` + "\n",
		"sub @abc by [x y z];":                       "    sub @abc by [x y z];\n",
		"sub f i by f_i;":                            "    sub f i by f_i;\n",
		"sub a by NULL;":                             "    sub a by NULL;\n",
		"sub a from @abc;":                           "    sub a from @abc;\n",
		"sub x a' y by b;":                           "    sub x a' y by b;\n",
		"sub a' lookup L1 b' c;":                     "    sub a' lookup L1 b' c;\n",
		"ignore sub a b' c, d';":                     "    ignore sub a b' c, d;\n",
		"reversesub a b' by c;":                      "    rsub a b' by c;\n",
		"sub a by b c; sub [d e] by [f g];":          "    sub a by b c;\n    sub d by f;\n    sub e by g;\n",
		"sub a by b c; sub d' by f;":                 "    sub a by b c;\n    sub d' by f;\n",
		"pos a 10;":                                  "    pos a 10;\n",
		"pos a b -20;":                               "    pos a b -20;\n",
		"pos a -20 b;":                               "    pos a b -20;\n",
		"enum pos @abc <1 2 3 4> b <NULL>;":          "    enum pos @abc b <1 2 3 4>;\n",
		"pos a 1 b 2;":                               "    pos a 1 b 2;\n",
		"pos a <NULL>;":                              "    pos a ;\n",
		"pos a <NARROW>;":                            "    pos a 7;\n",
		"pos x a' 5 b;":                              "    pos x a' 5 b;\n",
		"pos [a b]' c 5;":                            "    pos [a b]' 5 c;\n",
		"pos base a <anchor 1 2> mark @TOP;":         "    pos base a\n        <anchor 1 2> mark @TOP;\n",
		"pos cursive a <anchor NULL> <anchor FOOT>;": "    pos cursive a <anchor NULL> <anchor FOOT>;\n",
		"pos ligature f_i <anchor 1 2> mark @TOP ligComponent <anchor NULL>;": "    pos ligature f_i\n            <anchor 1 2> mark @TOP\n" +
			"        ligComponent\n            <anchor NULL>;\n",
		"lookupflag IgnoreMarks RightToLeft;": "    lookupflag RightToLeft IgnoreMarks;\n",
		"lookupflag 4;":                       "    lookupflag IgnoreLigatures;\n",
		"language DEU include_dflt required;": "    language DEU required;\n",
		"lookup IN { sub a by b; } IN;":       "    lookup IN {\n        sub a by b;\n    } IN;\n",
		"sub a by b; # why\n# not":            "    sub a by b;\n",
	} {
		if got, err := inFeature(t, "test", rules); err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", rules, got, err, want)
		}
	}
	for tag, c := range map[string][2]string{
		"vkrn": {"pos a <0 0 3 0>; pos a 5;", "    pos a <0 0 3 0>;\n    pos a 5;\n"},
		"ss03": {"featureNames { name \"\\00fc # x\"; };", "        featureNames {\n        name \"ü\n    };\n"},
		"size": {"parameters 100 3 80 13.9;", "    parameters 10.0 3 80 139;\n"},
		"cv01": {"cvParameters { Character 108; };", "        cvParameters {\n        Character 0x6c;\n    };\n"},
	} {
		if got, err := inFeature(t, tag, c[0]); err != nil || got != c[1] {
			t.Errorf("%s: got %q, %v, want %q", c[0], got, err, c[1])
		}
	}
}

func TestCanonicalTables(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]string{
		"head FontRevision 2.00049;":                                              "    FontRevision 2.000;\n",
		"OS/2 typoascender 5; Foo 3; XHeight 4;":                                  "    TypoAscender None;\n    XHeight 4;\n",
		"GDEF GlyphClassDef [a], , [b], ;":                                        "    GlyphClassDef [a], , [b], ;\n",
		"GDEF Attach a 9 2 9;":                                                    "    Attach a 2 9;\n",
		"name nameid 0x9 1 \"\\9f\";":                                             "    nameid 9 1 \"\\9f\";\n",
		"name nameid 9 \"\u00e4\\0022\";":                                         "    nameid 9 \"\\00e4\\0022\";\n",
		"BASE HorizAxis.BaseTagList romn; HorizAxis.BaseScriptList latn romn -1;": "    HorizAxis.BaseTagList romn;\n    HorizAxis.BaseScriptList latn romn -1;\n",
		"STAT DesignAxis wght 0 { name \"W\"; };":                                 "    DesignAxis wght 0 {\nname \"W\";\n};\n",
	} {
		tag, rest, _ := strings.Cut(fields, " ")
		m, err := Parse(vfs.Files{"a.fea": "table " + tag + " {\n" + rest + "\n} " + tag + ";\n"})
		got := strings.TrimSuffix(strings.TrimPrefix(m.tables[padded(tag)], "table "+tag+" {\n"), "} "+tag+";")
		if err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", fields, got, err, want)
		}
	}
}

func TestLinesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	const end = "@last = [z];\n"
	for rule, c := range map[string]struct {
		text    string
		classes int // -1 for a failure
	}{
		"a line of prose":                       {"@a = [a];\nfor you:\n" + end, 2},
		"what shares the line with it":          {"@a = [a]; for you:\n" + end, 1},
		"what stands after it":                  {"for you: @a = [a];\n" + end, 1},
		"the line where a statement begins":     {"feature liga {\nsub a b\nby c d;\n} liga;\n" + end, 1},
		"a class of a list that is not there":   {"@a = [@b];\n" + end, 1},
		"a list over several lines":             {"@a = [a\n1 b];\n" + end, -1},
		"a definition in it is taken back":      {"feature liga {\n@x = [x];\n@y = [@x];\n} lig;\n" + end, -1},
		"a semicolon that is missing":           {"@a = [a]\n" + end, -1},
		"a feature without an end":              {end + "feature liga {\nsub a by b;\n", -1},
		"scripts before their baselines":        {end + "table BASE {\nHorizAxis.BaseScriptList latn romn 0;\n} BASE;\n", -1},
		"scripts of another axis":               {end + "table BASE {\nHorizAxis.BaseTagList romn;\nVertAxis.BaseScriptList latn romn 0;\n} BASE;\n", -1},
		"a table without an end":                {end + "table OS/2 {\nXHeight 4;\n", -1},
		"a file that is to be included":         {"include(x.fea);\n" + end, 1},
		"one at the end":                        {end + "include\n", 1},
		"a pair without a value":                {end + "feature kern {\npos a b;\n} kern;\n", -1},
		"lines in a string are not counted":     {"table name {\nnameid 9 \"a\n\nb\";\n} name;\nno;\n" + end, -1},
		"49 lines":                              {strings.Repeat("no\n", 49) + end, 1},
		"50 lines":                              {strings.Repeat("no\n", 50) + end, -1},
		"a falling range":                       {"@a = [c - a];\n" + end, 1},
		"a class that grows by what is skipped": {"markClass a <anchor 0 0> @M;\nmarkClass a <anchor 0 0> @M;\n@m = [@M];\n" + end, 2},
		"a comment of another language":         {"/* @a = [a];\n*/ @b = [b];\n" + end, 1},
	} {
		m, err := Parse(vfs.Files{"a.fea": c.text})
		if got := len(m.classes); err == nil && got != c.classes || err != nil && c.classes >= 0 {
			t.Errorf("%s: %d classes, %v, want %d", rule, got, err, c.classes)
		}
	}
}
