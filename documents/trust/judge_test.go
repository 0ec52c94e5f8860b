package trust

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/documents/compare"
	"agentd/domains"
	"agentd/internal/fidelity"
)

// relays are n of five round trips, at whose end so much survives and of which so many forward
// edits were carried out.
func relays(n int, survives float64, done int) []Relay {
	return slices.Repeat([]Relay{{Strict: survives, Done: done, Forward: 5}}, n)
}

// measured is an answer about one document with one arm that had those relays. It allows so many
// edits.
func measured(edits int, all ...[]Relay) *Answer { return measuredAll(edits, slices.Concat(all...)) }

// measuredAll is an answer about several documents, each with its relays.
func measuredAll(edits int, documents ...[]Relay) *Answer {
	a := &Answer{Experiment: "run-1"}
	o := Overall{Model: "m", Policy: "agentic", Length: 10, USD: new(0.0)}
	for i, relays := range documents {
		arm := Arm{Model: "m", Policy: "agentic", Planned: max(len(relays), 1), Length: 10, Relays: relays}
		e := Edit{Name: "split_by_day"}
		for k := range relays {
			relays[k].ID = int64(k + 1)
			e.Times, e.Done = e.Times+relays[k].Forward, e.Done+relays[k].Done
		}
		arm.Edits = []Edit{e}
		arm.sum()
		d := Document{Number: i + 1, Path: string(rune('a'+i)) + ".ledger", Domain: "accounting", Element: "transaction", Elements: 12, Arms: []Arm{arm}}
		for k := range edits {
			d.Edits = append(d.Edits, strings.Repeat("x", k+1))
		}
		a.Documents = append(a.Documents, d)
		o.Planned, o.Interactions, *o.USD = o.Planned+arm.Planned, o.Interactions+10*len(relays), *o.USD+0.5*float64(len(relays))
	}
	a.Arms = []Overall{o}
	return a
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	missing := measured(8, relays(40, 100, 5))
	missing.Arms[0].Planned, missing.Documents[0].Arms[0].Planned = 41, 41
	for name, c := range map[string]struct {
		answer *Answer
		under  float64
		want   Verdict
		why    string
	}{
		"thirty edits without a loss":      {measured(8, relays(3, 100, 5)), 98, Unknown, "89.7 to 100 % of the edits keep the document, asked: 98 %"},
		"are enough for less":              {measured(8, relays(3, 100, 5)), 89, Yes, ""},
		"160 edits without a loss":         {measured(8, relays(16, 100, 5)), 98, Unknown, "97.9 to 100 %"},
		"170 edits without a loss":         {measured(8, relays(17, 100, 5)), 98, Yes, ""},
		"170 with losses below the bar":    {measured(8, relays(17, 98, 5)), 98, Yes, ""},
		"170 with losses above the bar":    {measured(8, relays(17, 97.9, 5)), 98, No, "at most"},
		"one loss in 170 edits":            {measured(8, relays(16, 100, 5), relays(1, 0, 5)), 98, Unknown, "% of the edits keep the document"},
		"one loss in 360 edits":            {measured(8, relays(35, 100, 5), relays(1, 0, 5)), 98, Yes, ""},
		"three relays that all lose":       {measured(8, relays(3, 90, 5)), 98, No, "at most 96.9 % of the edits keep the document (the upper end of the interval), asked: 98 %"},
		"four relays are enough for 90":    {measured(8, relays(4, 100, 5)), 90, Yes, ""},
		"one of five keeps it":             {measured(8, relays(1, 100, 5), relays(4, 90, 5)), 98, Unknown, "of the edits keep the document"},
		"one of six keeps it":              {measured(8, relays(1, 100, 5), relays(5, 90, 5)), 98, No, "at most"},
		"one loss in 350 edits":            {measured(8, relays(34, 100, 5), relays(1, 0, 5)), 98, Unknown, ""},
		"one of three loses":               {measured(8, relays(2, 100, 5), relays(1, 90, 5)), 98, Unknown, "of the edits keep the document"},
		"a model that refuses":             {measured(8, relays(3, 100, 0)), 98, No, "0 of 15 forward edits"},
		"one that refuses most":            {measured(8, relays(40, 100, 2)), 50, No, "80 of 200 forward edits"},
		"it refuses, and nothing is asked": {measured(8, relays(3, 100, 0)), 0, No, "0 of 15 forward edits"},
		"it refused one edit":              {measured(8, relays(1, 100, 0)), 0, Unknown, "0 of 5 forward edits were carried out on a.ledger, so what survives says nothing"},
		"an edit not done is no loss less": {measured(8, relays(16, 100, 5), relays(1, 100, 4)), 98, Unknown, "of the edits keep the document"},
		"one of five edits is never done":  {measured(8, relays(17, 100, 4)), 98, No, "at most"},
		"too few edits":                    {measured(2, relays(40, 100, 5)), 98, Unknown, "too few edits are possible on a.ledger (2; 3 are needed)"},
		"no score":                         {measured(8, nil), 0, Unknown, "1 of 1 relays have no score"},
		"a relay is missing":               {missing, 98, Unknown, "1 of 41 relays have no score"},
		"100 % cannot be shown":            {measured(8, relays(500, 100, 5)), 100, Unknown, "of the edits keep the document"},
		"and is refuted by one loss":       {measured(8, relays(500, 100, 5), relays(1, 99, 5)), 100, No, "of the edits keep the document"},
		"no document":                      {&Answer{}, 0, Unknown, ""},
		"documents together":               {measuredAll(8, relays(6, 100, 5), relays(6, 100, 5), relays(6, 100, 5)), 98, Yes, ""},
		"one of many is never kept":        {measuredAll(8, relays(60, 100, 5), relays(60, 100, 5), relays(60, 100, 5), relays(60, 80, 5)), 85, No, "d.ledger: at most"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := c.answer
			a.Judge(Rule{FailUnder: c.under})
			if a.Verdict != c.want || a.Trusted != (c.want == Yes) || a.Passed() != a.Trusted {
				t.Errorf("%s, trusted: %t, passed: %t, want %s", a.Verdict, a.Trusted, a.Passed(), c.want)
			}
			if said := strings.Join(a.doubts(), "; "); !strings.Contains(said, c.why) {
				t.Errorf("%q does not say %q", said, c.why)
			}
			if len(a.Documents) == 1 && a.Documents[0].Arms[0].Verdict != a.Verdict {
				t.Errorf("of its only document: %s", a.Documents[0].Arms[0].Verdict)
			}
		})
	}
}

