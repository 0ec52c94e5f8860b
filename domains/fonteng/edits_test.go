package fonteng

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const stencil = `# Stencil One
languagesystem DFLT dflt;

@caps = [A - C];
@small = [a.sc b.sc c.sc];
markClass acutecomb <anchor 10 480> @TOP;

# by size
feature smcp {
    sub @caps by @small;
    sub [@caps D]' x by [@small d.sc];
} smcp;

feature kern {
    # open pairs
    pos A b -40; # check
    enum pos [A B] @small -12;
    pos A <1 0 -3 0> C <2 0 0 0>;
    subtable;
    lookup CAPS {
        pos @caps 5;
    } CAPS;
} kern;

feature aalt {
    feature smcp;
} aalt;

table OS/2 {
    # from the drawing
    TypoAscender 735; # odd
    WeightClass 400;
} OS/2;
`

// inStencil is the stencil with some texts replaced, given in pairs.
func inStencil(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(stencil) }

const stencilClasses = `# Stencil One
languagesystem DFLT dflt;

@caps = [A - C];
@small = [a.sc b.sc c.sc];
markClass acutecomb <anchor 10 480> @TOP;`

var (
	stencilLayout = stencil[len(stencilClasses):strings.Index(stencil, "\n\ntable")]
	stencilTable  = strings.TrimSuffix(stencil[strings.Index(stencil, "\n\ntable"):], "\n")
	stencilKern   = stencil[strings.Index(stencil, "\n\nfeature kern"):strings.Index(stencil, "\n\nfeature aalt")]
	stencilAalt   = stencil[strings.Index(stencil, "\n\nfeature aalt"):strings.Index(stencil, "\n\ntable")]
	stencilSmcp   = stencil[strings.Index(stencil, "\n\n# by size"):strings.Index(stencil, "\n\nfeature kern")]
)

var forwardResults = map[string]vfs.Files{
	"modules": {
		"10_classes.fea": stencilClasses,
		"20_layout.fea":  stencilLayout,
		"30_tables.fea":  stencilTable + "\n",
		"index.csv": `position,file
1,10_classes.fea
2,10_classes.fea
3,10_classes.fea
4,10_classes.fea
5,20_layout.fea
6,20_layout.fea
7,20_layout.fea
8,30_tables.fea
`,
	},
	"kerning_csv": {
		"without_kerning.fea": inStencil("\n    # open pairs\n    pos A b -40; # check", "",
			"\n    enum pos [A B] @small -12;", "", "\n    pos A <1 0 -3 0> C <2 0 0 0>;", ""),
		"kerning.csv": `place,enum,left,right,value,right value,comment,note
1,,A,b,-40,,# open pairs,# check
2,yes,[A B],@small,-12,,,
3,,A,C,<1 0 -3 0>,<2 0 0 0>,,
`,
	},
	"units_2000": {
		"units_2000.fea": inStencil("10 480", "20 960", "-40", "-80", "-12", "-24", "<1 0 -3 0>", "<2 0 -6 0>",
			"<2 0 0 0>", "<4 0 0 0>", "@caps 5", "@caps 10", "735", "1470"),
	},
	"glyph_suffixes": {
		"renamed.fea": inStencil(".sc", ".smcp"),
		"glyphs.csv":  "old,new\na.sc,a.smcp\nb.sc,b.smcp\nc.sc,c.smcp\nd.sc,d.smcp\n",
	},
	"alphabetical": {
		"alphabetical.fea": stencilClasses + stencilAalt + stencilKern + stencilSmcp + stencilTable + "\n",
		"order.csv":        "feature,position\naalt,3\nkern,2\nsmcp,1\n",
	},
	"spelled_out": {
		"spelled_out.fea": inStencil("sub @caps by @small", "sub [A B C] by [a.sc b.sc c.sc]",
			"[A B] @small", "[A B] [a.sc b.sc c.sc]", "pos @caps", "pos [A B C]"),
		"classes_used.csv": "rule,list,class\n1,1,@caps\n1,2,@small\n4,2,@small\n6,1,@caps\n",
	},
	"standalone_lookups": {
		"standalone.fea": inStencil("\n\nfeature kern", "\n\nlookup CAPS {\n        pos @caps 5;\n    } CAPS;\n\nfeature kern",
			"lookup CAPS {\n        pos @caps 5;\n    } CAPS;\n", "lookup CAPS;\n"),
		"moved_lookups.csv": "lookup,feature\nCAPS,kern\n",
	},
	"tables_json": {
		"without_tables.fea": strings.TrimSuffix(stencil, stencilTable+"\n") + "\n",
		"tables.json": `[
  {"table":"OS/2","place":8,"comments":[],"fields":[{"name":"TypoAscender","value":"735","comments":["# from the drawing"],"note":"# odd"},{"name":"WeightClass","value":"400","comments":[],"note":""}]}
]
`,
	},
}

