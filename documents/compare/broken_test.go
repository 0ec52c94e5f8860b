package compare_test

import (
	"strings"
	"testing"

	"agentd/documents/compare"
	"agentd/vfs"
)

// A document that the tools of its format cannot read any more is unreadable, also where its own reader finds all of it.
func TestFormIsTheFirstVerdict(t *testing.T) {
	t.Parallel()
	const pack = "{\n \"name\": \"harbour\",\n \"private\": true\n}\n"
	const dates = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//a//b//EN\nBEGIN:VEVENT\nUID:1@a.test\nDTSTART:20240105T100000\nATTENDEE;CN=\"Holt, Ivo\":mailto:ivo@b.test\nSUMMARY:Tea\nEND:VEVENT\nEND:VCALENDAR\n"
	for name, c := range map[string]struct {
		file, before, after string
		broken              string // the first slip, empty if form is kept
	}{
		"a comma is lost":               {"package.json", pack, strings.Replace(pack, ",", "", 1), "line 3: a comma is missing"},
		"a colon is lost":               {"package.json", pack, strings.Replace(pack, `":`, `"`, 1), "line 2: a colon is missing"},
		"a brace is lost":               {"package.json", pack, strings.TrimSuffix(pack, "}\n"), "line 3: the end is missing: something is not closed"},
		"a comma too many":              {"package.json", pack, strings.Replace(pack, "true", "true,", 1), "line 4: nothing, or no JSON, follows a comma"},
		"single quotes":                 {"package.json", pack, strings.ReplaceAll(pack, `"`, "'"), "line 2: no JSON: invalid character '\\'' looking for beginning of object key string"},
		"a slip that was there before":  {"package.json", strings.Replace(pack, "true", "true,", 1), strings.Replace(pack, "true\n", "true,  \n", 1), ""},
		"another layout":                {"package.json", pack, strings.ReplaceAll(pack, "\n", ""), ""},
		"a component is not ended":      {"a.ics", dates, strings.Replace(dates, "END:VEVENT\n", "", 1), "line 4: vevent is not ended"},
		"a calendar begins twice":       {"a.ics", dates, "BEGIN:VCALENDAR\n" + dates, "line 1: vcalendar is not ended"},
		"a parameter without quotes":    {"a.ics", dates, strings.NewReplacer(`"Holt, Ivo"`, "Holt, Ivo").Replace(dates), "line 7: a comma stands in a parameter without quotes"},
		"a remark on top":               {"a.ics", dates, "Here is the updated file:\n\n" + dates, "line 1: a remark about the file stands in it"},
		"a code fence":                  {"a.ics", dates, "```\n" + dates + "```\n", "line 1: a Markdown code fence is no part of the file"},
		"a placeholder of what is left": {"Notes", "one\ntwo\nthree\n", "one\n... (rest of the file unchanged)\n", "line 2: a remark stands in the place of what was left out"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := compare.Compare(vfs.Files{c.file: c.before}, vfs.Files{c.file: c.after}, nil)
			d := report.Documents[0]
			got := ""
			if len(d.Broken) > 0 {
				got = d.Broken[0].String()
			}
			if got != c.broken || (d.Status == compare.Unreadable) != (c.broken != "") || report.Same != (c.broken == "") {
				t.Errorf("%s, broken %q, want %q", d.Status, got, c.broken)
			}
			for _, format := range compare.Formats() {
				var b strings.Builder
				if err := report.Write(&b, format, false); err != nil {
					t.Fatal(err)
				}
				if said := strings.Contains(b.String(), "broken"); said != (c.broken != "") {
					t.Errorf("%s: %s", format, &b)
				}
			}
		})
	}
}
