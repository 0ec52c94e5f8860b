package report

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"agentd/internal/printable"
)

// Formats are the names of the formats that a report can be written in.
var Formats = []string{"text", "markdown", "csv", "json", "latex", "html"}

// FormatOf returns the format that fits a file's extension; text for an unknown one.
func FormatOf(file string) string {
	if format, ok := extensions[strings.ToLower(filepath.Ext(file))]; ok {
		return format
	}
	return "text"
}

var extensions = map[string]string{
	".html": "html", ".htm": "html", ".md": "markdown", ".csv": "csv", ".json": "json", ".tex": "latex",
}

// Write writes sections in one of the Formats. style applies to text. Control characters
// in names and notes are replaced by visible symbols; JSON escapes them instead.
func (r *Report) Write(w io.Writer, format string, sections []Section, style TextStyle) error {
	if slices.Contains([]string{"markdown", "csv", "latex"}, format) {
		sections = harmless(sections)
	}
	switch format {
	case "csv":
		return r.csv(w, sections)
	case "json":
		return r.json(w, sections)
	}
	switch sections := forReaders(sections); format {
	case "text":
		return r.Text(w, sections, style)
	case "markdown":
		return r.markdown(w, sections)
	case "latex":
		return r.latex(w, sections)
	case "html":
		return r.html(w, sections)
	}
	return fmt.Errorf("no format %q; there are %s", format, strings.Join(Formats, ", "))
}

// forReaders omits the tables for programs.
func forReaders(sections []Section) []Section {
	var kept []Section
	for _, s := range sections {
		s.Tables = slices.DeleteFunc(slices.Clone(s.Tables), func(t Table) bool { return t.ForPrograms })
		kept = append(kept, s)
	}
	return kept
}

// harmless returns the sections with control characters replaced by visible symbols.
func harmless(sections []Section) []Section {
	sections = slices.Clone(sections)
	for i := range sections {
		sections[i].Tables = slices.Clone(sections[i].Tables)
		for k := range sections[i].Tables {
			sections[i].Tables[k] = sections[i].Tables[k].harmless()
		}
	}
	return sections
}

func (t Table) harmless() Table {
	t.Title = printable.Line(t.Title)
	t.Notes = lines(t.Notes)
	t.Rows = slices.Clone(t.Rows)
	for i := range t.Rows {
		t.Rows[i].Labels = lines(t.Rows[i].Labels)
	}
	t.Measures = slices.Clone(t.Measures)
	for i, m := range t.Measures {
		t.Measures[i].Name, t.Measures[i].Head = printable.Line(m.Name), printable.Text(m.Head)
	}
	return t
}

func lines(texts []string) []string {
	shown := make([]string, len(texts))
	for i, text := range texts {
		shown[i] = printable.Line(text)
	}
	return shown
}

// markdownEscapes keep names from being read as Markdown: as cells, links, HTML.
var markdownEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "<", `\<`, "[", `\[`, "]", `\]`, "*", `\*`, "\n", " ")

