package edit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"agentd/domains/edit"
	"agentd/vfs"
)

// notes is a format for tests: parts are paragraphs with a name and an amount.
func notes() *edit.Format {
	return &edit.Format{
		Document: "notebook", Part: "note", Parts: "notes", Patterns: []string{"*.note"}, Cut: edit.Blocks("^@"),
		Attributes: []edit.Attribute{
			edit.Has("author", "authors", `^@(\S+)`), edit.HasNumber("amount", "amounts", `= (\S+)`), edit.Has("remark", "remarks", `# (.+)$`),
		},
	}
}

const notebook = "Kept by hand.\n\n@ann\n= 3.50\n# first\n\n@bob\n= -2.25\n# second\n\n\n@ann\n= 10.00\n\n@Zoë\n= 007\n# first\n\n@cy\nno more\n"

// TestEveryVerbLeadsThereAndBack also looks at what each verb makes.
func TestEveryVerbLeadsThereAndBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		verb edit.Verb
		file string // of the forward step
		want string // in it
	}{
		"split":   {edit.Verb{SplitBy: "author", Table: "order.csv"}, "ann.note", "Kept by hand.\n\n@ann\n= 3.50\n# first\n\n@ann\n= 10.00\n"},
		"slug":    {edit.Verb{SplitBy: "author", Table: "order.csv"}, "order.csv", "4,zoe.note\n"},
		"extract": {edit.Verb{SplitBy: "author", Only: "ann", Table: "order.csv"}, "order.csv", "2,other.note\n3,ann.note\n"},
		"every":   {edit.Verb{SplitEvery: 2}, "a_03.note", "Kept by hand.\n\n@cy\nno more\n"},
		"sort":    {edit.Verb{SortBy: edit.Several[string]{"amount"}, Table: "order.csv"}, "a.note", "Kept by hand.\n\n@bob\n= -2.25\n# second\n\n@ann\n= 3.50"},
		"text":    {edit.Verb{SortBy: edit.Several[string]{"author"}, Table: "order.csv"}, "order.csv", "line,position\n1,4\n2,1\n3,3\n4,2\n5,5\n"},
		"reverse": {edit.Verb{Reverse: true}, "a.note", "Kept by hand.\n\n@cy\nno more\n\n@Zoë"},
		"codes":   {edit.Verb{Register: "remark", Code: "REM", Table: "codes.csv"}, "codes.csv", "code,text\nREM1,first\nREM2,second\n"},
		"aside":   {edit.Verb{Aside: "remark", Code: "REM", Table: "codes.csv"}, "a.note", "= 007\n# REM3\n"},
		"add":     {edit.Verb{AddTo: "amount", Amount: "2.5", Table: "sum.csv"}, "a.note", "= 0.25\n"},
		"odd sum": {edit.Verb{AddTo: "amount", Amount: "2.5", Table: "sum.csv"}, "a.note", "= 007\n"},
		"json":    {edit.Verb{Convert: edit.AsJSON, To: "n.json"}, "n.json", `"text": "@bob\n= -2.25\n# second"`},
		"table":   {edit.Verb{Convert: edit.AsTable, To: "n.csv"}, "n.csv", "note,bob,-2.25,second,\"@bob\n= -2.25\n# second\"\n"},
		"wiki":    {edit.Verb{Convert: edit.AsMarkdown, To: "n.md"}, "n.md", "## note 2\n\n```\n@bob\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.verb.Document = "a.note"
			program, err := notes().Program(c.verb)
			if err != nil {
				t.Fatal(err)
			}
			seed := vfs.Files{"a.note": notebook, "b.txt": "stays"}
			there, err := program.Forward(seed)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(there[c.file], c.want) {
				t.Errorf("%s has\n%s\nwant in it\n%s", c.file, there[c.file], c.want)
			}
			back, err := program.Backward(there)
			if err != nil {
				t.Fatal(err)
			}
			if !back.Equal(seed) {
				t.Errorf("back: %q", back)
			}
		})
	}
}

