package main

import (
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentd/harness/experiment"
	"agentd/harness/runner"
	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/models/embeddings"
	"agentd/report"
	"agentd/results"
)

// reportFlags are the flags of agentd report.
type reportFlags struct {
	runner.Reporting
	db, format, to string
	all            bool // sections as text, not one page
}

func (a *app) reportCommand() *cobra.Command {
	f := reportFlags{format: "text", Reporting: runner.Reporting{Unscored: experiment.DropUnscored}}
	c := &cobra.Command{
		Use:   "report",
		Short: "Tables and figures of what is stored",
		Long: "Print tables and figures of what is stored. As text that is one page: scores, policies compared,\n" +
			"failures, and which other sections there are.\n\n" + nothingDone,
		Example: "  agentd report\n  agentd report --all\n  agentd report --name agentic-vs-direct --section survival,comparison\n" +
			"  agentd report --name no-distractors --against main-relay\n  agentd report --name main-relay,no-distractors --section survival,effects\n" +
			"  agentd report --against \"gpt-5.4 direct\" --section effects\n  agentd report --to report.html\n" +
			"  agentd report --section compliance,similarity --judge gpt-5.2 --judge-limit 500",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	flags, demanded := c.Flags(), strings.Join(runner.Demanded(), ", ")
	registerDB(flags, &f.db)
	flags.StringVar(&f.Names, "name", "", "experiment, or several with commas between, whose tables are put together (default the newest)")
	registerUnscored(flags, &f.Unscored)
	flags.StringVar(&f.Against, "against", "", "experiment to compare the arms with, environment by environment; or an arm, such as \"gpt-5.4 direct\", to compare the others with in the section effects")
	oneOf(flags, &f.format, "format", "format", report.Formats, strings.Join(report.Formats, ", ")+"; by default what the name of --to says")
	flags.StringSliceVar(&f.Sections, "section", nil, "only these: "+strings.Join(report.SectionNames, ", ")+"; "+demanded+" read all documents and are omitted unless named")
	flags.BoolVar(&f.all, "all", false, "as text, all sections in place of one page")
	flags.StringVar(&f.Judge, "judge", "", "model that is asked for its opinion in the sections "+demanded)
	flags.IntVar(&f.JudgeLimit, "judge-limit", 200, "documents, or steps, of a section that the judge is asked about, drawn by the seed; 0 for all")
	flags.StringVar(&f.Embeddings, "embeddings", "", "model that makes vectors of documents in the section similarity")
	flags.StringVar(&f.EmbeddingsURL, "embeddings-url", embeddings.DefaultURL, "its server, which has /embeddings below this address")
	flags.StringVar(&f.EmbeddingsKey, "embeddings-key-env", "OPENAI_API_KEY", "environment variable that holds that server's key; it may be unset")
	flags.StringVar(&f.to, "to", "", "file to write (default standard output)")
	return c
}

func (f *reportFlags) run(c *cobra.Command) error {
	if f.Embeddings != "" && !slices.Contains(f.Sections, "similarity") {
		return usage.Errorf("--embeddings is for the section similarity: --section similarity")
	}
	if f.to != "" && !c.Flags().Changed("format") {
		f.format = report.FormatOf(f.to)
	}
	f.Gallery = f.format == "html"
	return f.Use(f.db, func(store *results.Store) error {
		built, err := f.Build(c.Context(), store)
		if err != nil {
			return err
		}
		chosen, err := built.Sections(f.Sections...)
		if err != nil {
			return usage.Wrap(err)
		}
		style := report.TextStyle{Everything: len(f.Sections) > 0}
		write := func(out io.Writer) error {
			if f.format == "text" && !f.all && len(f.Sections) == 0 {
				return built.Brief(out, style.Screen, runner.Demanded())
			}
			return built.Write(out, f.format, chosen, style)
		}
		if f.to == "" {
			style.Screen = layout.ScreenOf(c.OutOrStdout())
			err = write(reportOut(c.OutOrStdout(), f.format))
		} else {
			err = toFile(f.to, write)
		}
		if err != nil {
			return err
		}
		return built.NothingDone()
	})
}

// toFile has do write a file. One that cannot be made is a usage.Error.
func toFile(name string, do func(io.Writer) error) error {
	file, err := os.Create(name)
	if err != nil {
		return usage.Errorf("--to: %w", err)
	}
	if err := do(file); err != nil {
		_ = file.Close() // the first error says more
		return err
	}
	return file.Close()
}

// reportOut is where a report in a format is written. Its tables make harmless what they hold.
func reportOut(w io.Writer, format string) io.Writer {
	if format == "json" {
		return printable.ForJSON(w)
	}
	return printable.Exact(w)
}
