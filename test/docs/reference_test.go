package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/harness/experiment"
	"agentd/models"
	policycatalog "agentd/policies/catalog"
	"agentd/policies/entry"
	"agentd/policies/exec/agents"
	"agentd/report"
	"agentd/report/export"
)

// The reference is what the code says. -update writes it.
func TestReference(t *testing.T) {
	t.Parallel()
	for page, write := range map[string]func(t *testing.T, out *strings.Builder){
		"experiment-file": experimentFile,
		"exports":         exports,
		"policies":        policies,
		"agents":          presets,
		"domains":         formats,
		"experiments":     experiments,
		"sections":        sections,
	} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			out.WriteString(Generated)
			write(t, &out)
			file := filepath.Join(root, "docs/reference", page+".md")
			if *update {
				if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			is, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(out.String(), string(is)); diff != "" {
				t.Errorf("%s is out of date; go test ./test/docs -run Reference -update writes it:\n%s", file, diff)
			}
		})
	}
}

// table writes the fields of a struct as a table.
func table[T any](t *testing.T, out *strings.Builder, head, key string) {
	t.Helper()
	fields, err := Fields(root, reflect.TypeFor[T](), key)
	if err != nil {
		t.Error(err)
	}
	out.WriteString(Table(head, fields) + "\n")
}

func experimentFile(t *testing.T, out *strings.Builder) {
	out.WriteString("# Keys of an experiment file\n\n`agentd run FILE` reads a file of YAML with these keys. All may be left out; " +
		"a key that is not listed is an error. A flag of `agentd run` takes the place of a key.\n\n")
	table[experiment.Spec](t, out, "key", "yaml")
	out.WriteString("## `models`\n\nA model is a name, such as `gpt-5.4`, or these keys. [Models](../models.md) says how each server is reached.\n\n")
	table[models.Spec](t, out, "key", "yaml")
	out.WriteString("### `price`\n\n")
	table[models.Price](t, out, "key", "yaml")
	out.WriteString("## `judge`\n\n")
	table[experiment.Judge](t, out, "key", "yaml")
	out.WriteString("## `policies`\n\nA policy is a name as on the command line, such as `verify(agentic)`, or these keys, with the policy's own options next to " +
		"them ([policies](policies.md)).\n\n")
	table[policycatalog.Spec](t, out, "key", "yaml")
	out.WriteString("## `environments`\n\n")
	table[experiment.Environments](t, out, "key", "yaml")
	out.WriteString("## `relay`\n\n")
	table[experiment.Relay](t, out, "key", "yaml")
	out.WriteString("## `limits`\n\n")
	table[experiment.Limits](t, out, "key", "yaml")
	out.WriteString("## `machine`\n\n")
	table[experiment.Machine](t, out, "key", "yaml")
	out.WriteString("### `sandbox`\n\nA sandbox is a name, or these keys.\n\n")
	table[experiment.Sandbox](t, out, "key", "yaml")
	d := experiment.Default()
	fmt.Fprintf(out, "## What holds if nothing is said\n\n`protocol: %s`, `on_fault: %s`, `round_trips: %d`, `schedule: %s`, `distractors: %v`, `repeats: %d`, `seed: %d`, "+
		"`max_turns: %d`, `max_tokens: %d`.\n",
		d.Relay.Protocol, d.Relay.OnFault, d.Relay.RoundTrips, d.Relay.Schedule.Kind, d.Relay.Distractors, d.Relay.Repeats, d.Relay.Seed, d.Limits.MaxTurns, d.Limits.MaxTokens)
}

func exports(t *testing.T, out *strings.Builder) {
	out.WriteString("# Columns of exports\n\n`agentd export --rows NAME` writes a row for each interaction, turn, tool call or reading of a file, as JSON lines, CSV or " +
		"Parquet. A value that is left out, or null, is unknown or does not apply; it is never 0. *With contents* means `--contents`; what was said " +
		"and what went through tools is there only if the run kept it (`agentd run --trace full`).\n\n")
	out.WriteString("## `--rows interactions`\n\n")
	table[export.Interaction](t, out, "column", "json")
	out.WriteString("JSON lines hold three lists in addition, of the rows below without their first three columns:\n\n")
	fields, err := Fields(root, reflect.TypeFor[export.Trace](), "json")
	if err != nil {
		t.Error(err)
	}
	fields = slices.DeleteFunc(fields, func(f Field) bool { return f.Type != "list" })
	out.WriteString(Table("column", fields) + "\n## `--rows turns`\n\n")
	table[export.Turn](t, out, "column", "json")
	out.WriteString("## `--rows calls`\n\n")
	table[export.Call](t, out, "column", "json")
	out.WriteString("## `--rows reads`\n\n")
	table[export.Read](t, out, "column", "json")
}

