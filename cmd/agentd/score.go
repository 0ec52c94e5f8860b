package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
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
	"agentd/harness/judge"
	"agentd/internal/datafile"
	"agentd/internal/jsonsafe"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/vfs"
)

func (a *app) scoreCommand() *cobra.Command {
	var domain, reference, candidate, scaffold, pairs, judging string
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
			s := scorer{find: domaincatalog.Running(runs), out: c.OutOrStdout()}
			if judging != "" {
				var done func() error
				if s.judge, done, err = experiment.OpenJudge(judging, nil); err != nil {
					return err
				}
				defer func() { err = errors.Join(err, done()) }()
			}
			if pairs != "" {
				if domain+reference+candidate+scaffold != "" {
					return usage.Errorf("--pairs takes the place of --domain, --reference, --candidate and --scaffold")
				}
				return s.pairs(c.Context(), pairs)
			}
			if domain == "" || reference == "" || candidate == "" {
				return usage.Errorf("give --pairs FILE, or all of --domain, --reference and --candidate")
			}
			return s.one(domain, reference, candidate, scaffold)
		},
	}
	c.Flags().StringVar(&domain, "domain", "", "domain of the documents; agentd domains lists them")
	c.Flags().StringVar(&reference, "reference", "", "file or folder of the reference")
	c.Flags().StringVar(&candidate, "candidate", "", "file or folder of the candidate")
	c.Flags().StringVar(&scaffold, "scaffold", "", "folder of what scoring needs beside the documents, such as the tests of a program")
	c.Flags().StringVar(&pairs, "pairs", "", "JSONL file of pairs: id, domain, reference, candidate, metadata, scaffold")
	c.Flags().StringVar(&judging, "judge", "", "model that judges the documents of domains which need a judge, such as fiction (default none)")
	registerSandbox(c.Flags(), &choice)
	return c
}

// scorer scores pairs of documents.
type scorer struct {
	find  lookup
	judge *judge.Judge // nil for none
	out   io.Writer
}

func (s *scorer) domain(name string) (domains.Domain, error) {
	d, ok := s.find(name)
	if ok {
		return d, nil
	}
	var all []string
	for _, d := range domaincatalog.All() {
		all = append(all, d.Info().Name)
	}
	return nil, usage.Unknown("domain", name, all)
}

// pair is one line of a pairs file.
type pair struct {
	ID        string         `json:"id"`
	Domain    string         `json:"domain"`
	Reference vfs.Files      `json:"reference"`
	Candidate vfs.Files      `json:"candidate"`
	Metadata  map[string]any `json:"metadata"`
	Scaffold  vfs.Files      `json:"scaffold"`
}

// scored is a line of the answer.
type scored struct {
	ID         string             `json:"id"`
	Domain     string             `json:"domain"`
	Score      float64            `json:"score"`
	Strict     float64            `json:"strict"`
	Components map[string]float64 `json:"components"`
	Elements   domains.Elements   `json:"elements"`
	Problem    string             `json:"problem"`
	// Basis is there where Score is not computed: a judge's opinion, or a fallback
	// that is no score.
	Basis domains.Basis `json:"basis,omitempty"`
}

type notScored struct {
	ID    string `json:"id"`
	Error string `json:"error"`
}

// pairs answers line by line. A line that is no pair gives an error line, and an
// error at the end.
func (s *scorer) pairs(ctx context.Context, file string) error {
	in, err := openPairs(ctx, file)
	if err != nil {
		return usage.Errorf("reading pairs: %w", err)
	}
	defer in.Close()
	w := bufio.NewWriter(forJSON(s.out))
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	bad := 0
	for line := range datafile.Lines(in, datafile.MostLineBytes) {
		if err := cmp.Or(ctx.Err(), line.Err); err != nil {
			return errors.Join(unread(file, line.Number, err), w.Flush())
		}
		if len(bytes.TrimSpace(line.Text)) == 0 {
			continue
		}
		answer, err := s.line(line.Text)
		if err != nil {
			bad++
			answer = notScored{idOf(line.Text), fmt.Sprintf("line %d: %v", line.Number, err)}
		}
		if err := encoder.Encode(answer); err != nil {
			return fmt.Errorf("writing scores: %w", err)
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("writing scores: %w", err)
	}
	if bad > 0 {
		return usage.Errorf("%s: %d lines are not pairs that can be scored; their answers say why", file, bad)
	}
	return nil
}

// unread says where reading ended. A line that is too long is wrong input.
func unread(file string, line int, err error) error {
	err = fmt.Errorf("reading %s line %d: %w", file, line, err)
	if errors.Is(err, datafile.ErrTooLarge) {
		return usage.Wrap(err)
	}
	return err
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

func (s *scorer) line(line []byte) (any, error) {
	var p pair
	if err := jsonsafe.Unmarshal(line, &p, jsonsafe.DefaultLimits()); err != nil {
		return nil, err
	}
	if p.Reference == nil || p.Candidate == nil {
		return nil, errors.New(`a pair needs "reference" and "candidate", each an object of file names and texts`)
	}
	d, err := s.domain(p.Domain)
	if err != nil {
		return nil, err
	}
	options := domains.Metadata{}
	for key, value := range p.Metadata {
		options[key] = fmt.Sprint(value)
	}
	d = d.With(options)
	if err := d.CheckReference(p.Reference); err != nil {
		return nil, fmt.Errorf("the reference: %w", err)
	}
	score := s.judged(environments.WithScaffold(d, p.Scaffold)).Compare(p.Reference, p.Candidate)
	if score.Fault != nil {
		return nil, score.Fault
	}
	if score.Components == nil {
		score.Components = map[string]float64{}
	}
	return scored{p.ID, p.Domain, score.Value, score.Strict, score.Components, score.Elements, score.Problem, score.Basis}, nil
}

// judged has a domain scored by the judge, if it needs one and there is one.
func (s *scorer) judged(d domains.Domain) domains.Domain {
	if needy, ok := d.(domains.Judged); ok && s.judge != nil {
		return needy.WithJudge(s.judge.Tab(context.Background()))
	}
	return d
}

// idOf finds the id of a line that is otherwise no pair.
func idOf(line []byte) string {
	var p struct {
		ID string `json:"id"`
	}
	_ = jsonsafe.Unmarshal(line, &p, jsonsafe.DefaultLimits()) // without one it stays empty
	return p.ID
}

func (s *scorer) one(domain, reference, candidate, scaffold string) error {
	d, err := s.domain(domain)
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
	score := s.judged(d).Compare(ref, got)
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
	if _, err := printable.Fprintf(s.out, "%s\n", printable.Block(t.Render())); err != nil {
		return err
	}
	if score.Problem != "" {
		printable.Fprintf(s.out, "problem: %s\n", score.Problem)
	}
	for _, difference := range d.Differences(ref, got) {
		printable.Fprintf(s.out, "%s\n", difference)
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
