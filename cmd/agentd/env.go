package main

import (
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/experiment"
	"agentd/internal/printable"
	"agentd/internal/usage"
)

// envSource is where the env commands find environments.
type envSource struct{ data string }

func (a *app) envCommand() *cobra.Command {
	var source envSource
	c := &cobra.Command{Use: "env", Short: "Work environments", Example: "  agentd env list\n  agentd env show accounting1\n  agentd env validate --data mine/"}
	c.PersistentFlags().StringVar(&source.data, "data", "", "data set file or folder of environments (default the built-in ones)")
	c.AddCommand(
		source.listCommand(), source.showCommand(),
		source.validateCommand(), a.envTestCommand(&source), source.propertiesCommand(), source.interferenceCommand(),
		a.resizeCommand(&source), deriveCommand(), importCommand(), source.exportCommand(), pullCommand(),
	)
	return c
}

// choose returns the environments that names or patterns select, all of them if
// there are none.
func (s *envSource) choose(wanted []string) ([]environments.Environment, error) {
	return (&experiment.Environments{Data: s.data, Names: wanted}).Choose()
}

func (s *envSource) load() ([]environments.Environment, error) {
	return (&experiment.Environments{Data: s.data}).LoadAll()
}

func (s *envSource) listCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List environments", Example: "  agentd env list --data delegate52.jsonl", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			envs, err := s.load()
			if err != nil {
				return err
			}
			for i := range envs {
				listEnvironment(c.OutOrStdout(), &envs[i])
			}
			return nil
		},
	}
}

func (s *envSource) showCommand() *cobra.Command {
	var files bool
	show := &cobra.Command{
		Use: "show NAME", Short: "Show one environment", Example: "  agentd env show accounting1 --files", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			envs, err := s.load()
			if err != nil {
				return err
			}
			var names []string
			for i := range envs {
				if envs[i].Name == args[0] {
					showEnvironment(c.OutOrStdout(), &envs[i], files)
					return nil
				}
				names = append(names, envs[i].Name)
			}
			return usage.Unknown("environment", args[0], names)
		},
	}
	show.Flags().BoolVar(&files, "files", false, "print the files too")
	return show
}

// lookup finds a domain by name; false if it is not built.
type lookup func(name string) (domains.Domain, bool)

// alignedTable is a table without borders; columns from the given one on, which
// counts from 1, are numbers.
func alignedTable(numbersFrom int, header ...any) harmlessTable {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options.DrawBorder = false
	t.Style().Options.SeparateColumns = false
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(header)
	var configs []table.ColumnConfig
	for i := numbersFrom; i <= len(header); i++ {
		configs = append(configs, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
	return harmlessTable{t}
}

// harmlessTable is a table whose cells may be what others wrote.
type harmlessTable struct{ table.Writer }

func (t harmlessTable) AppendRow(row table.Row, config ...table.RowConfig) {
	for i, cell := range row {
		if text, ok := cell.(string); ok {
			row[i] = printable.Line(text)
		}
	}
	t.Writer.AppendRow(row, config...)
}

func printTable(w io.Writer, t table.Writer) error {
	for line := range strings.Lines(t.Render() + "\n") {
		if _, err := printable.Fprintf(w, "%s\n", strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

func listEnvironment(w io.Writer, env *environments.Environment) {
	note := ""
	if _, ok := domaincatalog.Lookup(env.Domain); !ok {
		note = "  (not scored: the domain is not built yet)"
	} else if why := env.Unscorable(); why != "" {
		note = "  (not scored: " + why + ")"
	}
	printable.Fprintf(w, "%-16s %-12s %2d edits  %s%s\n", env.Name, env.Domain, len(env.Edits), env.Title, note)
}
func showEnvironment(w io.Writer, env *environments.Environment, files bool) {
	printable.Fprintf(w, "%s: %s\ndomain: %s\nlicence: %s\norigin: %s\n", env.Name, env.Title, env.Domain, env.Licence, env.Origin)
	if env.Summary != "" {
		printable.Fprintf(w, "%s\n", printable.Indented(env.Summary, 2))
	}
	for key, value := range env.Metadata {
		printable.Fprintf(w, "%s: %s\n", key, value)
	}
	d, built := domaincatalog.Lookup(env.Domain)
	if built {
		if stats, err := d.With(env.Metadata).Statistics(env.Seed); err == nil {
			for _, count := range stats.Counts {
				printable.Fprintf(w, "%s: %s\n", count.Name, count.Value)
			}
		}
	}
	printable.Fprintf(w, "\nseed:\n")
	for _, name := range env.Seed.Names() {
		printable.Fprintf(w, "  %s (%d bytes)\n", name, len(env.Seed[name]))
	}
	printable.Fprintf(w, "distractors:\n")
	for _, name := range env.Distractors.Names() {
		printable.Fprintf(w, "  %s (%d bytes)\n", name, len(env.Distractors[name]))
	}
	for _, edit := range env.Edits {
		oracle := "no oracle"
		if built {
			if _, ok := env.OracleFor(edit, d); ok {
				oracle = "oracle"
			}
		}
		printable.Fprintf(w, "\n%s (%s; %s)\n  forward:  %s\n  targets:  %s\n  backward: %s\n", edit.Name,
			strings.Join(edit.Operations, ", "), oracle, printable.Indented(edit.Forward, 12), strings.Join(edit.Targets, ", "), printable.Indented(edit.Backward, 12))
	}
	if !files {
		return
	}
	for _, name := range env.Seed.Names() {
		printable.Fprintf(w, "\n--- %s\n%s", name, printable.Block(env.Seed[name]))
	}
	for _, name := range env.Distractors.Names() {
		printable.Fprintf(w, "\n--- %s (distractor)\n%s", name, printable.Block(env.Distractors[name]))
	}
}