func policies(t *testing.T, out *strings.Builder) {
	out.WriteString("# Policies and their options\n\nA policy is a way to edit. `agentd run --policy NAME` and the key `policies` of an experiment file " +
		"name it, with options in parentheses: `agentic(max_turns=40)`. [Policies](../policies.md) says what each does.\n\n")
	for _, e := range policycatalog.All() {
		fmt.Fprintf(out, "## `%s`\n\n%s.\n\n", e.Name, about(e))
		var needs []string
		if e.NeedsModel {
			needs = append(needs, "a model")
		}
		if e.NeedsSandbox {
			needs = append(needs, "the sandbox")
		}
		if len(needs) > 0 {
			fmt.Fprintf(out, "It needs %s.\n\n", strings.Join(needs, " and "))
		}
		fields, err := Fields(root, reflect.TypeOf(e.Options).Elem(), "yaml")
		if err != nil {
			t.Error(err)
		}
		if len(e.Prompts) > 0 {
			fields = append(fields, Field{entry.PromptsOption, "text",
				"A folder of prompts that take the place of its own (`" + strings.Join(e.Prompts, "`, `") + "`), or `published` for those of the paper's program.", nil})
		}
		if len(fields) > 0 {
			out.WriteString(Table("option", fields) + "\n")
		}
	}
}

func presets(t *testing.T, out *strings.Builder) {
	all, err := agents.All()
	if err != nil {
		t.Fatal(err)
	}
	out.WriteString("# Presets of coding agents\n\n`agentd agents install NAME` installs an agent, and `--policy agent:NAME` measures it. " +
		"[Agents](../agents.md) says how.\n\n| agent | version | asks its model by | tools | what it is |\n| --- | --- | --- | --- | --- |\n")
	for _, p := range all {
		fmt.Fprintf(out, "| `%s` | %s | %s | %s | %s |\n", p.Name, p.Version, p.Protocol, strings.Join(p.Tools, ", "), p.Summary)
	}
	out.WriteString("\n## Keys of a preset\n\nA file with these keys is a preset of your own: `--policy agent:./mine.yaml`.\n\n")
	table[agents.Preset](t, out, "key", "yaml")
	out.WriteString("### `install`\n\n")
	table[agents.Source](t, out, "key", "yaml")
	out.WriteString("### `bundle`\n\n")
	table[agents.Part](t, out, "key", "yaml")
}

func formats(t *testing.T, out *strings.Builder) {
	out.WriteString("# Domains and their aliases\n\nA domain is a kind of document. A command that takes the name of a domain takes an alias too, in any case. " +
		"`agentd domains FILE` says which domain reads a file. [Domains](../domains.md) says how each is scored.\n\n" +
		"| domain | what it is | files | aliases | counts each | exact edits |\n| --- | --- | --- | --- | --- | --- |\n")
	aliases := map[string][]string{}
	for _, name := range domaincatalog.Names() {
		if domain := domaincatalog.Canonical(name); domain != name {
			aliases[domain] = append(aliases[domain], "`"+name+"`")
		}
	}
	for _, d := range domaincatalog.All() {
		info := d.Info()
		fmt.Fprintf(out, "| `%s` | %s | `%s` | %s | %s | %d |\n", info.Name, info.Title, strings.Join(info.Patterns, "`, `"), strings.Join(aliases[info.Name], ", "), info.Element, len(d.Edits()))
	}
	out.WriteString("\n## Dialects\n\nWhat each domain reads where its format has several forms, what it does not read, and the tools of other people that " +
		"read and write its documents in `test/resave`.\n\n| domain | reads | does not read | resaved by |\n| --- | --- | --- | --- |\n")
	for _, d := range domaincatalog.All() {
		if forms := domaincatalog.DialectsOf(d.Info().Name); forms != (domaincatalog.Dialects{}) {
			fmt.Fprintf(out, "| `%s` | %s | %s | %s |\n", d.Info().Name, strings.ReplaceAll(forms.Read, "|", `\|`), forms.Unread, forms.Resaved)
		}
	}
	out.WriteString("\n## By category\n\n")
	var categories []string
	members := map[string][]string{}
	for _, d := range domaincatalog.All() {
		category := d.Info().Category
		if members[category] == nil {
			categories = append(categories, category)
		}
		members[category] = append(members[category], d.Info().Name)
	}
	slices.Sort(categories)
	for _, category := range categories {
		fmt.Fprintf(out, "- **%s**: %s\n", category, strings.Join(members[category], ", "))
	}
	if len(categories) < 2 || members[domains.General] == nil {
		t.Error("the categories of the domains are not there")
	}
}

