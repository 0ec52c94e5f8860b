package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/harness/experiment"
	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/report"
	"agentd/results"
)

func (a *app) reportCommand() *cobra.Command {
	var source experimentFlags
	var against, out string
	unscored := experiment.DropUnscored
	var sections []string
	var judging judgeFlags
	format := "text"
	c := &cobra.Command{
		Use:   "report",
		Short: "Tables and figures of what is stored",
		Long:  "Print tables and figures of what is stored.\n\n" + nothingDone,
		Example: "  agentd report\n  agentd report --name agentic-vs-direct --section survival,comparison\n" +
			"  agentd report --name no-distractors --against main-relay\n  agentd report --name main-relay,no-distractors --section survival,effects\n" +
			"  agentd report --against \"gpt-5.4 direct\" --section effects\n  agentd report --to report.html\n" +
			"  agentd report --section compliance,similarity --judge gpt-5.2 --judge-limit 500",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := judging.check(sections); err != nil {
				return err
			}
			return results.Using(judging.open, source.db, func(store *results.Store) error {
				if out != "" && !c.Flags().Changed("format") {
					format = report.FormatOf(out)
				}
				options := report.Options{Category: domaincatalog.Category, UnscoredZero: unscored == experiment.ZeroUnscored, Gallery: format == "html"}
				shown, err := experimentsOf(c.Context(), store, source.name)
				if err != nil {
					return err
				}
				if err := compareWith(c.Context(), store, against, &options); err != nil {
					return err
				}
				done, err := judging.demand(c.Context(), &options, store, shown, sections)
				if err != nil {
					return err
				}
				r, err := built(c.Context(), store, shown, options)
				if err := errors.Join(err, done()); err != nil {
					return err
				}
				chosen, err := r.Sections(sections...)
				if err != nil {
					return usage.Wrap(err)
				}
				if out == "" {
					style := report.TextStyle{Screen: layout.ScreenOf(c.OutOrStdout()), Everything: len(sections) > 0}
					if err := r.Write(reportOut(c.OutOrStdout(), format), format, chosen, style); err != nil {
						return err
					}
					return r.NothingDone()
				}
				file, err := os.Create(out)
				if err != nil {
					return usage.Wrap(err)
				}
				if err := errors.Join(r.Write(file, format, chosen, report.TextStyle{Everything: len(sections) > 0}), file.Close()); err != nil {
					return err
				}
				return r.NothingDone()
			})
		},
	}
	source.register(c.Flags(), "experiment, or several with commas between, whose tables and figures are laid together")
	registerUnscored(c.Flags(), &unscored)
	c.Flags().StringVar(&against, "against", "", "experiment to compare the arms with, environment by environment; or an arm, such as \"gpt-5.4 direct\", to compare the others with in the section effects")
	oneOf(c.Flags(), &format, "format", "format", report.Formats, strings.Join(report.Formats, ", ")+"; by default what the name of --to says")
	c.Flags().StringSliceVar(&sections, "section", nil, "only these: "+strings.Join(report.SectionNames, ", ")+"; "+strings.Join(demanded, ", ")+" read all documents and are left out unless named")
	judging.register(c.Flags())
	c.Flags().StringVar(&out, "to", "", "file to write (default standard output)")
	return c
}

// experimentsOf finds the experiments of a name, or of several with commas between.
func experimentsOf(ctx context.Context, store *results.Store, names string) ([]results.Experiment, error) {
	if whole, err := store.Experiment(ctx, names); !errors.Is(err, results.ErrNotFound) {
		return []results.Experiment{whole}, err // a name may have a comma
	}
	var all []results.Experiment
	for name := range strings.SplitSeq(names, ",") {
		e, err := store.Find(ctx, strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// compareWith sets what reports are compared with: an experiment of a name, or an arm where
// there is no such experiment.
func compareWith(ctx context.Context, store *results.Store, name string, options *report.Options) error {
	if name == "" {
		return nil
	}
	other, err := store.Experiment(ctx, name)
	switch {
	case errors.Is(err, results.ErrNotFound):
		options.AgainstArm = name
	case err != nil:
		return err
	default:
		options.Against = &other
	}
	return nil
}

// built are the reports of some experiments, laid together.
func built(ctx context.Context, store *results.Store, experiments []results.Experiment, options report.Options) (*report.Report, error) {
	var all []*report.Report
	for _, e := range experiments {
		r, err := report.Build(ctx, store, e, options)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return report.Together(all)
}

// reportOut is where a report in a format is written: its tables show what they hold
// harmlessly themselves.
func reportOut(w io.Writer, format string) io.Writer {
	if format == "json" {
		return printable.ForJSON(w)
	}
	return printable.Exact(w)
}
