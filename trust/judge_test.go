package trust

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// measured is an answer about one document with one arm: how much survived in each relay, and
// how many of the forward edits were carried out.
func measured(done, forward, edits int, survives ...float64) *Answer {
	arm := Arm{Model: "m", Policy: "agentic", Planned: max(len(survives), 1), Length: 10, Done: done}
	for i, s := range survives {
		arm.Relays = append(arm.Relays, Relay{ID: int64(i + 1), Survives: s})
	}
	arm.Edits = []Edit{{Name: "split_by_day", Times: forward, Done: done}}
	arm.sum()
	arm.Done, arm.Forward = done, forward
	d := Document{Number: 1, Path: "a.ledger", Domain: "accounting", Element: "transaction", Elements: 12, Arms: []Arm{arm}}
	for i := range edits {
		d.Edits = append(d.Edits, strings.Repeat("x", i+1))
	}
	return &Answer{Experiment: "run-1", Documents: []Document{d}}
}

func TestWhoIsTrusted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer  *Answer
		under   float64
		trusted bool
		why     string
	}{
		"all survives":                      {measured(15, 15, 8, 100, 100, 100), 98, true, ""},
		"the lower bound is enough":         {measured(15, 15, 8, 99, 99.1, 99), 98, true, ""},
		"the mean is enough, its bound not": {measured(15, 15, 8, 100, 100, 96), 98, false, "the lower bound is 92.9 %, asked: 98 %"},
		"less was asked for":                {measured(15, 15, 8, 100, 100, 96), 90, true, ""},
		"a model that refuses":              {measured(0, 15, 8, 100, 100, 100), 98, false, "0 of 15 forward edits"},
		"it refuses now and then":           {measured(14, 15, 8, 100, 100, 100), 98, false, "14 of 15 forward edits"},
		"95 % of the edits are enough":      {measured(19, 20, 8, 100, 100, 100), 98, true, ""},
		"nothing was asked":                 {measured(0, 0, 8, 100, 100, 100), 0, false, "0 of 0"},
		"too few edits":                     {measured(15, 15, 2, 100, 100, 100), 98, false, "too few edits"},
		"no score":                          {measured(15, 15, 8), 0, false, "1 of 1 relays have no score"},
		"one relay":                         {measured(15, 15, 8, 100), 98, false, "one relay has no interval"},
		"no document":                       {&Answer{}, 0, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.answer.Judge(Rule{FailUnder: c.under})
			if c.answer.Trusted != c.trusted || c.answer.Passed() != c.trusted {
				t.Errorf("trusted: %t, passed: %t, want %t", c.answer.Trusted, c.answer.Passed(), c.trusted)
			}
			if said := strings.Join(c.answer.doubts(), "; "); !strings.Contains(said, c.why) {
				t.Errorf("%q does not say %q", said, c.why)
			}
		})
	}
}

func TestADocumentThatWasNotTestedIsNotTrusted(t *testing.T) {
	t.Parallel()
	a := measured(15, 15, 8, 100, 100)
	a.Skipped = []Skipped{{Path: "logo.png", Why: "not a text"}}
	if a.Judge(Rule{FailUnder: 98}); !a.Trusted {
		t.Error("a file that was only found stands against it")
	}
	a.Skipped[0].Asked = true
	if a.Judge(Rule{FailUnder: 98}); a.Trusted || a.Passed() {
		t.Error("a document without a test is trusted")
	}
}

// With a baseline only what got worse fails.
func TestABaseline(t *testing.T) {
	t.Parallel()
	weak := func() *Answer { return measured(15, 15, 8, 80, 82, 84) }
	other := func() *Answer { a := weak(); a.Documents[0].Path = "b.ledger"; return a }
	for name, c := range map[string]struct {
		before, now *Answer
		passed      bool
	}{
		"as before":                      {weak(), weak(), true},
		"better":                         {weak(), measured(15, 15, 8, 90, 91, 92), true},
		"a little less, in the interval": {weak(), measured(15, 15, 8, 79, 81, 83), true},
		"worse":                          {weak(), measured(15, 15, 8, 60, 62, 64), false},
		"trusted before":                 {measured(15, 15, 8, 100, 100, 100), weak(), false},
		"trusted now":                    {weak(), measured(15, 15, 8, 100, 100, 100), true},
		"fewer edits carried out":        {weak(), measured(10, 15, 8, 80, 82, 84), false},
		"without a score":                {weak(), measured(15, 15, 8), false},
		"a document that is not in it":   {other(), weak(), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.before.Judge(Rule{FailUnder: 98})
			file := filepath.Join(t.TempDir(), "before.json")
			var text bytes.Buffer
			if err := c.before.Write(&text, "json"); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			baseline, err := ReadBaseline(file)
			if err != nil {
				t.Fatal(err)
			}
			if c.now.Judge(Rule{FailUnder: 98, Baseline: baseline}); c.now.Passed() != c.passed {
				t.Errorf("passed: %t, want %t; %v", c.now.Passed(), c.passed, c.now.doubts())
			}
		})
	}
	for name, text := range map[string]string{"no JSON": "x", "another JSON": `{"sections": {}}`} {
		file := filepath.Join(t.TempDir(), "x.json")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadBaseline(file); err == nil {
			t.Errorf("%s is a baseline", name)
		}
	}
}

