package edit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/edit"
	"agentd/vfs"
)

// bills is a format for tests: parts are lines with a day, a payee and what was paid.
func bills() *edit.Format {
	return &edit.Format{
		Document: "list", Part: "bill", Parts: "bills", Patterns: []string{"*.bills"}, Cut: edit.Starting(`^\d`, ""),
		Attributes: []edit.Attribute{
			edit.Has("day", "days", `^(\d{4}-\d\d-\d\d)`), edit.Has("time", "times", ` (\d*:?\d*:?\d+) @`), edit.Has("payee", "payees", ` @(\w+)`),
			edit.HasNumber("amount", "amounts", ` ([$€]\S+|\d\S* k?m)`), edit.Has("remark", "remarks", `# (.+)$`), edit.HasEach("part of an amount", "parts of amounts", ` ([$€]\S+)`, `\d+`), edit.Has("refers to", "references", `>(\w+)`),
			edit.ComputedNumber("length", "lengths", func(part string) string { return fmt.Sprint(len(part)) }),
			edit.Computed("second payee", "second payees", func(part string) string {
				if _, after, _ := strings.Cut(part, ">"); after != "" {
					return after[:1]
				}
				return ""
			}),
		},
	}
}

const paid = `Bills of May.

2024-05-03 7:02:00 @ann $1,875.00
# first
2024-05-01 10:30:00 @bob $-20.50 >ann

2024-05-03 25:24:00 @ann $950.10

# second
2024-04-30 06:00:00 @cy 12.0 km
`

