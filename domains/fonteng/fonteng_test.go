package fonteng

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const environment = "fonteng1"

const file = "holmsund-text.fea"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "fonteng1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, environment),
		Generate: rapid.Custom(drawDocument),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, environment))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, environment))
}

func TestPrintingLosesNothing(t *testing.T) {
	t.Parallel()
	for name, text := range domaintest.Seed(t, environment) {
		if diff := cmp.Diff(text, read(text).print()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := drawDocument(t)[file]
		if diff := cmp.Diff(text, read(text).print()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// drawDocument draws a feature file that the published program reads without a
// failure.
func drawDocument(t *rapid.T) vfs.Files {
	d := &drawer{T: t}
	if d.sometimes("licence") {
		d.line("# Licensed under the OFL\n# see OFL.txt")
	}
	for range 1 + d.upTo(3, "systems") {
		d.line("languagesystem " + d.one("script", "DFLT", "latn", "cyrl") + " " + d.one("language", "dflt", "TRK", "NLD") + ";" + d.note())
	}
	d.line("@Fixed = [a b" + d.one("break", " ", "\n  ", " # first\n") + "c.sc \\sub];")
	for range d.upTo(3, "classes") {
		d.class("")
	}
	d.line("markClass [acutecomb gravecomb] <anchor 0 " + d.number() + "> @Top;")
	if d.sometimes("value record") {
		d.line("valueRecordDef <0 0 " + d.number() + " 0> SPACE;")
	}
	d.line("lookup Outer {\n\tsub one by one.onum;\n} Outer;")
	for range d.upTo(3, "features") {
		d.feature()
	}
	for range d.upTo(2, "tables") {
		d.line(d.one("table",
			"table head {\n  FontRevision 1.0"+d.one("digit", "1", "25")+"; # beta\n} head;",
			"table OS/2 {\n  TypoAscender "+d.number()+";\n  Panose 0 0 0 0 0 0 0 0 0 0;\n  Vendor \"A#B\";\n} OS/2;",
			"table name {\n  # who\n  nameid 9 \"J. M\\00fcller\";\n  nameid 9 1 \"J. M\\9fller\";\n} name;",
			"table hhea {\n  Ascender "+d.number()+";;\n  LineGap 0;\n} hhea;",
			"table STAT {\n  ElidedFallbackName { name \"Regular\"; };\n  DesignAxis wght 0 { name \"Weight\"; };\n"+
				"  AxisValue { location wght 400 700; name \"Regular\"; flag ElidableAxisValueName; };\n} STAT;",
			"table GDEF {\n  GlyphClassDef [a b], , @Top, ;\n  LigatureCaretByPos f_i "+d.number()+";\n} GDEF;"))
	}
	if d.sometimes("comment below") {
		d.line("# end of file")
	}
	return vfs.Files{file: d.text.String()}
}

type drawer struct {
	*rapid.T
	text  strings.Builder
	count int
	names []string // of classes
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) line(text string) {
	d.text.WriteString(text + d.one("line end", "\n", "\n", "\n\n", "  \n"))
}

func (d *drawer) note() string { return d.one("note", "", "", "", " # why", "\t#") }

func (d *drawer) number() string { return fmt.Sprint(rapid.IntRange(-300, 900).Draw(d.T, "number")) }

func (d *drawer) unique(prefix string) string {
	d.count++
	return fmt.Sprintf("%s%d", prefix, d.count)
}

func (d *drawer) class(indent string) {
	name := d.unique("@Class")
	members := d.one("members", "[A - C]", "[x y.sc z]", "@Fixed", "[@Fixed d]", "[\\7 - \\9]", "[uni0300 - uni0302 e-grave]", "[ ]")
	d.line(indent + name + " = " + members + ";" + d.note())
	d.names = append(d.names, name)
}

func (d *drawer) glyphs() string {
	return d.one("glyphs", append(d.names, "@Fixed", "f", "[b d]", "[a - d]", "T.case", "\\mark", "[@Fixed six]")...)
}

func (d *drawer) feature() {
	tag := d.one("tag", "liga", "kern", "calt", "ss01", "cpsp")
	d.line("feature " + tag + d.one("extension", "", "", " useExtension") + " {" + d.note())
	if tag == "ss01" && d.sometimes("names") {
		d.line("    featureNames {\n        name \"Öld # style\";\n        name 1 \"old\";\n    };")
	}
	for range 1 + d.upTo(5, "rules") {
		if d.sometimes("comment") {
			d.line(d.one("comment text", "    # between capitals", "\t# sub a by b;"))
		}
		switch d.upTo(9, "kind") {
		case 0:
			name := d.unique("Inner")
			d.line("    lookup " + name + " {")
			d.line("        " + d.rule() + d.note())
			d.line("    } " + name + ";")
		case 1:
			d.line("    lookup Outer;")
		case 2:
			d.class("    ")
		case 3:
			d.line("    script latn;\n    language " + d.one("language", "TRK exclude_dflt", "NLD", "MOL include_dflt") + ";")
		default:
			d.line(d.one("indent", "    ", "\t", "") + d.rule() + d.note())
		}
	}
	d.line("}" + d.one("blank", " ", "\t") + tag + ";")
}

func (d *drawer) rule() string {
	switch d.upTo(10, "rule") {
	case 0:
		return "sub " + d.glyphs() + "' lookup Outer " + d.glyphs() + ";"
	case 1:
		return "sub f f i by f_f_i;"
	case 2:
		return "sub f_i by f i;"
	case 3:
		return "substitute [a b.sc]" + d.one("gap", " ", "\n      ") + "by [a.alt b.onum];"
	case 4:
		return "ignore sub " + d.glyphs() + " a', b' " + d.glyphs() + ";"
	case 5:
		return d.one("enum", "", "enum ") + "pos " + d.glyphs() + " " + d.glyphs() + " " + d.number() + ";"
	case 6:
		return "pos " + d.glyphs() + " <1 0 " + d.number() + " 0> " + d.glyphs() + " <0 0 " + d.number() + " 0>;"
	case 7:
		return "pos base [a o] <anchor " + d.number() + " 5> mark @Top;"
	case 8:
		return "pos " + d.glyphs() + "' " + d.number() + " period.tnum;"
	case 9:
		return "lookupflag RightToLeft IgnoreMarks;"
	}
	return "sub a from [a.ss01 a.sc];"
}

func TestReadingRecoversFromUnfinishedText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{ // entries
		"@a = [a];\n@b = [b];":                         2,
		"@a = [a]\n@b = [b];":                          2,
		"@a = [a\n@b = [b];":                           2,
		"sub a by b\nsub c by d;":                      2,
		"feature liga { sub a by b; } liga; @a = [a];": 2,
		"feature liga { sub a by b; }\n@a = [a];":      2,
		"} } @a = [a];":                                3,
		"Here it is:\nfeature liga { } liga;":          2,
		"anon x {\n}} ; { y\n} x;\n@a = [a];":          2,
		";;;":                                          1,
	} {
		d := read(text)
		if got := len(d.entries); got != want {
			t.Errorf("%q: %d entries, want %d", text, got, want)
		}
		if printed := strings.TrimSuffix(d.print(), "\n"); printed != text {
			t.Errorf("%q: printed as %q", text, printed)
		}
	}
}