// TestBackwardFromDamagedFiles shows that a step says what is missing, and works on the rest.
func TestBackwardFromDamagedFiles(t *testing.T) {
	t.Parallel()
	split := edit.Verb{SplitBy: "author", Table: "order.csv", Document: "a.note"}
	for name, c := range map[string]struct {
		verb  edit.Verb
		files vfs.Files
		want  string // the document, or the error
	}{
		"no table":      {split, vfs.Files{"ann.note": "@ann\n"}, "order.csv"},
		"empty table":   {split, vfs.Files{"ann.note": "@ann\n", "order.csv": "position,file\n"}, "order.csv is empty"},
		"no file":       {split, vfs.Files{"order.csv": "position,file\n1,ann.note\n"}, "ann.note"},
		"part too many": {split, vfs.Files{"ann.note": "@ann\n\n@ann2\n", "order.csv": "position,file\n1,ann.note\n"}, "@ann\n\n@ann2\n"},
		"part too few":  {split, vfs.Files{"ann.note": "@ann\n", "order.csv": "position,file\n1,ann.note\n2,ann.note\n"}, "@ann\n"},
		"no number":     {edit.Verb{SplitEvery: 2, Document: "a.note"}, vfs.Files{"a_02.note": "@ann\n"}, "a_01.note"},
		"order too short": {edit.Verb{SortBy: edit.Several[string]{"author"}, Table: "order.csv", Document: "a.note"},
			vfs.Files{"a.note": "@ann\n\n@bob\n\n@cy\n", "order.csv": "line,position\n1,2\n2,1\n"}, "@bob\n\n@ann\n\n@cy\n"},
		"code not listed": {edit.Verb{Register: "remark", Code: "REM", Table: "c.csv", Document: "a.note"},
			vfs.Files{"a.note": "@ann\n# REM1\n# REM2\n", "c.csv": "code,text\nREM2,x\n"}, "@ann\n# REM1\n# x\n"},
		"no JSON": {edit.Verb{Convert: edit.AsJSON, To: "n.json", Document: "a.note"}, vfs.Files{"n.json": "{"}, "n.json"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program, err := notes().Program(c.verb)
			if err != nil {
				t.Fatal(err)
			}
			back, err := program.Backward(c.files)
			if err != nil {
				if !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %s", err, c.want)
				}
			} else if back["a.note"] != c.want {
				t.Errorf("%q, want %q", back["a.note"], c.want)
			}
		})
	}
}

// TestWhatStandsBelowThePartAboveStays has a comment that comes last in one of the files.
func TestWhatStandsBelowThePartAboveStays(t *testing.T) {
	t.Parallel()
	format := &edit.Format{Document: "list", Part: "item", Parts: "items", Patterns: []string{"*.xml"}, Cut: edit.XML("i"),
		Attributes: []edit.Attribute{edit.Has("kind", "kinds", edit.ValueOf("i", "k"))}}
	seed := vfs.Files{"a.xml": "<l>\n<i k=\"a\">1</i>\n<i k=\"b\">2</i>\n<!-- of 2 -->\n<i k='a'>3</i>\n<!-- of 3 -->\n<i k=\"a\"/>\n</l>\n"}
	for _, v := range []edit.Verb{{SplitBy: "kind", Table: "order.csv"}, {SplitEvery: 2}, {SplitEvery: 3}} {
		v.Document = "a.xml"
		program, err := format.Program(v)
		if err != nil {
			t.Fatal(err)
		}
		there, err := program.Forward(seed)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := program.Backward(there); err != nil || !back.Equal(seed) {
			t.Errorf("%s: %q, %v", v, back, err)
		}
	}
}

// TestTablesWithAColumnOfText have no second one of that name.
func TestTablesWithAColumnOfText(t *testing.T) {
	t.Parallel()
	format := edit.Table("table", "row", "rows")
	seed := vfs.Files{"a.csv": "row,text\n1,x\n2,y\n"}
	for _, form := range []edit.Form{edit.AsJSON, edit.AsTable, edit.AsMarkdown} {
		program, err := format.Program(edit.Verb{Convert: form, Document: "a.csv", To: "to"})
		if err != nil {
			t.Fatal(err)
		}
		there, err := program.Forward(seed)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := program.Backward(there); err != nil || !back.Equal(seed) {
			t.Errorf("%s: %q, %v", form, back, err)
		}
	}
}