// TestVerbs looks at what each verb makes, and that all lead back to the byte.
func TestVerbs(t *testing.T) {
	t.Parallel()
	by := func(m edit.Map) *edit.Map { return &m }
	for name, c := range map[string]struct {
		verb edit.Verb
		file string // of the forward step
		want string // in it
	}{
		"cases": {edit.Verb{SplitInto: []edit.Case{
			{File: "both.bills", If: edit.Condition{{"amount": {"above 1000 or below -10"}, "payee": {"is ann"}}}, Reason: "both"},
			{File: "big.bills", If: edit.Condition{{"amount": {"below 0"}}, {"day": {"before 2024-05-01"}}}, Reason: "one"},
			{File: "rest.bills"},
		}, Table: "why.csv"}, "why.csv", "position,file,reason\n1,both.bills,both\n2,big.bills,one\n3,rest.bills,\n4,big.bills,one\n"},
		"no rest":          {edit.Verb{SplitInto: []edit.Case{{File: "ann.bills", If: edit.Condition{{"payee": {"begins with a", "is x"}}}}}, Table: "o.csv"}, "o.csv", "position,file\n1,ann.bills\n2,other.bills\n"},
		"own gap":          {edit.Verb{SplitBy: "payee", Files: "of_{}.bills", Table: "o.csv"}, "of_ann.bills", "# first\n2024-05-03 25:24:00 @ann $950.10\n\n# second\n"},
		"two keys":         {edit.Verb{SortBy: edit.Several[string]{"day as time descending", "time as time descending"}, Table: "o.csv"}, "o.csv", "line,position\n1,3\n2,1\n3,2\n4,4\n"},
		"computed":         {edit.Verb{SortBy: edit.Several[string]{"length"}, Table: "o.csv"}, "o.csv", "1,4\n"},
		"number":           {edit.Verb{SortBy: edit.Several[string]{"amount"}, Table: "o.csv"}, "o.csv", "1,2\n2,4\n3,3\n4,1\n"},
		"references":       {edit.Verb{Register: "payee", Code: "P", Also: map[string]edit.Several[string]{"a.bills": {"refers to"}, "b.bills": {"payee"}}, Table: "c.csv"}, "a.bills", "@P2 $-20.50 >P1"},
		"references apart": {edit.Verb{Register: "payee", Code: "P", Also: map[string]edit.Several[string]{"b.bills": {"payee"}}, Table: "c.csv"}, "b.bills", "@P3 $1\n1 @dee $2"},
		"elements":         {edit.Verb{Register: "part of an amount", Code: "G", Table: "c.csv"}, "a.bills", "@ann $G1,G2.G3\n"},
		"new names":        {edit.Verb{Register: "payee", Code: "P", Also: map[string]edit.Several[string]{"b.bills": {"payee"}}, Table: "c.csv", To: "*_coded.bills"}, "b_coded.bills", "@P3 $1"},
		"taken out":        {edit.Verb{Aside: "remark", Leave: "nothing", Table: "r.csv", To: "bare.bills"}, "r.csv", "position,line,text\n1,2,# first\n3,2,\n3,3,# second\n"},
		"what stays":       {edit.Verb{Aside: "remark", Leave: "nothing", Table: "r.csv"}, "a.bills", "$1,875.00\n2024-05-01"},
		"scale":            {edit.Verb{Rewrite: edit.Several[string]{"amount"}, By: by(edit.Map{Scale: "0.9217", Decimals: "2 to 4", Unit: "$ to €"}), To: "eur.bills"}, "eur.bills", "@ann €1,728.1875\n# first\n2024-05-01 10:30:00 @bob €-18.8949 >ann\n\n2024-05-03 25:24:00 @ann €875.7072"},
		"unit after":       {edit.Verb{Rewrite: edit.Several[string]{"amount"}, By: by(edit.Map{Scale: "1000", Decimals: "1 to 0", Unit: "km to m"})}, "a.bills", "@cy 12000 m\n"},
		"shift":            {edit.Verb{Rewrite: edit.Several[string]{"amount"}, By: by(edit.Map{Shift: "-1.5"})}, "a.bills", "@ann $1,873.50\n"},
		"rounded":          {edit.Verb{Rewrite: edit.Several[string]{"amount"}, By: by(edit.Map{Decimals: "2 to 0", Unit: "$ to $"}), Table: "odd.csv"}, "odd.csv", "position,attribute,place,text\n2,amount,1,$-20.50\n3,amount,1,$950.10\n"},
		"clock":            {edit.Verb{Rewrite: edit.Several[string]{"time"}, By: by(edit.Map{Clock: "-1h30m"}), Table: "odd.csv"}, "a.bills", "05-03 05:32:00 @ann"},
		"odd clock":        {edit.Verb{Rewrite: edit.Several[string]{"time"}, By: by(edit.Map{Clock: "-1h30m"}), Table: "odd.csv"}, "odd.csv", "text\n1,time,1,7:02:00\n"},
		"days":             {edit.Verb{Rewrite: edit.Several[string]{"day"}, By: by(edit.Map{Clock: "-30d"})}, "a.bills", "2024-03-31 06:00:00"},
		"layout":           {edit.Verb{Rewrite: edit.Several[string]{"time", "day"}, By: by(edit.Map{Layout: "YYYY-MM-DD to YYYY-DD-MM"})}, "a.bills", "2024-30-04 06:00:00"},
		"seconds":          {edit.Verb{Rewrite: edit.Several[string]{"time"}, By: by(edit.Map{Layout: "hh:mm:ss to :ss"}), Table: "odd.csv"}, "odd.csv", "4,time,1,06:00:00\n"},
		"short hours":      {edit.Verb{Rewrite: edit.Several[string]{"time"}, By: by(edit.Map{Layout: "h:mm:ss to seconds"})}, "a.bills", "05-03 25320 @ann"},
		"note below":       {edit.Verb{Note: "length", As: "    ({} characters)"}, "a.bills", "km\n    (31 characters)\n"},
		"note above":       {edit.Verb{Note: "second payee", As: "see {}", Place: edit.Above}, "a.bills", "# first\nsee a\n2024-05-01"},
		"note inside":      {edit.Verb{Note: "length", As: "is {}", Place: edit.Inside}, "a.bills", "$1,875.00\nis 41\n# first\n"},
		"note at the end":  {edit.Verb{Note: "length", As: " ; {}", Place: edit.End}, "a.bills", "$1,875.00 ; 41\n# first\n"},
		"totals":           {edit.Verb{SplitBy: "payee", Table: "o.csv", Totals: &edit.Totals{By: "payee", Of: edit.Several[string]{"amount"}, To: "sums.csv"}}, "sums.csv", "payee,count,amount\nann,2,2825.10\nbob,1,-20.50\ncy,1,12.0\n"},
		"columns":          {edit.Verb{Convert: edit.AsTable, Columns: edit.Several[string]{"payee", "length"}, To: "n.csv"}, "n.csv", "row,payee,length,text\nbefore,,,\"Bills of May.\n\n\"\nbill,ann,41,"},
		"own gaps":         {edit.Verb{Convert: edit.AsTable, Columns: edit.Several[string]{"payee"}, To: "n.csv"}, "n.csv", ">ann\nbetween,,\"\n\n\"\nbill,ann"},
		"wiki":             {edit.Verb{Convert: edit.AsMarkdown, To: "n.md"}, "n.md", "## bill 2\n"},
		"json":             {edit.Verb{Convert: edit.AsJSON, To: "n.json"}, "n.json", `"between": "\n\n"`},
		"tree":             {edit.Verb{Convert: edit.AsTree, To: "n.json"}, "n.json", "[\n  \"Bills of May.\",\n"},
		"trees":            {edit.Verb{Convert: edit.AsTree, Document: "*.bills", To: "n.json"}, "n.json", "  \"b.bills\": [\n    \"1 @cy $1\",\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.verb.Document == "" {
				c.verb.Document = "a.bills"
			}
			program, err := bills().Program(c.verb)
			if err != nil {
				t.Fatal(err)
			}
			seed := vfs.Files{"a.bills": paid, "b.bills": "1 @cy $1\n1 @dee $2\n"}
			there, err := program.Forward(seed)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(there[c.file], c.want) {
				t.Errorf("%s has\n%s\nwant in it\n%s", c.file, there[c.file], c.want)
			}
			if back, err := program.Backward(there); err != nil || !back.Equal(seed) {
				t.Errorf("back: %q, %v", back, err)
			}
		})
	}
}

