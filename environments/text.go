package environments

import (
	"io"
	"maps"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/vfs"
)

// pictureTokens is the size of a one-megapixel picture in tokens, by Anthropic's formula: width
// times height over 750.
const pictureTokens = 1_400

// Tokens estimates the tokens of files: one for four bytes of text, and pictureTokens for a picture.
// Exact counts (package tokens) would take seconds for the built-in environments.
func Tokens(files vfs.Files) (tokens int) {
	for _, content := range files {
		if strings.HasPrefix(content, "\x89PNG") {
			tokens += pictureTokens
			continue
		}
		tokens += len(content) / 4
	}
	return tokens
}

// List describes environments, a row for each, with the tokens of the seed and of the distractors.
// A row says so if no run can score it. find finds a domain by name.
func List(envs []Environment, find func(name string) (domains.Domain, bool)) *layout.Table {
	t := &layout.Table{Columns: []layout.Column{
		{Head: "environment", Label: true}, {Head: "domain", Label: true}, {Head: "edits", Number: true},
		{Head: "tokens, about", Number: true}, {Head: "distractors", Number: true}, {Head: "title"},
	}}
	for i := range envs {
		e := &envs[i]
		title := e.Title
		if _, ok := find(e.Domain); !ok {
			title += " (not scored: the domain is not built yet)"
		} else if why := e.Unscorable(); why != "" {
			title += " (not scored: " + why + ")"
		}
		t.Row(e.Name, e.Domain, len(e.Edits), layout.Thousands(Tokens(e.Seed)), layout.Thousands(Tokens(e.Distractors)), title)
	}
	return t
}

// Write prints the environment for people: its origin, what its seed counts, its edits, and
// with files the texts of all files. find finds a domain by name.
func (e *Environment) Write(w io.Writer, find func(name string) (domains.Domain, bool), files bool) error {
	var b strings.Builder
	printf := func(format string, args ...any) { printable.Fprintf(&b, format, args...) }
	printf("%s: %s\ndomain: %s\nlicence: %s\norigin: %s\n", e.Name, e.Title, e.Domain, e.Licence, e.Origin)
	if e.Summary != "" {
		printf("%s\n", printable.Indented(e.Summary, 2))
	}
	for _, key := range slices.Sorted(maps.Keys(e.Metadata)) {
		printf("%s: %s\n", key, e.Metadata[key])
	}
	d, built := find(e.Domain)
	if built {
		if stats, err := d.With(e.Metadata).Statistics(e.Seed); err == nil {
			for _, count := range stats.Counts {
				printf("%s: %s\n", count.Name, count.Value)
			}
		}
	}
	printf("\nseed:\n")
	for _, name := range e.Seed.Names() {
		printf("  %s (%d bytes)\n", name, len(e.Seed[name]))
	}
	printf("distractors:\n")
	for _, name := range e.Distractors.Names() {
		printf("  %s (%d bytes)\n", name, len(e.Distractors[name]))
	}
	for _, edit := range e.Edits {
		oracle := "no oracle"
		if built {
			if _, ok := e.OracleFor(edit, d); ok {
				oracle = "oracle"
			}
		}
		if len(edit.Judged) > 0 {
			oracle = "judged"
		}
		printf("\n%s (%s; %s)\n  forward:  %s\n  targets:  %s\n  backward: %s\n", edit.Name, strings.Join(edit.Operations, ", "), oracle,
			printable.Indented(edit.Forward, 12), strings.Join(edit.Targets, ", "), printable.Indented(edit.Backward, 12))
		for _, statement := range edit.Judged {
			printf("  judged:   %s\n", printable.Indented(statement, 12))
		}
		for _, one := range []struct {
			direction string
			parts     []string
		}{{"forward", edit.Parts.Forward}, {"backward", edit.Parts.Backward}} {
			for i, part := range one.parts {
				printf("  %s, message %d of %d: %s\n", one.direction, i+1, len(one.parts), printable.Indented(part, 12))
			}
		}
	}
	if files {
		for _, name := range e.Seed.Names() {
			printf("\n--- %s\n%s", name, printable.Block(e.Seed[name]))
		}
		for _, name := range e.Distractors.Names() {
			printf("\n--- %s (distractor)\n%s", name, printable.Block(e.Distractors[name]))
		}
	}
	_, err := io.WriteString(printable.Exact(w), b.String())
	return err
}