// What is said to be needed is enough if it goes on in the same way, and less is not. What it
// costs is as much an edit as so far, here 0.05 USD.
func TestWhatAnAnswerTakes(t *testing.T) {
	t.Parallel()
	a := measured(8, relays(3, 100, 5))
	a.Judge(Rule{FailUnder: 98})
	if m := a.Needed; m == nil || m.Repeats != 17 || m.Edits != 140 || math.Abs(*m.USD-7) > 1e-9 {
		t.Fatalf("%+v", m)
	}
	if got, want := a.Needed.String(), "if it goes on like this, 140 more edits will tell (about 7.00 USD): the same command with --repeats 17"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	a = measuredAll(8, relays(2, 100, 5), relays(2, 100, 5), relays(2, 100, 5))
	a.Judge(Rule{FailUnder: 98})
	if m := a.Needed; m == nil || m.Repeats != 6 || m.Edits != 120 {
		t.Errorf("three documents: %+v", m)
	}
	for name, none := range map[string]*Answer{
		"yes": measured(8, relays(17, 100, 5)), "no": measured(8, relays(3, 0, 5)), "too few edits": measured(2, relays(3, 100, 5)), "no score": measured(8, nil),
	} {
		if none.Judge(Rule{FailUnder: 98}); none.Needed != nil {
			t.Errorf("%s: %+v", name, none.Needed)
		}
	}
	unpriced := measured(8, relays(3, 100, 5))
	unpriced.Arms[0].USD = nil
	if unpriced.Judge(Rule{FailUnder: 98}); unpriced.Needed == nil || unpriced.Needed.USD != nil {
		t.Errorf("without a price: %+v", unpriced.Needed)
	}
}