func (r *Report) markdown(w io.Writer, sections []Section) error {
	var b strings.Builder
	var heading strings.Builder
	r.heading(&heading)
	for line := range strings.Lines("# " + heading.String()) {
		fmt.Fprintln(&b, markdownEscapes.Replace(strings.TrimSuffix(line, "\n")))
	}
	for _, s := range sections {
		for _, t := range s.Tables {
			fmt.Fprintf(&b, "## %s\n\n", t.Title)
			heads := slices.Clone(t.Labels)
			rule := slices.Repeat([]string{"---"}, len(heads))
			for _, m := range t.Measures {
				heads = append(heads, markdownEscapes.Replace(m.Head))
				rule = append(rule, "---:")
			}
			fmt.Fprintf(&b, "| %s |\n| %s |\n", strings.Join(heads, " | "), strings.Join(rule, " | "))
			for _, row := range t.Rows {
				cells := row.shown()
				for i := range cells {
					cells[i] = markdownEscapes.Replace(cells[i])
				}
				for k, cell := range row.Cells {
					cells = append(cells, cell.whole(t.Measures[k].Unit))
				}
				fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
			}
			fmt.Fprintln(&b)
			for _, note := range t.Notes {
				fmt.Fprintf(&b, "%s\n\n", markdownEscapes.Replace(note))
			}
		}
	}
	for _, note := range r.Notes() {
		fmt.Fprintf(&b, "- %s\n", markdownEscapes.Replace(note))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// csv writes one line for each number, with the same columns for all tables. One column holds
// the row's labels other than model and policy. Shares are from 0 to 1. A text that a
// spreadsheet would read as a formula gets a leading apostrophe.
func (r *Report) csv(w io.Writer, sections []Section) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"experiment", "table", "model", "stand_in", "policy", "of", "measure", "value", "low", "high", "n", "judged", "doubtful", "protocol", "did", "edits"}); err != nil {
		return err
	}
	for _, s := range sections {
		for _, t := range s.Tables {
			for _, row := range t.Rows {
				of := map[string]string{}
				var others []string
				for k, label := range t.Labels {
					of[label] = row.Labels[k]
					if label != "model" && label != "policy" && label != experimentLabel {
						others = append(others, row.Labels[k])
					}
				}
				experiment := cmp.Or(of[experimentLabel], r.Names())
				for k, cell := range row.Cells {
					line := []string{
						printable.Cell(printable.Line(experiment)), t.Name, printable.Cell(of["model"]), strconv.FormatBool(row.StandIn),
						printable.Cell(of["policy"]), printable.Cell(strings.Join(others, " / ")),
						printable.Cell(t.Measures[k].Name), exact(cell.Value), exact(cell.Low), exact(cell.High), number(cell.N), strconv.FormatBool(row.Judged), strconv.FormatBool(cell.Doubtful), r.Protocol(),
					}
					if row.Work != nil {
						line = append(line, strconv.Itoa(row.Work.Done), strconv.Itoa(row.Work.Edits))
					} else {
						line = append(line, "", "")
					}
					if err := out.Write(line); err != nil {
						return err
					}
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}

// number is a count, empty where there is none.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func exact(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}

// jsonCell is a number of the JSON form; shares are from 0 to 1.
type jsonCell struct {
	Value *float64 `json:"value"` // null if there is none
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	N     int      `json:"n,omitempty"`
	Of    int      `json:"of,omitempty"`
	// Doubtful numbers are based on too few interactions; a note says why.
	Doubtful bool `json:"doubtful,omitempty"`
	// Approximate numbers include scores that reached a limit on work.
	Approximate bool `json:"approximate,omitempty"`
}

type jsonRow struct {
	Labels  map[string]string `json:"labels"`
	StandIn bool              `json:"stand_in,omitempty"`
	Judged  bool              `json:"judged,omitempty"` // its numbers rest on a judge's opinions, in whole or in part
	// Did is how many of the arm's Edits were carried out; both are left out of rows of no arm.
	Did   *int                `json:"did,omitempty"`
	Edits *int                `json:"edits,omitempty"`
	Cells map[string]jsonCell `json:"cells"`
}

type jsonTable struct {
	Name  string    `json:"name"`
	Title string    `json:"title"`
	Rows  []jsonRow `json:"rows"`
	Notes []string  `json:"notes,omitempty"`
}

func (r *Report) json(w io.Writer, sections []Section) error {
	stored, planned := 0, 0
	for _, one := range r.each() {
		stored, planned = stored+one.Stored, planned+one.Planned
	}
	out := struct {
		Experiment string                 `json:"experiment"`
		Protocol   string                 `json:"protocol"`
		Stored     int                    `json:"stored"`
		Planned    int                    `json:"planned"`
		Sections   map[string][]jsonTable `json:"sections"`
		Notes      []string               `json:"notes"`
	}{r.Names(), r.Protocol(), stored, planned, map[string][]jsonTable{}, r.Notes()}
	for _, s := range sections {
		for _, t := range s.Tables {
			table := jsonTable{Name: t.Name, Title: t.Title, Notes: t.Notes}
			for _, row := range t.Rows {
				line := jsonRow{Labels: map[string]string{}, StandIn: row.StandIn, Judged: row.Judged, Cells: map[string]jsonCell{}}
				if row.Work != nil {
					line.Did, line.Edits = &row.Work.Done, &row.Work.Edits
				}
				for k, label := range t.Labels {
					line.Labels[label] = row.Labels[k]
				}
				for k, c := range row.Cells {
					line.Cells[t.Measures[k].Name] = jsonCell{c.Value, c.Low, c.High, c.N, c.Of, c.Doubtful, c.Approximate}
				}
				table.Rows = append(table.Rows, line)
			}
			out.Sections[s.Name] = append(out.Sections[s.Name], table)
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
}

var latexEscapes = strings.NewReplacer(
	`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "×", `$\times$`, "−", "$-$", "≥", `$\geq$`, "<", "$<$", "–", "--", "…", `\dots{}`, "\n", " ",
)

// latex writes each table as a tabular of the booktabs package; bounds stand below
// their means in small print.
func (r *Report) latex(w io.Writer, sections []Section) error {
	var b strings.Builder
	fmt.Fprintln(&b, "% \\usepackage{booktabs}")
	for _, s := range sections {
		for _, t := range s.Tables {
			fmt.Fprintf(&b, "\n\\begin{table}\n\\centering\n\\caption{%s}\n\\label{tab:%s}\n\\begin{tabular}{%s%s}\n\\toprule\n",
				latexEscapes.Replace(t.Title), t.Name, strings.Repeat("l", len(t.Labels)), strings.Repeat("r", len(t.Measures)))
			heads := slices.Clone(t.Labels)
			for _, m := range t.Measures {
				heads = append(heads, m.Head)
			}
			latexRow(&b, heads)
			fmt.Fprintln(&b, `\midrule`)
			for _, row := range t.Rows {
				cells, bounds := row.shown(), make([]string, len(row.Labels))
				bounded := false
				for k, c := range row.Cells {
					u := t.Measures[k].Unit
					cells = append(cells, c.text(u))
					if c.Low == nil {
						bounds = append(bounds, "")
						continue
					}
					bounded = true
					bounds = append(bounds, "["+u.text(*c.Low)+", "+u.text(*c.High)+"]")
				}
				latexRow(&b, cells)
				if bounded {
					for i, bound := range bounds {
						bounds[i] = latexEscapes.Replace(bound)
						if bound != "" {
							bounds[i] = `{\scriptsize ` + bounds[i] + `}`
						}
					}
					fmt.Fprintf(&b, "%s \\\\\n", strings.Join(bounds, " & "))
				}
			}
			fmt.Fprint(&b, "\\bottomrule\n\\end{tabular}\n")
			for _, note := range t.Notes {
				fmt.Fprintf(&b, "\n\\smallskip {\\small %s}\n", latexEscapes.Replace(note))
			}
			fmt.Fprint(&b, "\\end{table}\n")
		}
	}
	for _, note := range r.Notes() {
		fmt.Fprintf(&b, "%% %s\n", note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func latexRow(b *strings.Builder, cells []string) {
	for i, c := range cells {
		if i > 0 {
			b.WriteString(" & ")
		}
		b.WriteString(latexEscapes.Replace(c))
	}
	b.WriteString(" \\\\\n")
}
