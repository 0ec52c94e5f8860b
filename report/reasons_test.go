package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/internal/layout"
	"agentd/policies"
	"agentd/results"
)

// tooLong is an interaction whose model takes 8,192 tokens.
func tooLong(tokens int) results.Interaction {
	return results.Interaction{
		Failure: string(policies.ModelError), Unscored: results.ServiceFault,
		Detail: fmt.Sprintf("model m: context too long: status 400 Bad Request: This model's maximum context length is 8192 tokens. However, your messages resulted in %d tokens.", tokens),
	}
}

func because(reason policies.Reason, detail string) results.Interaction {
	return results.Interaction{Failure: string(reason), Detail: detail}
}

func TestReasonsAreGrouped(t *testing.T) {
	t.Parallel()
	lost := because(policies.MissingTarget, "a.csv")
	other := because(policies.MissingTarget, "b.csv, c.csv")
	key := func(name string) results.Interaction {
		return because(policies.CommandFailure, "exit code 1; KeyError: '"+name+"'")
	}
	for name, c := range map[string]struct {
		all  []results.Interaction
		want []string
	}{
		"none":                               {[]results.Interaction{{}, {Executed: to(true)}}, nil},
		"names of files are one":             {[]results.Interaction{lost, {}, other}, []string{"2 × missing target"}},
		"the most frequent comes first":      {[]results.Interaction{because(policies.StrayFile, "x"), lost, lost}, []string{"2 × missing target", "1 × a file too many"}},
		"equally frequent ones by name":      {[]results.Interaction{because(policies.TurnBudget, ""), because(policies.StrayFile, "x")}, []string{"1 × a file too many", "1 × budget: turns"}},
		"one length":                         {[]results.Interaction{tooLong(12540), tooLong(12540)}, []string{"2 × model error: context too long (12,540 of 8,192 tokens)"}},
		"several lengths":                    {[]results.Interaction{tooLong(12540), tooLong(9100), tooLong(9200)}, []string{"3 × model error: context too long (9,100 to 12,540 of 8,192 tokens)"}},
		"what stands in quotes is one":       {[]results.Interaction{key("a"), key("b"), key("b")}, []string{"3 × command failed: exit code 1; KeyError: 'b' (or similar)"}},
		"a document that cannot be read":     {[]results.Interaction{{Score: &results.Score{Problem: "line 3: no date"}}, {Score: &results.Score{Problem: "line 4: no date"}}}, []string{"2 × document not readable: line 3: no date (or similar)"}},
		"files that hold nothing new":        {[]results.Interaction{{Executed: to(false)}}, []string{"1 × nothing was changed"}},
		"why it failed, not what came of it": {[]results.Interaction{{Failure: string(policies.TurnBudget), Executed: to(false)}}, []string{"1 × budget: turns"}},
		"no score by the protocol":           {[]results.Interaction{{Unscored: results.Crash}}, []string{"1 × no score: crash"}},
		"what a server says is one line":     {[]results.Interaction{because(policies.ModelError, "\x1b[31mred")}, []string{"1 × model error: ␛[31mred"}},
	} {
		var got []string
		for _, r := range Reasons(c.all) {
			got = append(got, r.String())
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestALineHasTheMostFrequentReasons(t *testing.T) {
	t.Parallel()
	all := []Reason{{Text: "a", Count: 9}, {Text: "b", Count: 8}, {Text: "c", Count: 2}, {Text: "d", Count: 1}}
	for most, want := range map[int]string{4: "9 × a; 8 × b; 2 × c; 1 × d", 2: "9 × a; 8 × b; 3 × other reasons"} {
		if got := InOneLine(all, most); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := InOneLine(nil, 3); got != "" {
		t.Errorf("%q, want nothing", got)
	}
}

// lost is an experiment of two arms that did nothing: a window was too small, and files
// were missing.
func lost(t *testing.T) *Report {
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "small"}, {Name: "sim:weak", StandIn: true}}, RoundTrips: 1, Schedule: "round-robin", Environments: map[string]string{"books1": "", "diary1": ""}})
	for i, env := range []string{"books1", "diary1"} {
		long := tooLong(12540 + i)
		long.GivenUp = 1
		s.relay(results.Relay{Model: "small", Policy: "direct", Environment: env, Schedule: []string{"e"}}, long)
		missing := because(policies.MissingTarget, env+".csv")
		missing.Executed = to(false)
		s.relay(results.Relay{Model: "sim:weak", Policy: "direct", Environment: env, Schedule: []string{"e"}}, missing, results.Interaction{Score: &results.Score{RS: 1, Strict: 1}})
	}
	return s.build()
}

func TestWhyItFailedIsSaidFirst(t *testing.T) {
	t.Parallel()
	const told = "2 × missing target; 2 × model error: context too long (12,540 to 12,541 of 8,192 tokens)."
	r := lost(t)
	sections, err := r.Sections("outcomes")
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"summary":  func(b *bytes.Buffer) error { return r.Summary(b, layout.Screen{Width: 120}, "", "") },
		"text":     func(b *bytes.Buffer) error { return r.Text(b, sections, TextStyle{Screen: layout.Screen{Width: 120}}) },
		"page":     func(b *bytes.Buffer) error { return r.html(b, sections) },
		"fragment": func(b *bytes.Buffer) error { return r.Fragment(b, sections) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		head, at, score := strings.Index(b.String(), "What failed:"), strings.Index(b.String(), told), strings.Index(b.String(), "100.0")
		if head < 0 || at < head || at > score && score >= 0 {
			t.Errorf("%s: the reasons are at %d, the first score at %d: %s", name, at, score, &b)
		}
	}
}

// A line number says little without the format: "line 40" of what?
func TestAReasonSaysOfWhichDomainTheDocumentsAre(t *testing.T) {
	t.Parallel()
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: "m"}}})
	for env, problem := range map[string]string{"books1": "line 4: no date", "books2": "line 7: no date", "diary1": "is empty", "songs1": "is empty"} {
		s.relay(results.Relay{Model: "m", Policy: "direct", Environment: env, Schedule: []string{"e"}},
			results.Interaction{}, results.Interaction{Score: &results.Score{Problem: problem}})
	}
	const want = "2 × document not readable: is empty; 2 × books document not readable: line 4: no date (or similar)"
	if got := InOneLine(s.build().Reasons, MostReasons); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The section needs no reading of documents, and programs get it too.
func TestTheSectionFailuresHasTheReasonsOfEachArm(t *testing.T) {
	t.Parallel()
	sections, err := lost(t).Sections("failures")
	if err != nil || len(sections) != 1 {
		t.Fatalf("%+v, %v", sections, err)
	}
	var got [][]any
	for _, row := range sections[0].Tables[0].Rows {
		got = append(got, []any{strings.Join(row.shown(), ", "), *row.Cells[0].Value, *row.Cells[1].Value})
	}
	want := [][]any{
		{"small, direct, model error: context too long (12,540 to 12,541 of 8,192 tokens)", 2.0, 1.0},
		{"sim:weak (stand-in), direct, missing target", 2.0, 0.5},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for format, says := range map[string]string{
		"csv": "missing target", "json": `"reason": "missing target"`, "markdown": "missing target", "latex": "missing target", "html": "missing target",
	} {
		var b bytes.Buffer
		if err := lost(t).Write(&b, format, sections, TextStyle{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), says) || format == "json" && !json.Valid(b.Bytes()) {
			t.Errorf("%s: %s", format, &b)
		}
	}
}