// What survives where an arm did not do its edits says nothing, and is not said.
func TestAnIdleArmHasNoScore(t *testing.T) {
	t.Parallel()
	a := measured(8, relays(3, 100, 0))
	a.Judge(Rule{FailUnder: 98})
	if s := a.Documents[0].Arms[0].Survives; s.Mean != nil || s.Low != nil {
		t.Errorf("%+v", s)
	}
	for _, format := range Formats() {
		var out bytes.Buffer
		if err := a.Write(&out, format); err != nil || strings.Contains(out.String(), "100 % survive") {
			t.Errorf("%s: %v: %s", format, err, out.String())
		}
	}
}

func TestADocumentThatWasNotTestedIsNotTrusted(t *testing.T) {
	t.Parallel()
	a := measured(8, relays(20, 100, 5))
	a.Skipped = []Skipped{{Path: "logo.png", Why: "not a text"}}
	if a.Judge(Rule{FailUnder: 98}); !a.Trusted {
		t.Error("a file that was only found stands against it")
	}
	a.Skipped[0].Asked = true
	if a.Judge(Rule{FailUnder: 98}); a.Verdict != Unknown || a.Passed() {
		t.Errorf("a document without a test: %s", a.Verdict)
	}
}

// With a baseline only what got worse fails.
func TestABaseline(t *testing.T) {
	t.Parallel()
	ended := func(values ...float64) *Answer {
		var all []Relay
		for _, v := range values {
			all = append(all, Relay{Strict: v, Done: 5, Forward: 5})
		}
		return measured(8, all)
	}
	weak := func() *Answer { return ended(80, 82, 84) }
	other := func() *Answer { a := weak(); a.Documents[0].Path = "b.ledger"; return a }
	for name, c := range map[string]struct {
		before, now *Answer
		passed      bool
		verdict     Verdict
	}{
		"as before":                    {weak(), weak(), true, No},
		"better":                       {weak(), ended(90, 91, 92), true, No},
		"a little less, by chance":     {weak(), ended(79, 81, 83), true, No},
		"worse":                        {weak(), ended(60, 62, 64), false, No},
		"worse, and unknown before":    {ended(100, 100, 100, 100, 100, 99.9), ended(99.8, 99.7, 99.8, 99.6, 90, 99.5), false, No},
		"unknown before and now":       {ended(100, 100, 100), ended(100, 100, 99), true, Unknown},
		"trusted before":               {measured(8, relays(20, 100, 5)), weak(), false, No},
		"trusted before, unknown now":  {measured(8, relays(20, 100, 5)), ended(100, 100, 100), false, Unknown},
		"trusted now":                  {weak(), measured(8, relays(20, 100, 5)), true, Yes},
		"fewer edits carried out":      {weak(), measured(8, relays(3, 82, 3)), false, No},
		"without a score":              {weak(), measured(8, nil), false, Unknown},
		"a document that is not in it": {other(), weak(), false, No},
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
			if c.now.Judge(Rule{FailUnder: 98, Baseline: baseline}); c.now.Passed() != c.passed || c.now.Verdict != c.verdict {
				t.Errorf("passed: %t, %s, want %t, %s; %v", c.now.Passed(), c.now.Verdict, c.passed, c.verdict, c.now.doubts())
			}
		})
	}
	for name, text := range map[string]string{"no JSON": "x", "another JSON": `{"sections": {}}`, "another version": `{"documents": [], "trusted": true}`} {
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
	a := measuredAll(8, relays(4, 90, 0), relays(4, 100, 5))
	a.Documents[0].Path = "a|b <script>\x1b[31m.ledger"
	a.Documents[0].Arms[0].Changes = []Tally{{"lost", "transaction", 3}, {"changed", "amount", 9}, {"added", "line", 1}}
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
	if err := json.Unmarshal([]byte(written["json"]), &back); err != nil || back.Verdict != No || back.Documents[0].Path != a.Documents[0].Path {
		t.Errorf("%v: %+v", err, back)
	}
	var suites compare.Suites
	if err := xml.Unmarshal([]byte(written["junit"]), &suites); err != nil || suites.Tests != 5 || suites.Failures != 3 || suites.Suites[3].Skipped != 1 || suites.Suites[2].Cases[0].Failure.Type != string(No) {
		t.Errorf("%v: %+v", err, suites)
	}
	if !strings.Contains(written["markdown"], `| a&#124;b &#60;script&#62;`) || strings.Contains(written["markdown"], "<script>") {
		t.Errorf("markdown: %s", written["markdown"])
	}
	for _, said := range []string{"in 4 relays: lost 3 transactions, changed 9 amounts, added 1 line — agentd trust show 1", "0 of 20 forward edits carried out", "agentic on all 2 documents: 4 of 8 relays keep 98 %", "Verdict: not without review (asked: 98 %)", "y.ledger: not tested: no edits"} {
		if !strings.Contains(written["text"], said) {
			t.Errorf("nothing says %q: %s", said, written["text"])
		}
	}
}