func experiments(t *testing.T, out *strings.Builder) {
	out.WriteString("# Experiments that are ready to run\n\nThe folder `environments/experiments` of the sources has these files. `agentd run environments/experiments/NAME --dry-run` shows " +
		"the plan and what it would cost. Flags take the place of what a file says: `--model sim:weak` runs it on a stand-in.\n\n" +
		"| file | what it is | models | policies | round trips |\n| --- | --- | --- | --- | --- |\n")
	files, err := filepath.Glob(filepath.Join(root, "environments/experiments/*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal("there are no experiments", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var about []string
		for line := range strings.Lines(string(raw)) {
			comment, ok := strings.CutPrefix(line, "# ")
			if !ok {
				break
			}
			about = append(about, strings.TrimSpace(comment))
		}
		if len(about) == 0 {
			t.Errorf("%s does not begin with a comment that says what it is", file)
		}
		spec := experiment.Default()
		if err := spec.Read(file); err != nil {
			t.Error(err)
		}
		var ways []string
		for _, p := range spec.Policies {
			ways = append(ways, "`"+p.Title()+"`")
		}
		fmt.Fprintf(out, "| `%s` | %s | %d | %s | %d |\n", filepath.Base(file), strings.Join(about, " "), len(spec.Models), strings.Join(ways, ", "), spec.Relay.Length())
	}
}

// sections lists the tables of a real report: what they are called, and their columns.
func sections(t *testing.T, out *strings.Builder) {
	out.WriteString("# Sections of a report\n\n`agentd report --section NAME` prints one. Tables without numbers are left out. CSV and JSON name tables and columns as " +
		"below; K stands for a number, such as that of the interactions. [Reports](../report.md#sections) has each formula and its source.\n\n")
	bin, db := filepath.Join(build(t), "agentd"), filepath.Join(t.TempDir(), "a.db")
	agentd := func(args ...string) []byte {
		command := exec.CommandContext(t.Context(), bin, append(args, "--db", db)...)
		var stdout, stderr bytes.Buffer
		command.Stdout, command.Stderr = &stdout, &stderr
		const nothingDone = 4 // of sim:refuse
		if err := command.Run(); err != nil && command.ProcessState.ExitCode() != nothingDone {
			t.Fatalf("%v: %v\n%s", args, err, &stderr)
		}
		return stdout.Bytes()
	}
	for name, more := range map[string][]string{"bare": {"--no-distractors"}, "whole": nil} {
		agentd(append([]string{"run", "--name", name, "--model", "sim:weak,sim:refuse", "--policy", "direct,agentic", "--env",
			"accounting1,recipe1,fiction1,image1,markdown1", "--judge", "sim:perfect", "--round-trips", "2"}, more...)...)
	}
	var shown struct {
		Sections map[string][]struct {
			Name, Title string
			Rows        []struct{ Labels, Cells map[string]any }
		}
	}
	raw := agentd("report", "--name", "whole", "--against", "bare", "--format", "json", "--judge", "sim:perfect", "--judge-limit", "4",
		"--section", strings.Join(slices.DeleteFunc(slices.Clone(report.SectionNames), func(s string) bool { return s == "similarity" }), ","))
	if err := json.Unmarshal(raw, &shown); err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile(filepath.Join(root, "docs/report.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range report.SectionNames {
		if !strings.Contains(string(guide), "\n### "+name+"\n") {
			t.Errorf("docs/report.md does not explain the section %s", name)
		}
		fmt.Fprintf(out, "## `%s`\n\n[What its numbers are](../report.md#%s).\n\n", name, Anchor(name))
		if len(shown.Sections[name]) == 0 {
			out.WriteString("Its tables depend on the experiment.\n\n")
			continue
		}
		out.WriteString("| table | what it shows | columns |\n| --- | --- | --- |\n")
		for _, table := range shown.Sections[name] {
			labels, cells := map[string]bool{}, map[string]bool{}
			for _, row := range table.Rows {
				for label := range row.Labels {
					labels[label] = true
				}
				for cell := range row.Cells {
					cell = moment.ReplaceAllString(cell, "_K")
					if strings.Contains(cell, "/") {
						cell = "MODEL/POLICY"
					}
					cells[cell] = true
				}
			}
			columns := slices.Concat(slices.Sorted(maps.Keys(labels)), slices.Sorted(maps.Keys(cells)))
			fmt.Fprintf(out, "| `%s` | %s | `%s` |\n", table.Name, capital(table.Title), strings.Join(columns, "`, `"))
		}
		out.WriteString("\n")
	}
}

// moment is a number at the end of the name of a column: of interactions, or of a grade.
var moment = regexp.MustCompile(`_[0-9]+$`)

// about is the summary of a policy as a sentence.
func about(e entry.Entry) string {
	if form, text, ok := strings.Cut(e.Summary, ": "); ok && strings.HasPrefix(form, e.Name) {
		return "`" + form + "`: " + text
	}
	return capital(e.Summary)
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
