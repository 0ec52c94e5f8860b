package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/report"
	"agentd/results"
)

func (a *app) reportCommand() *cobra.Command {
	var db, name, against, format, out, unscored string
	var sections []string
	var judging judgeFlags
	c := &cobra.Command{
		Use:   "report",
		Short: "Tables and figures of what is stored",
		Example: "  agentd report\n  agentd report --name agentic-vs-direct --section survival,comparison\n" +
			"  agentd report --name no-distractors --against main-relay\n  agentd report --out report.html\n" +
			"  agentd report --section compliance,similarity --judge gpt-5.2 --judge-most 500",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if err := judging.check(sections); err != nil {
				return err
			}
			store, err := judging.open(db)
			if err != nil {
				return usage.Wrap(err)
			}
			defer func() { err = errors.Join(err, store.Close()) }()
			experiment, err := findExperiment(c.Context(), store, name)
			if err != nil {
				return err
			}
			options := report.Options{Category: category, UnscoredZero: unscored == unscoredZero}
			if unscored != unscoredDrop && unscored != unscoredZero {
				return usage.Unknown("unscored", unscored, []string{unscoredDrop, unscoredZero})
			}
			if against != "" {
				other, err := findExperiment(c.Context(), store, against)
				if err != nil {
					return err
				}
				options.Against = &other
			}
			done, err := judging.demand(c.Context(), &options, store, sections)
			if err != nil {
				return err
			}
			r, err := report.Build(c.Context(), store, experiment, options)
			if err := errors.Join(err, done()); err != nil {
				return err
			}
			chosen, err := r.Sections(sections...)
			if err != nil {
				return usage.Wrap(err)
			}
			if out != "" && !c.Flags().Changed("format") {
				format = report.FormatOf(out)
			}
			if !slices.Contains(report.Formats, format) {
				return usage.Errorf("no format %q; there are %s", format, strings.Join(report.Formats, ", "))
			}
			if out == "" {
				style := report.TextStyle{Screen: layout.ScreenOf(c.OutOrStdout()), Everything: len(sections) > 0}
				return r.Write(reportOut(c.OutOrStdout(), format), format, chosen, style)
			}
			file, err := os.Create(out)
			if err != nil {
				return usage.Wrap(err)
			}
			return errors.Join(r.Write(file, format, chosen, report.TextStyle{Everything: len(sections) > 0}), file.Close())
		},
	}
	c.Flags().StringVar(&db, "db", defaultDB, "database file of the results")
	c.Flags().StringVar(&unscored, "unscored", unscoredDrop, unscoredUsage)
	c.Flags().StringVar(&name, "name", "", "experiment (default the newest)")
	c.Flags().StringVar(&against, "against", "", "experiment to compare the arms with, environment by environment")
	c.Flags().StringVar(&format, "format", "text", strings.Join(report.Formats, ", ")+" (default by the name of --out)")
	c.Flags().StringSliceVar(&sections, "section", nil, "only these: "+strings.Join(report.SectionNames, ", ")+"; "+strings.Join(demanded, ", ")+" read all documents and are left out unless named")
	judging.register(c.Flags())
	c.Flags().StringVar(&out, "out", "", "file to write (default standard output)")
	return c
}

// category is that of a domain; empty if it is not built.
func category(domain string) string { return categories()[domain] }

var categories = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, d := range domaincatalog.All() {
		all[d.Info().Name] = d.Info().Category
	}
	return all
})

// printReport prints all tables.
func printReport(r *report.Report, out io.Writer) error {
	sections, err := r.Sections()
	if err != nil {
		return err
	}
	return r.Text(printable.Exact(out), sections, report.TextStyle{Screen: layout.ScreenOf(out)})
}

// reportOut is where a report in a format is written: its tables show what they hold
// harmlessly themselves.
func reportOut(w io.Writer, format string) io.Writer {
	if format == "json" {
		return printable.ForJSON(w)
	}
	return printable.Exact(w)
}

// findExperiment returns the named experiment, the newest if there is no name.
func findExperiment(ctx context.Context, store *results.Store, name string) (results.Experiment, error) {
	if name != "" {
		e, err := store.Experiment(ctx, name)
		if errors.Is(err, results.ErrNotFound) {
			err = usage.Wrap(err)
		}
		return e, err
	}
	all, err := store.Experiments(ctx)
	if err != nil {
		return results.Experiment{}, err
	}
	if len(all) == 0 {
		return results.Experiment{}, usage.Wrap(fmt.Errorf("no experiment is stored yet; agentd run makes one"))
	}
	return all[len(all)-1], nil
}