// file is that of the documents in these tests.
const file = "holmsund-text.fea"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), environment) }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{file: stencil}, forwardResults, domaintest.InMeaning)
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"modules", vfs.Files{"10_classes.fea": stencil}, "index.csv is missing"},
		{"modules", vfs.Files{"10_classes.fea": stencil, "index.csv": "file\n"}, `no column "position"`},
		{"kerning_csv", vfs.Files{"without_kerning.fea": stencil, "kerning.csv": "left\nA\n"}, `reading kerning.csv: no column "place"`},
		{"units_2000", vfs.Files{"units_2000.fea": "no statement"}, "no .fea file with a statement"},
		{"glyph_suffixes", vfs.Files{"renamed.fea": stencil}, "glyphs.csv is missing"},
		{"alphabetical", vfs.Files{"order.csv": "feature,position\n"}, "alphabetical.fea is missing"},
		{"spelled_out", vfs.Files{"spelled_out.fea": stencil}, "classes_used.csv is missing"},
		{"standalone_lookups", vfs.Files{"standalone.fea": stencil}, "moved_lookups.csv is missing"},
		{"tables_json", vfs.Files{"without_tables.fea": stencil, "tables.json": "none"}, "reading tables.json"},
	} {
		edit := domaintest.Edit(t, demonstration(t), c.edit)
		if _, err := edit.Backward(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
	taken := vfs.Files{file: inStencil("@small = [", "@small = [a.smcp ")}
	if _, err := domaintest.Edit(t, demonstration(t), "glyph_suffixes").Forward(taken); err == nil || !strings.Contains(err.Error(), "a.smcp already") {
		t.Errorf("error %v, want one about a.smcp", err)
	}
}

// TestOtherParameters has edits of another document than the built-in one.
func TestOtherParameters(t *testing.T) {
	t.Parallel()
	edits := domaintest.Making(t, New(), map[string]string{
		"scale":           `{"document": "stencil.fea", "to": "third.fea", "by": 1.5}`,
		"rename_suffixes": `{"document": "stencil.fea", "to": "long.fea", "suffixes": {".sc": ".small"}, "table": "names.csv"}`,
		"list_pairs":      `{"document": "stencil.fea", "feature": "vkrn", "rest": "rest.fea", "table": "pairs.csv"}`,
	})
	domaintest.Results(t, edits, vfs.Files{"stencil.fea": stencil}, map[string]vfs.Files{
		"scale": {
			"third.fea": inStencil("10 480", "15 720", "-40", "-60", "-12", "-18", "<1 0 -3 0>", "<1.5 0 -4.5 0>",
				"<2 0 0 0>", "<3 0 0 0>", "@caps 5", "@caps 7.5", "735", "1102.5"),
		},
		"rename_suffixes": {
			"long.fea":  inStencil(".sc", ".small"),
			"names.csv": "old,new\na.sc,a.small\nb.sc,b.small\nc.sc,c.small\nd.sc,d.small\n",
		},
		"list_pairs": {
			"rest.fea": stencil, "pairs.csv": "place,enum,left,right,value,right value,comment,note\n",
		},
	}, domaintest.ToTheLetter)
}

func TestSeveralFilesAreOneDocument(t *testing.T) {
	t.Parallel()
	d, err := sources.Document(vfs.Files{"a.fea": "# nothing yet\n", "b.fea": "languagesystem DFLT dflt; # all", "c.fea": "@caps = [A];\n# end\n"})
	if got, want := d.print(), "# nothing yet\nlanguagesystem DFLT dflt; # all\n@caps = [A];\n# end\n"; got != want || err != nil {
		t.Errorf("%q (%v), want %q", got, err, want)
	}
}

// Damage between the steps is carried over, not multiplied.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	domaintest.DamagedSteps(t, demonstration(t), domaintest.Seed(t, environment), 0.75, "quoteright", "quotesingle")
}