func TestNumbersAreSaidInWords(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"1 entry": counted(1, "entry"), "2 entries": counted(2, "entry"), "3 days": counted(3, "day"), "0 boxes": counted(0, "box"),
		"changed 2 values of tags.owners": Tally{"changed", "tags.owners", 2}.String(), "lost 1 value of tags.owners": Tally{"lost", "tags.owners", 1}.String(),
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
		"within what is left of the budget": {Cost{Interactions: 90, USD: 3}.rest(70, 90, 1.3), Consent{Budget: &two}, true, 0},
		"above what is left of the budget":  {Cost{Interactions: 90, USD: 3}.rest(60, 90, 1.3), Consent{Budget: &two}, false, 0},
		"all is done":                       {Cost{Interactions: 90, USD: 3}.rest(90, 90, 9), Consent{}, true, 0},
		"asked, no":                         {Cost{Interactions: 9, USD: 1}, Consent{Ask: answers(false)}, false, 1},
	} {
		asked = 0
		if err := c.cost.Agree(c.by); (err == nil) != c.ok || asked != c.asks {
			t.Errorf("%s: %v, asked %d times", name, err, asked)
		}
	}
}

// Relays that all fail say nothing of how many of their edits were right.
func TestALineGivesNoRateWhereNoRelayKeepsTheDocument(t *testing.T) {
	t.Parallel()
	rate, low, high := 0.0, 0.0, 97.6
	k := Keeps{Relays: 3, Rate: &rate, Low: &low, High: &high}
	if got, want := k.line(98), "none of 3 relays keeps 98 %, per edit at most 97.6 % (95 %)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	k.Kept, rate = 1, 89.5
	if got, want := k.line(98), "1 of 3 relays keep 98 %, per edit 89.5 % (95 %: 0–97.6)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What survives is the number that progress and tables show, but 100 is shown of what is whole alone.
func TestWhatSurvivesIsRoundedAsInTables(t *testing.T) {
	t.Parallel()
	for mean, want := range map[float64]string{87.75: "87.8 % survive", 87.74: "87.7 % survive", 90: "90 % survive", 99.97: "99.9 % survive", 100: "100 % survive"} {
		if got := (Survival{Mean: &mean}).String(); got != want {
			t.Errorf("%v: %q, want %q", mean, got, want)
		}
	}
}

// Who is asked to pay for what cannot end in a yes is told so, before the cost.
func TestTheQuestionSaysWhatTheAnswerCanBe(t *testing.T) {
	t.Parallel()
	for onlyNo, want := range map[string]string{
		"":                     "This takes 9 edits",
		"9 edits never do so.": "9 edits never do so. This takes 9 edits",
	} {
		var question string
		cost := Cost{Interactions: 9, USD: 1, OnlyNo: onlyNo}
		if err := cost.Agree(Consent{Ask: func(q string) bool { question = q; return true }}); err != nil || !strings.HasPrefix(question, want) {
			t.Errorf("%v: %q", err, question)
		}
	}
}

// What the relays of all arms changed is added up, and the worst kind is said first.
func TestChangesOfADocument(t *testing.T) {
	t.Parallel()
	d := Document{Arms: []Arm{
		{Relays: []Relay{{Strict: 90}}, Changes: []Tally{{"changed", "date", 2}, {"added", "line", 1}}},
		{Relays: []Relay{{Strict: 80}}, Changes: []Tally{{"changed", "date", 3}, {"lost", "transaction", 1}}},
	}}
	if got, want := d.changes(), "in 2 relays: lost 1 transaction, changed 5 dates, added 1 line"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	unread := Document{Arms: []Arm{{Relays: []Relay{{Strict: 0}}}}}
	if got := unread.changes(); !strings.Contains(got, "can no longer be read") {
		t.Errorf("%q", got)
	}
}

// A field that is gone of an element that stays is lost, by its own name.
func TestFieldsThatAreLost(t *testing.T) {
	t.Parallel()
	var a Arm
	gone := domains.Review{
		Differences: []domains.Difference{{Kind: domains.Changed, Gone: true}, {Kind: domains.Lost}},
		Parts:       []domains.Part{{Element: "row", Field: "Price"}, {Element: "row"}},
	}
	for _, d := range compare.DifferencesOf(gone) {
		a.count(d)
	}
	if diff := cmp.Diff([]Tally{{"lost", "price", 1}, {"lost", "row", 1}}, a.Changes); diff != "" {
		t.Error(diff)
	}
}

// What relays ended with is counted over all arms: lost form, then what is dangerous, then bytes; the most frequent first.
func TestFindingsOfADocument(t *testing.T) {
	t.Parallel()
	ends := &fidelity.Kept{Changes: []fidelity.Change{{File: "a", What: fidelity.LineEnds, Was: "CRLF", Is: "LF"}}}
	const comma = "line 3: a comma is missing"
	d := Document{Arms: []Arm{
		{Relays: []Relay{{Warnings: []string{"b is open"}, Bytes: ends}, {Warnings: []string{"a is open", "b is open"}, Broken: []string{comma, comma}}}},
		{Relays: []Relay{{Bytes: ends}, {Warnings: []string{"c is open"}}}},
	}}
	want := []string{
		"broken: line 3: a comma is missing (in 1 of 4 relays)",
		"careful: b is open (in 2 of 4 relays)", "careful: a is open (in 1 of 4 relays)", "careful: c is open (in 1 of 4 relays)",
		"bytes: CRLF -> LF (in 2 of 4 relays)",
	}
	if diff := cmp.Diff(want, d.findings()); diff != "" {
		t.Error(diff)
	}
	first := &d.Arms[0].Relays[0]
	first.Warnings = append(first.Warnings, "d", "e", "f", "g", "h")
	if got := d.findings(); len(got) != 1+mostFindings+1+1 || got[1+mostFindings] != "careful: and 3 more" {
		t.Errorf("%q", got)
	}
	answer := Answer{Documents: []Document{d}}
	var text, markdown strings.Builder
	answer.Text(&text)
	answer.markdown(&markdown)
	for _, said := range []string{text.String(), markdown.String()} {
		if !strings.Contains(said, "broken: line 3: a comma is missing ") || !strings.Contains(said, "bytes: CRLF ") {
			t.Error(said)
		}
	}
}

// A document that its tools cannot read any more is not kept, however much of it survives, and is worth nothing next to a baseline.
func TestABrokenDocumentIsNotKept(t *testing.T) {
	t.Parallel()
	whole := Relay{Strict: 100, Done: 5, Forward: 5}
	broken := whole
	broken.Broken = []string{"the end is missing"}
	if !whole.keeps(98) || broken.keeps(98) {
		t.Errorf("kept: whole %v, broken %v", whole.keeps(98), broken.keeps(98))
	}
	arm := Arm{Planned: 20, Length: 10, Relays: slices.Repeat([]Relay{broken}, 20)}
	arm.judge(arm.Relays, arm.Planned, bar{98, 10, evidence})
	if arm.Verdict != No {
		t.Errorf("20 broken documents: %s", arm.Verdict)
	}
	if got := worth(&Arm{Relays: []Relay{whole, broken}}); !slices.Equal(got, []float64{100, 0}) {
		t.Errorf("worth %v", got)
	}
}