// TestFinerParts has edits of the lines of a notebook that has too few notes, and of no lines where
// there are enough.
func TestFinerParts(t *testing.T) {
	t.Parallel()
	format := notes()
	format.Finer = &edit.Format{Document: "notebook", Part: "line", Parts: "lines", Cut: edit.Lines(),
		Attributes: []edit.Attribute{edit.Has("sign", "signs", `\A([@=#])`)}}
	few := vfs.Files{"a.note": "@ann\n= 3.50\n\n@bob\n= 2\n# x\n"}
	proposals, err := format.Propose(few, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range proposals {
		if p.Verb.Parts != "lines" && p.Verb.Parts != "text lines" && p.Verb.Parts != "whole text" || p.Verb.SplitBy != "" && p.SplitBy != "sign" {
			t.Errorf("%+v", p.Verb)
		}
		program, err := format.Program(p.Verb)
		if err != nil {
			t.Fatal(err)
		}
		there, err := program.Forward(few)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := program.Backward(there); err != nil || !back.Equal(few) {
			t.Errorf("%s: %q, %v", p.Name(), back, err)
		}
	}
	proposals, err = format.Propose(vfs.Files{"a.note": notebook}, 1)
	if err != nil || len(proposals) == 0 || proposals[0].Parts != "" {
		t.Errorf("%+v, %v", proposals, err)
	}
	if _, err := format.Program(edit.Verb{Document: "a.note", Reverse: true, Parts: "words"}); err == nil {
		t.Error("parts that no format has are taken")
	}
	if _, err := format.Propose(vfs.Files{"a.txt": "one"}, 1); !errors.Is(err, edit.ErrNoParts) {
		t.Errorf("no file of the format: %v", err)
	}
}

func TestCheckSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]edit.Verb{
		"document must be set": {Reverse: true},
		"one of":               {Document: "a"},
		"split_every":          {Document: "a", SplitEvery: -1},
		"table must be set":    {Document: "a", SortBy: edit.Several[string]{"x"}},
		"code must be set":     {Document: "a", Aside: "x", Table: "t", Code: "x"},
		"no decimal number":    {Document: "a", AddTo: "x", Table: "t", Amount: "1e3"},
		"to must be set":       {Document: "a", Convert: edit.AsJSON},
		"must be json":         {Document: "a", Convert: "pdf", To: "x"},
	} {
		if err := v.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", v, err, want)
		}
	}
	if _, err := notes().Program(edit.Verb{Document: "a", SortBy: edit.Several[string]{"colour"}, Table: "t"}); err == nil {
		t.Error("an attribute that notes do not have is taken")
	}
}