// Names that others chose stay names in every format.
func TestFormats(t *testing.T) {
	t.Parallel()
	a := measured(0, 15, 8, 100, 90)
	a.Documents[0].Path = "a|b <script>\x1b[31m.ledger"
	a.Documents[0].Arms[0].Changes = []Change{{"lost", "transaction", 3}, {"changed", "amount", 9}, {"added", "line", 1}}
	a.Skipped = []Skipped{{Path: "x.png", Why: "not a text"}, {Path: "y.ledger", Why: "no edits", Asked: true}}
	a.Judge(Rule{FailUnder: 98})
	written := map[string]string{}
	for _, format := range Formats() {
		var out bytes.Buffer
		if err := a.Write(&out, format); err != nil {
			t.Fatal(err)
		}
		if written[format] = out.String(); strings.Contains(out.String(), "\x1b") {
			t.Errorf("%s: a control character is written as it is", format)
		}
	}
	var back Answer
	if err := json.Unmarshal([]byte(written["json"]), &back); err != nil || back.Trusted || back.Documents[0].Path != a.Documents[0].Path {
		t.Errorf("%v: %+v", err, back)
	}
	var suites testSuites
	if err := xml.Unmarshal([]byte(written["junit"]), &suites); err != nil || suites.Tests != 3 || suites.Failures != 2 || suites.Suites[1].Skipped != 1 {
		t.Errorf("%v: %+v", err, suites)
	}
	if !strings.Contains(written["markdown"], `| a\|b &lt;script>`) || strings.Contains(written["markdown"], "<script>") {
		t.Errorf("markdown: %s", written["markdown"])
	}
	for _, said := range []string{"in 2 relays: lost 3 transactions, changed 9 amounts, added 1 line — agentd trust show 1", "0 of 15 forward edits carried out", "Verdict: not without review (asked: 98 %)", "y.ledger: not tested: no edits"} {
		if !strings.Contains(written["text"], said) {
			t.Errorf("nothing says %q: %s", said, written["text"])
		}
	}
}

func TestNumbersAreSaidInWords(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"1 entry": counted(1, "entry"), "2 entries": counted(2, "entry"), "3 days": counted(3, "day"), "0 boxes": counted(0, "box"),
		"2 branches": counted(2, "branch"), "2 tags": counted(2, "tags"), "2 parts": counted(2, ""),
		"100": percent(100), "99.9": percent(99.99), "97.1": percent(97.1), "98": percent(98.04),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestConsent(t *testing.T) {
	t.Parallel()
	asked := 0
	answers := func(yes bool) func(string) bool { return func(string) bool { asked++; return yes } }
	two := 2.0
	for name, c := range map[string]struct {
		cost Cost
		by   Consent
		ok   bool
		asks int
	}{
		"nothing to pay":                    {Cost{}, Consent{}, true, 0},
		"no terminal":                       {Cost{Interactions: 9, USD: 1}, Consent{}, false, 0},
		"yes":                               {Cost{Interactions: 9, USD: 1}, Consent{Yes: true}, true, 0},
		"within the budget":                 {Cost{Interactions: 9, USD: 1}, Consent{Budget: &two}, true, 0},
		"above the budget":                  {Cost{Interactions: 9, USD: 3}, Consent{Budget: &two}, false, 0},
		"above the budget, with a terminal": {Cost{Interactions: 9, USD: 3}, Consent{Budget: &two, Ask: answers(true)}, true, 1},
		"no price":                          {Cost{Interactions: 9, Unknown: []string{"m"}}, Consent{Budget: &two}, false, 0},
		"asked, no":                         {Cost{Interactions: 9, USD: 1}, Consent{Ask: answers(false)}, false, 1},
	} {
		asked = 0
		if err := c.cost.Agree(c.by); (err == nil) != c.ok || asked != c.asks {
			t.Errorf("%s: %v, asked %d times", name, err, asked)
		}
	}
}

// What the relays of all arms changed is added up, and the worst kind is said first.
func TestChangesOfADocument(t *testing.T) {
	t.Parallel()
	d := Document{Arms: []Arm{
		{Relays: []Relay{{Survives: 90}}, Changes: []Change{{"changed", "date", 2}, {"added", "line", 1}}},
		{Relays: []Relay{{Survives: 80}}, Changes: []Change{{"changed", "date", 3}, {"lost", "transaction", 1}}},
	}}
	if got, want := d.changes(), "in 2 relays: lost 1 transaction, changed 5 dates, added 1 line"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	unread := Document{Arms: []Arm{{Relays: []Relay{{Survives: 0}}}}}
	if got := unread.changes(); !strings.Contains(got, "can no longer be read") {
		t.Errorf("%q", got)
	}
}

// What is dangerous at the end of relays is counted over all arms, the most frequent first.
func TestWarningsOfADocument(t *testing.T) {
	t.Parallel()
	d := Document{Arms: []Arm{
		{Relays: []Relay{{Warnings: []string{"b is open"}}, {Warnings: []string{"a is open", "b is open"}}}},
		{Relays: []Relay{{}, {Warnings: []string{"c is open"}}}},
	}}
	want := []string{"b is open (in 2 of 4 relays)", "a is open (in 1 of 4 relays)", "c is open (in 1 of 4 relays)"}
	if got := d.warnings(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	first := &d.Arms[0].Relays[0]
	first.Warnings = append(first.Warnings, "d", "e", "f", "g", "h")
	if got := d.warnings(); len(got) != mostWarnings+1 || got[mostWarnings] != "and 3 more" {
		t.Errorf("%q", got)
	}
	var text strings.Builder
	(&Answer{Documents: []Document{d}}).Text(&text)
	if !strings.Contains(text.String(), "\n  careful: b is open (in 2 of 4 relays)\n") {
		t.Error(text.String())
	}
}