// TestWhatIsWrongWithAVerb is said with the names that there are.
func TestWhatIsWrongWithAVerb(t *testing.T) {
	t.Parallel()
	ifAmount := func(test string) edit.Verb {
		return edit.Verb{SplitInto: []edit.Case{{File: "x", If: edit.Condition{{"amount": {test}}}}}, Table: "t"}
	}
	for want, v := range map[string]edit.Verb{
		"it has day, time, payee":                           {SplitBy: "colour", Table: "t"},
		"does not begin with one of above, below, at least": ifAmount("over 10"),
		`above: "much" is no number`:                        ifAmount("above much"),
		`before: "noon" is no date or time`:                 ifAmount("is 1 or before noon"),
		"follows what takes nothing":                        ifAmount("missing x"),
		"gets nothing":                                      {SplitInto: []edit.Case{{File: "x"}, {File: "y"}}, Table: "t"},
		"file must be set":                                  {SplitInto: []edit.Case{{}}, Table: "t"},
		"of a bill is computed":                             {Register: "length", Code: "L", Table: "t"},
		"by must be set":                                    {Rewrite: edit.Several[string]{"time"}},
		"or of clock and layout":                            {Rewrite: edit.Several[string]{"time"}, By: &edit.Map{Scale: "2", Clock: "1h"}},
		"unit must be like":                                 {Rewrite: edit.Several[string]{"amount"}, By: &edit.Map{Unit: "km"}},
		"no length of time":                                 {Rewrite: edit.Several[string]{"time"}, By: &edit.Map{Clock: "soon"}},
		"has none of YYYY":                                  {Rewrite: edit.Several[string]{"time"}, By: &edit.Map{Layout: "a to b"}},
		`scale "0" is no decimal number to use`:             {Rewrite: edit.Several[string]{"amount"}, By: &edit.Map{Scale: "0"}},
		"as must be one line":                               {Note: "length", As: "x"},
		"place must be below":                               {Note: "length", As: "{}", Place: "left"},
		"totals: by and to":                                 {Reverse: true, Totals: &edit.Totals{By: "payee"}},
		"it leaves several files":                           {SplitEvery: 2, To: "x"},
		"files must have {}":                                {SplitBy: "payee", Files: "x", Table: "t"},
		"leave must be number or nothing":                   {Aside: "remark", Leave: "x", Code: "X", Table: "t"},
		"it has bills":                                      {Reverse: true, Parts: "words"},
	} {
		v.Document = "a.bills"
		if _, err := bills().Program(v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", v, err, want)
		}
	}
}