// TestCutters shows what parts each finds. Pieces put together are the text.
func TestCutters(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cut  edit.Cutter
		text string
		want []string
	}{
		"starting":           {edit.Starting(`^\d`, `^END`), "top\n1 a\n  b\n\n2\n# of 2\n\nEND\n3\n", []string{"1 a\n  b", "2\n# of 2"}},
		"enclosed":           {edit.Enclosed(`^<`, `>$`), "<a\nb>\n\n<c>\n<open\n", []string{"<a\nb>", "<c>"}},
		"what is between":    {edit.Enclosed(`^<`, `>$`), "<a>\nnote\n\n<c>\n", []string{"<a>\nnote", "<c>"}},
		"records":            {edit.Records(`^--$`), "a\n\n\nb\n--\nc\n--\n", []string{"a\n\n\nb\n--", "c\n--"}},
		"rows":               {edit.Rows(), "h,i\n1,\"a\nb\"\n2,c\n", []string{"1,\"a\nb\"", "2,c"}},
		"carriage return":    {edit.Rows(), "h\r\n1\r\n2\r\n", []string{"1", "2"}},
		"json":               {edit.JSON(), `{"n": [1], "list": [{"a": 1}, {"b": [2, 3]}]}`, []string{`{"a": 1}`, `{"b": [2, 3]}`}},
		"json path":          {edit.JSON("n"), `{"n": [ 1 , 2 ], "list": [1,2,3]}`, []string{"1", "2"}},
		"json members":       {edit.JSON(), `{"a": 1, "b": {"c": 2}}`, []string{`"a": 1`, `"b": {"c": 2}`}},
		"json outer":         {edit.JSON(), `{"list": [{"a": [{}, {}, {}]}, 2], "n": [1, 2, 3]}`, []string{`{"a": [{}, {}, {}]}`, "2"}},
		"json breaks off":    {edit.JSON(), `{"list": [{"a": 1}, {"a": 2}, {"a":`, []string{`{"a": 1}`, `{"a": 2}`}},
		"xml breaks off":     {edit.XML("p"), `<r><p>1</p><p/><p>`, []string{`<p>1</p>`, `<p/>`}},
		"rules":              {edit.Starting(`^\d`, ""), "1\n\n---\n\n2\n---\n== b\n===\n", []string{"1", "2\n---\n== b"}},
		"inline":             {edit.Inline(`\b\d+\.`, `\{[^}]*\}`, `=`), "{0.} 1. a 2. b\n{3. c} d = 4.", []string{"1. a", "2. b\n{3. c} d"}},
		"separated":          {edit.Separated(`-{4,}`), "----\na ----- b\nc\n----\n", []string{"a", "b\nc"}},
		"statements":         {edit.Statements(0, ";", edit.RestOfLine("#"), edit.Quoted(`"`)), "# a;\nx { y; }; \"z;\" # ;\n;", []string{"x { y; };", "\"z;\" # ;\n;"}},
		"end-of-line remark": {edit.Statements(0, ";", edit.RestOfLine("#"), edit.Quoted(`"`)), "x; # of x\ny;", []string{"x; # of x", "y;"}},
		"nested lines":       {edit.Statements(1, ";\n", edit.RestOfLine("#"), edit.Quoted(`"`)), "g {\na [\nb]\n\nc; d;\ne }\n", []string{"a [\nb]", "c;", "d;", "e"}},
		"escaped quotes":     {edit.Statements(0, ";", edit.Apart{Open: "'", Close: "'", Escaped: true}), `a '\';' b; 'c\'; d;`, []string{`a '\';' b;`, `'c\';`, "d;"}},
		"quotes of one line": {edit.Statements(0, ";", edit.Apart{Open: "'", Close: "'", OneLine: true}), "a 'b;\n'c;'; d;", []string{"a 'b;", "'c;';", "d;"}},
		"remarks with ends":  {edit.Statements(0, ";", edit.Apart{Open: "/*", Close: "*/", Remark: true, And: ";"}), "/* a; */; b; /* c; /* d", []string{"b;", "/* c;", "/* d"}},
		"broken json":        {edit.JSON(), `{"a": 1, `, nil},
		"xml":                {edit.XML("p", "q"), `<r><x><p/></x><p a="1">t<p>in</p></p> <k:q/></r>`, []string{`<p a="1">t<p>in</p></p>`, `<k:q/>`}},
		"broken xml":         {edit.XML("p"), `<r></r></r>`, nil},
		"lines":              {edit.Lines(), "a\n\nb\n", []string{"a", "", "b"}},
		"headed":             {edit.Headed("^#", edit.Starting("^x", "")), "t\n# 1\nx\n y\n# 2\n# 3\nx\n#\n\nx\n", []string{"# 1\nx\n y", "# 2\n# 3\nx\n#", "x"}},
		"headed, CR LF":      {edit.Headed("^#", edit.Starting("^x", "")), "# 1\r\nx\r\n# 2\r\nx\r\n", []string{"# 1\r\nx", "# 2\r\nx"}},
		"first is no head":   {edit.Headed(".", edit.Starting("^x", "")), "x\nx\ny\nx", []string{"x", "x", "y\nx"}},
		"within":             {edit.Within("^BODY", "^END", edit.Blocks("")), "a\n\nBODY\nb\n\nc\nEND\nd\n", []string{"b", "c"}},
		"within no end":      {edit.Within("^BODY", "^END", edit.Blocks("")), "BODY\nb\n\nc\n", []string{"b", "c"}},
		"within nothing":     {edit.Within("^BODY", "", edit.Blocks("")), "b\n\nc\n", nil},
		"either":             {edit.Either(edit.Starting("^x", ""), edit.Starting("^y", "")), "y\ny\nx\n", []string{"x"}},
		"whole":              {edit.Whole(edit.Starting("^x", "^END")), "x\n\n\nx\n y\nx\n\nEND\n", []string{"x\n\n", "x\n y", "x\n"}},
		"outer":              {edit.Outer("p"), `<r><x><p/></x><p a="1">t<p>in</p><p/></p> <k:p/></r>`, []string{`<p a="1">t<p>in</p><p/></p>`, `<k:p/>`}},
		"outer breaks off":   {edit.Outer("p"), `<r><x><p>1</p><p/></x><y>`, []string{`<p>1</p>`, `<p/>`}},
		"first of one":       {edit.First(edit.Starting("^x", ""), edit.Starting("^y", "")), "a\ny\n", []string{"y"}},
		"first":              {edit.First(edit.Starting("^x", ""), edit.Starting("^y", "")), "x\ny\ny\n", []string{"y", "y"}},
	} {
		pieces := c.cut(c.text)
		if strings.Join(pieces.Parts, "|") != strings.Join(c.want, "|") {
			t.Errorf("%s: %q, want %q", name, pieces.Parts, c.want)
		}
		if got := pieces.Text(); got != c.text {
			t.Errorf("%s: together %q", name, got)
		}
	}
}

