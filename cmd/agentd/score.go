package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/experiment"
	"agentd/harness/pairs"
	"agentd/internal/datafile"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/vfs"
)

func (a *app) scoreCommand() *cobra.Command {
	var domain, reference, candidate, scaffold, file, judging string
	var choice experiment.Sandbox
	c := &cobra.Command{
		Use:   "score",
		Short: "Score pairs of documents with the domain evaluators",
		Long: "Score how much of a reference survives in a candidate: one pair as a table, or a file of\n" +
			"pairs as JSONL. \"-\" reads pairs from standard input. Python programs are run, in the sandbox, by the\n" +
			"tests of a scaffold; fiction is put before a judge, whose calls are paid for.",
		Example: "  agentd score --domain accounting --reference seed/ --candidate out/\n" +
			"  agentd score --domain python --reference seed/ --candidate out/ --scaffold scaffold/\n" +
			"  agentd score --pairs pairs.jsonl > scores.jsonl",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			runs := choice.Programs(c.Context())
			defer func() { err = errors.Join(err, runs.Close()) }()
			s := pairs.Scorer{Find: domaincatalog.Running(runs)}
			if judging != "" {
				var done func() error
				if s.Judge, done, err = experiment.OpenJudge(judging, nil); err != nil {
					return err
				}
				defer func() { err = errors.Join(err, done()) }()
			}
			if file != "" {
				if domain+reference+candidate+scaffold != "" {
					return usage.Errorf("--pairs takes the place of --domain, --reference, --candidate and --scaffold")
				}
				return scorePairs(c.Context(), c.OutOrStdout(), &s, file)
			}
			if domain == "" || reference == "" || candidate == "" {
				return usage.Errorf("give --pairs FILE, or all of --domain, --reference and --candidate")
			}
			return scoreOne(c.OutOrStdout(), &s, domain, reference, candidate, scaffold)
		},
	}
	c.Flags().StringVar(&domain, "domain", "", "domain of the documents; agentd domains lists them")
	c.Flags().StringVar(&reference, "reference", "", "file or folder of the reference")
	c.Flags().StringVar(&candidate, "candidate", "", "file or folder of the candidate")
	c.Flags().StringVar(&scaffold, "scaffold", "", "folder of what scoring needs beside the documents, such as the tests of a program")
	c.Flags().StringVar(&file, "pairs", "", "JSONL file of pairs: id, domain, reference, candidate, metadata, scaffold")
	c.Flags().StringVar(&judging, "judge", "", "model that judges the documents of domains which need a judge, such as fiction (default none)")
	registerSandbox(c.Flags(), &choice)
	return c
}

// scorePairs scores a file of pairs, or those of standard input.
func scorePairs(ctx context.Context, out io.Writer, s *pairs.Scorer, file string) error {
	in, err := openPairs(ctx, file)
	if err != nil {
		return usage.Errorf("reading pairs: %w", err)
	}
	defer in.Close()
	bad, err := s.Score(ctx, file, in, printable.ForJSON(out))
	switch {
	case errors.Is(err, datafile.ErrTooLarge): // wrong input, not a failure of ours
		return usage.Wrap(err)
	case err != nil:
		return err
	case bad > 0:
		return usage.Errorf("%s: %d lines are not pairs that can be scored; their answers say why", file, bad)
	}
	return nil
}

// openPairs opens a file of pairs, or standard input, whose reading ends with the
// context.
func openPairs(ctx context.Context, file string) (io.ReadCloser, error) {
	if file != "-" {
		return datafile.Open(file)
	}
	r, w := io.Pipe()
	// Reading standard input cannot be interrupted. The goroutine ends with the
	// process, or with the input.
	go func() {
		_, err := io.Copy(w, os.Stdin)
		w.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { r.CloseWithError(ctx.Err()) })
	return r, nil
}

// scoreOne scores a file or folder against another and prints a table.
func scoreOne(out io.Writer, s *pairs.Scorer, domain, reference, candidate, scaffold string) error {
	d, err := s.Domain(domain)
	if err != nil {
		return err
	}
	ref, err := readDocuments(reference)
	if err != nil {
		return err
	}
	if err := d.CheckReference(ref); err != nil {
		return usage.Errorf("--reference %s: %w", reference, err)
	}
	got, err := readDocuments(candidate)
	if err != nil {
		return err
	}
	if scaffold != "" {
		beside, err := readDocuments(scaffold)
		if err != nil {
			return err
		}
		d = environments.WithScaffold(d, beside)
	}
	score := s.Judged(d).Compare(ref, got)
	if score.Fault != nil {
		return score.Fault
	}
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, Align: text.AlignRight}})
	t.AppendRow(table.Row{shownBasis[score.Basis], fmt.Sprintf("%.4f", score.Value)})
	t.AppendRow(table.Row{"strict", fmt.Sprintf("%.4f", score.Strict)})
	for _, name := range d.Info().Components {
		t.AppendRow(table.Row{name, fmt.Sprintf("%.4f", score.Components[name])})
	}
	t.AppendRow(table.Row{d.Info().Element + "s, reference", score.Elements.Reference})
	t.AppendRow(table.Row{d.Info().Element + "s, candidate", score.Elements.Candidate})
	if _, err := printable.Fprintf(out, "%s\n", printable.Block(t.Render())); err != nil {
		return err
	}
	if score.Problem != "" {
		printable.Fprintf(out, "problem: %s\n", score.Problem)
	}
	for _, difference := range d.Differences(ref, got) {
		printable.Fprintf(out, "%s\n", difference)
	}
	return nil
}

// shownBasis names a value by what it is.
var shownBasis = map[domains.Basis]string{
	domains.Computed: "score", domains.Opinion: "score (judged)", domains.Fallback: "similarity of texts, no score",
}

// readDocuments reads a file, or all files below a folder.
func readDocuments(path string) (vfs.Files, error) {
	files, err := documentsOf(path)
	if err != nil {
		return nil, usage.Errorf("reading documents: %w", err)
	}
	return files, nil
}

func documentsOf(path string) (vfs.Files, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		folder, err := datafile.OpenFolder(path, datafile.DefaultLimits())
		if err != nil {
			return nil, err
		}
		defer folder.Close()
		return datafile.Documents(folder, ".")
	}
	text, err := datafile.ReadText(path, vfs.MaxFileBytes)
	return vfs.Files{filepath.Base(path): text}, err
}