// TestEditsThatWouldNotLeadBackAreRefused has documents that a verb cannot take.
func TestEditsThatWouldNotLeadBackAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		verb edit.Verb
		text string
	}{
		"a note that is there":   {edit.Verb{Note: "length", As: "({})"}, paid + "(x)\n"},
		"values without a table": {edit.Verb{Rewrite: edit.Several[string]{"time"}, By: &edit.Map{Clock: "1h"}}, paid},
		"two values of a name":   {edit.Verb{SplitBy: "payee", Files: "b.{}", Table: "b.ann"}, paid},
	} {
		c.verb.Document = "a.bills"
		program, err := bills().Program(c.verb)
		if err != nil {
			t.Fatal(err)
		}
		if there, err := program.Forward(vfs.Files{"a.bills": c.text}); !errors.Is(err, edit.ErrInexact) {
			t.Errorf("%s: %q, %v", name, there, err)
		}
	}
}

// TestVerbsLeadBackFromAnyDocument holds that what a verb makes of any document leads back to the
// byte, or that the verb refuses the document.
func TestVerbsLeadBackFromAnyDocument(t *testing.T) {
	t.Parallel()
	line := rapid.OneOf(
		rapid.StringMatching(`20\d\d-[01]\d-[0-3]\d [0-2]?\d:\d\d:\d\d @(ann|bob|cy) \$-?\d{1,4}(\.\d\d)?( >ann)?`),
		rapid.StringMatching(`# [a-z ]{0,8}`), rapid.Just(""), rapid.StringMatching(`\d @[ab] .{0,6}`),
	)
	text := rapid.Custom(func(t *rapid.T) string {
		end := rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "line end")
		return strings.Join(rapid.SliceOfN(line, 1, 12).Draw(t, "lines"), end) + rapid.SampledFrom([]string{end, "", end + end}).Draw(t, "end")
	})
	names := edit.Several[string]{"amount", "time"}
	verbs := []edit.Verb{
		{SplitBy: "payee", Table: "t.csv"}, {SplitEvery: 2}, {SplitBy: "payee", Only: "ann", Table: "t.csv", Totals: &edit.Totals{By: "day", To: "s.csv"}},
		{SplitInto: []edit.Case{{File: "x.bills", If: edit.Condition{{"amount": {"above 100"}}, {"remark": {"missing"}}}}}, Table: "t.csv"},
		{SortBy: edit.Several[string]{"payee descending", "amount"}, Table: "t.csv"}, {Reverse: true},
		{Register: "payee", Code: "P", Also: map[string]edit.Several[string]{"a.bills": {"refers to"}}, Table: "t.csv"},
		{Aside: "remark", Code: "R", Table: "t.csv"}, {Aside: "remark", Leave: "nothing", Table: "t.csv"},
		{AddTo: "amount", Amount: "1.5", Table: "t.csv"},
		{Rewrite: names, By: &edit.Map{Scale: "0.9217", Decimals: "2 to 4"}, Table: "t.csv", To: "x.bills"}, {Rewrite: names, By: &edit.Map{Scale: "0.3", Shift: "-7"}, Table: "t.csv"},
		{Rewrite: names, By: &edit.Map{Clock: "-95m"}, Table: "t.csv"}, {Rewrite: names, By: &edit.Map{Layout: "hh:mm:ss to seconds"}, Table: "t.csv"},
		{Note: "length", As: "={}="}, {Note: "length", As: "={}=", Place: edit.End}, {Note: "length", As: "={}=", Place: edit.Inside}, {Note: "length", As: "={}=", Place: edit.Above},
		{Convert: edit.AsJSON, To: "c"}, {Convert: edit.AsTable, To: "c", Columns: names}, {Convert: edit.AsMarkdown, To: "c"}, {Convert: edit.AsTree, To: "c"},
	}
	for _, v := range verbs {
		v.Document = "a.bills"
		program, err := bills().Program(v)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(fmt.Sprintf("%s %+v", v, v.By), func(t *testing.T) {
			t.Parallel()
			accepted := 0
			rapid.Check(t, func(t *rapid.T) {
				seed := vfs.Files{"a.bills": text.Draw(t, "text"), "b": "stays"}
				there, err := program.Forward(seed)
				if err != nil {
					return
				}
				accepted++
				if back, err := program.Backward(there); err != nil || !back.Equal(seed) {
					t.Fatalf("back: %q, %v", back, err)
				}
			})
			if accepted == 0 {
				t.Error("no document is accepted")
			}
		})
	}
}