// TestListsHaveTheMembersOfTheirObjects has attributes of what half of the objects have, and one that one has.
func TestListsHaveTheMembersOfTheirObjects(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`[{"kind": "a", "n": 1.5, "in": {"x": "y"}}, {"n" : 2, "kind":"b", "rare": true}, {"kind": null, "n": 3}]`: "n=1.5 kind=a x=y",
		"- kind: a # first\n  n: 1\n  x: y\n- n: 2\n  kind: 'b c'\n- n: 3\n":                                       "n=1 kind=a x=y",
	} {
		list := edit.List("list", "element", "elements", edit.First(edit.JSON(), edit.Starting(`^- `, "")))
		adapted := list.Adapt("", text)
		var got []string
		rare, ok := adapted.Rare("x")
		if _, found := adapted.Rare("none"); !ok || found {
			t.Errorf("%s: a member of one object is found: %t, of none: %t", text, ok, found)
		}
		for _, a := range append(adapted.Attributes, rare) {
			got = append(got, a.Name+"="+a.Find.FindStringSubmatch(adapted.Cut(text).Parts[0])[1])
			if a.Number != (a.Name == "n") {
				t.Errorf("%s is a number: %t", a.Name, a.Number)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s has %s, want %s", text, got, want)
		}
	}
}

// TestProposalsDependOnTheSeedAlone has two orders of the same proposals.
func TestProposalsDependOnTheSeedAlone(t *testing.T) {
	t.Parallel()
	names := func(seed uint64) string {
		proposals, err := notes().Propose(vfs.Files{"a.note": notebook}, seed)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, p := range proposals {
			all = append(all, p.Verb.Name())
		}
		return strings.Join(all, " ")
	}
	if a, b := names(1), names(1); a != b {
		t.Errorf("%s\n%s", a, b)
	}
	if a, b := names(1), names(2); a == b {
		t.Errorf("two seeds give %s", a)
	}
}

// FuzzCutters holds that no cutter loses anything of a text.
func FuzzCutters(f *testing.F) {
	f.Add(notebook)
	f.Add("h,i\n1,\"a\nb\"\n")
	f.Add(`{"list": [{"a": 1}, 2]}`)
	f.Add("<r><p/><p>x</p></r>")
	f.Fuzz(func(t *testing.T, text string) {
		for _, cut := range []edit.Cutter{
			edit.Starting(`^\w`, `^-`), edit.Enclosed(`^\w`, `;$`), edit.Records(`^-`), edit.Blocks(""), edit.Rows(), edit.JSON(), edit.XML("p"),
			edit.Lines(), edit.Headed(`^#`, edit.Starting(`^\w`, "")), edit.Within(`^a`, `^b`, edit.Blocks("")), edit.Whole(edit.Blocks("")), edit.Outer("p"),
			edit.Inline(`\w`, `\d`, `;`), edit.Separated(`--`), edit.Statements(0, ";", edit.RestOfLine("#"), edit.Quoted(`"`)), edit.Statements(1, "\n", edit.RestOfLine("#"), edit.Quoted(`"`)),
		} {
			if got := cut(text).Text(); got != text {
				t.Errorf("%q becomes %q", text, got)
			}
		}
	})
}

// TestTablesWithManyColumnsHaveEdits says that columns above the bound do no harm.
func TestTablesWithManyColumnsHaveEdits(t *testing.T) {
	t.Parallel()
	var header, row []string
	for n := range 3000 {
		header, row = append(header, fmt.Sprintf("c%d", n)), append(row, fmt.Sprint(n%7))
	}
	var b strings.Builder
	for _, line := range [][]string{header, row, row, row, row, row} {
		b.WriteString(strings.Join(line, ",") + "\n")
	}
	f := edit.Table("table", "row", "rows")
	f.Patterns = []string{"*.csv"}
	proposals, err := f.Propose(vfs.Files{"wide.csv": b.String()}, 1)
	if err != nil || len(proposals) == 0 {
		t.Errorf("%d proposals, error %v", len(proposals), err)
	}
}
