package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"agentd/results"
)

func written(t *testing.T, r *Report, format string) string {
	t.Helper()
	sections, err := r.Sections()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.Write(&b, format, sections, wideText); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestNamesStayNames(t *testing.T) {
	t.Parallel()
	const model, policy = "=1+1\n| x |\x1b[2J", "-a|b<script>[l](u)`c`\u202e"
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: model}}, Environments: map[string]string{"tiny1": ""}, RoundTrips: 1, Repeats: 1})
	s.relay(results.Relay{Model: model, Policy: policy, Environment: "tiny1", Schedule: []string{"e"}}, used(1, 1, 1), backward(used(1, 1, 1), 0.5, 0.5))
	r := s.build()
	for format, want := range map[string]string{
		"text":     "=1+1␊| x |␛[2J",
		"markdown": "| =1+1␊\\| x \\|␛\\[2J | -a\\|b\\<script>\\[l\\](u)\\`c\\`\ufffd |",
		"latex":    "=1+1␊| x |␛[2J & -a|b$<$script>[l](u)`c`\ufffd",
		"csv":      "hand,rs,'=1+1␊| x |␛[2J,false,'-a|b<script>[l](u)`c`\ufffd,",
	} {
		if got := written(t, r, format); !strings.Contains(got, want) || strings.ContainsAny(got, "\x1b\u202e") {
			t.Errorf("%s: %q, want %q in it", format, got, want)
		}
	}
}

// The formats for programs have every number, as exact as it was found.
func TestCSVAndJSONHaveTheSameNumbers(t *testing.T) {
	t.Parallel()
	r := wide(t)
	lines, err := csv.NewReader(strings.NewReader(written(t, r, "csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	type key struct{ table, model, policy, of, measure string }
	ofCSV := map[key]string{}
	for _, line := range lines[1:] {
		ofCSV[key{line[1], line[2], line[4], line[5], line[6]}] = line[7]
	}
	var document struct {
		Sections map[string][]jsonTable
	}
	if err := json.Unmarshal([]byte(written(t, r, "json")), &document); err != nil {
		t.Fatal(err)
	}
	numbers := 0
	of := func(labels map[string]string) string {
		var others []string
		for _, label := range []string{"models", "over", "against", "domain", "tokens", "category", "operation", "operations", "call", "then", "reason"} {
			if value, there := labels[label]; there {
				others = append(others, value)
			}
		}
		return strings.Join(others, " / ")
	}
	for _, tables := range document.Sections {
		for _, table := range tables {
			for _, row := range table.Rows {
				for measure, cell := range row.Cells {
					numbers++
					want, there := ofCSV[key{table.Name, row.Labels["model"], row.Labels["policy"], of(row.Labels), measure}]
					if !there || exact(cell.Value) != want {
						t.Errorf("%s %v %s: JSON has %s, CSV %s", table.Name, row.Labels, measure, exact(cell.Value), want)
					}
				}
			}
		}
	}
	if numbers != len(lines)-1 || numbers < 200 {
		t.Errorf("%d numbers in JSON, %d in CSV", numbers, len(lines)-1)
	}
	// A mean worked out by hand: gpt-5.4 agentic after 20 interactions.
	got, err := strconv.ParseFloat(ofCSV[key{"rs", "gpt-5.4", "agentic", "", "rs_20"}], 64)
	if err != nil || math.Abs(got-0.9) > 1e-12 {
		t.Error(got, err)
	}
}

func TestMarkdownTablesHaveAsManyCellsAsHeads(t *testing.T) {
	t.Parallel()
	cells, rows := 0, 0
	for line := range strings.Lines(written(t, wide(t), "markdown")) {
		if !strings.HasPrefix(line, "|") {
			cells = 0
			continue
		}
		n := strings.Count(line, "|") - strings.Count(line, `\|`)
		if cells == 0 {
			cells = n
		}
		rows++
		if n != cells {
			t.Errorf("%d cells, not %d: %s", n, cells, line)
		}
	}
	if rows < 50 {
		t.Errorf("%d rows", rows)
	}
}

// hostile has names that would be markup if they were not escaped.
func hostile(t *testing.T) *Report {
	s := newStored(t, results.Manifest{Models: []results.Model{{Name: `<script>alert("a_b & 100 %")</script>`}}})
	for _, policy := range []string{"agentic", `x"><img src=//a>|{}\`} {
		s.relay(results.Relay{Model: `<script>alert("a_b & 100 %")</script>`, Policy: policy, Environment: "books1", Schedule: make([]string, 2)},
			used(1, 1, 1), backward(used(1, 1, 1), 0.5, 0.5), used(1, 1, 1), backward(used(1, 1, 1), 0.25, 0.5))
	}
	return s.build()
}

// A report is one page that asks for nothing, for any names in it.
func TestHTMLNeedsNothingElse(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*Report{"wide": wide(t), "hostile": hostile(t)} {
		page := written(t, r, "html")
		if at := strings.Index(page, "%!"); at >= 0 {
			t.Errorf("%s: a value is printed as what it is not: %s", name, page[at:at+60])
		}
		document, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		counts := map[string]int{}
		ids := map[string]bool{}
		for n := range document.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			counts[n.Data]++
			for _, a := range n.Attr {
				switch {
				case slices.Contains([]string{"src", "srcset", "action", "data"}, a.Key), strings.HasPrefix(a.Key, "on"):
					t.Errorf("%s: <%s %s=%q>", name, n.Data, a.Key, a.Val)
				case a.Key == "href" && !strings.HasPrefix(a.Val, "#"):
					t.Errorf("%s: a link to %s", name, a.Val)
				case a.Key == "id" && n.Namespace == "":
					if ids[a.Val] {
						t.Errorf("%s: two elements are called %s", name, a.Val)
					}
					ids[a.Val] = true
				}
			}
		}
		for _, element := range []string{"script", "img", "link", "iframe", "object", "form"} {
			if counts[element] > 0 {
				t.Errorf("%s: %d × <%s>", name, counts[element], element)
			}
		}
		if counts["table"] < 6 || counts["figure"] < 4 {
			t.Errorf("%s: %d tables, %d figures", name, counts["table"], counts["figure"])
		}
	}
}

func TestLaTeXEscapesNames(t *testing.T) {
	t.Parallel()
	got := written(t, hostile(t), "latex")
	if !strings.Contains(got, `$<$script>alert("a\_b \& 100 \%")$<$/script>`) || !strings.Contains(got, `|\{\}\textbackslash{}`) {
		t.Error(got)
	}
	depth := 0
	for i, c := range got {
		escaped := i > 0 && got[i-1] == '\\'
		switch {
		case c == '{' && !escaped:
			depth++
		case c == '}' && !escaped:
			depth--
		}
		if depth < 0 {
			t.Fatal("a brace closes nothing at " + got[:i])
		}
	}
	if depth != 0 || strings.Count(got, `\begin{`) != strings.Count(got, `\end{`) {
		t.Error("not balanced")
	}
}

func TestSectionsAreChosenByName(t *testing.T) {
	t.Parallel()
	r := wide(t)
	chosen, err := r.Sections("hidden", "survival")
	if err != nil || len(chosen) != 2 || chosen[0].Name != "survival" {
		t.Error(chosen, err)
	}
	if _, err := r.Sections("survivors"); err == nil || !strings.Contains(err.Error(), "survival, comparison") {
		t.Error(err)
	}
}
