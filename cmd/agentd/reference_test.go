package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentd/internal/logs"
	"agentd/internal/printable"
	"agentd/test/docs"
)

// docs/reference/commands.md is what the commands say of themselves.
func TestReferenceOfCommands(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	out.WriteString(docs.Generated + "# Commands and flags\n\nEvery command takes `--log-format`: " + strings.Join(logs.Formats(), ", ") +
		". Commands end with status 0; 1 if the work failed; 2 for wrong usage; 130 if they were interrupted. Where a command " +
		"has other statuses, its page says so.\n\n")
	root := (&app{out: printable.NewOutput(os.Stdout), stderr: printable.NewRedirect(os.Stderr)}).command()
	describe(&out, root)
	const file = "../../docs/reference/commands.md"
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
		t.Errorf("%s is out of date; go test ./cmd/agentd -run Reference -update writes it:\n%s", file, diff)
	}
}

// describe writes what a command and its subcommands say of themselves.
func describe(out *strings.Builder, c *cobra.Command) {
	for _, child := range c.Commands() {
		if child.Hidden || child.Name() == "help" || child.Name() == "completion" {
			continue
		}
		about := child.Short
		if child.Long != "" {
			about = strings.Join(strings.Fields(child.Long), " ")
		}
		fmt.Fprintf(out, "## `%s`\n\n%s\n\n", child.CommandPath(), strings.TrimSuffix(about, ".")+".")
		if child.Runnable() && !child.HasSubCommands() || child.HasLocalFlags() {
			fmt.Fprintf(out, "    %s\n\n", child.UseLine())
		}
		if child.Example != "" {
			lines := strings.Split(strings.Trim(child.Example, "\n"), "\n")
			out.WriteString("For example:\n\n")
			for _, line := range lines {
				fmt.Fprintf(out, "    %s\n", strings.TrimSpace(line))
			}
			out.WriteString("\n")
		}
		flags(out, child)
		describe(out, child)
	}
}

// flags writes the flags of a command as a table.
func flags(out *strings.Builder, c *cobra.Command) {
	var rows strings.Builder
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, about := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + "`, `" + name
		}
		if value != "" {
			value = "`" + value + "`"
		}
		if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "[]" && d != "0s" && !strings.Contains(about, "(default") {
			about += " (default `" + d + "`)"
		}
		fmt.Fprintf(&rows, "| `%s` | %s | %s |\n", name, value, strings.ReplaceAll(about, "|", `\|`))
	})
	if rows.Len() > 0 {
		fmt.Fprintf(out, "| flag | value | meaning |\n| --- | --- | --- |\n%s\n", rows.String())
	}
}
