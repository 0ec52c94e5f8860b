package pairs

import (
	"context"
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"agentd/domains"
	"agentd/internal/datafile"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/vfs"
)

// Paths are the files or folders of one pair.
type Paths struct{ Reference, Candidate, Scaffold string } // Scaffold may be empty

// Scored is a pair with its score.
type Scored struct {
	Domain      domains.Domain
	Score       domains.Score
	Differences []domains.Difference
}

// ScorePaths scores one pair of files or folders. Paths that cannot be read, and a
// reference that the domain cannot score against, are a usage.Error.
func (s *Scorer) ScorePaths(domain string, paths Paths) (Scored, error) {
	d, err := s.Domain(domain)
	if err != nil {
		return Scored{}, err
	}
	reference, err := Documents(paths.Reference)
	if err != nil {
		return Scored{}, err
	}
	if err := d.CheckReference(reference); err != nil {
		return Scored{}, usage.Errorf("--reference %s: %w", paths.Reference, err)
	}
	candidate, err := Documents(paths.Candidate)
	if err != nil {
		return Scored{}, err
	}
	var scaffold vfs.Files
	if paths.Scaffold != "" {
		if scaffold, err = Documents(paths.Scaffold); err != nil {
			return Scored{}, err
		}
	}
	score, err := s.compare(d, scaffold, reference, candidate)
	return Scored{d, score, d.Differences(reference, candidate)}, err
}

// Write prints the scores, what they count, and what differs.
func (s Scored) Write(w io.Writer) error {
	score, info := s.Score, s.Domain.Info()
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, Align: text.AlignRight}})
	t.AppendRow(table.Row{basisLabels[score.Basis], fmt.Sprintf("%.4f", score.Value)})
	t.AppendRow(table.Row{"strict", fmt.Sprintf("%.4f", score.Strict)})
	for _, name := range info.Components {
		t.AppendRow(table.Row{name, fmt.Sprintf("%.4f", score.Components[name])})
	}
	t.AppendRow(table.Row{info.Element + "s, reference", score.Elements.Reference})
	t.AppendRow(table.Row{info.Element + "s, candidate", score.Elements.Candidate})
	_, err := printable.Fprintf(w, "%s\n", printable.Block(t.Render()))
	if score.Problem != "" {
		printable.Fprintf(w, "problem: %s\n", score.Problem)
	}
	for _, difference := range s.Differences {
		printable.Fprintf(w, "%s\n", difference)
	}
	return err
}

// basisLabels say what a value is.
var basisLabels = map[domains.Basis]string{
	domains.Computed: "score", domains.Opinion: "score (judged)", domains.Fallback: "similarity of texts, no score",
}

// Documents reads the file, or all files below the folder, that a user named. What cannot
// be read is a usage.Error.
func Documents(path string) (vfs.Files, error) {
	files, err := datafile.ReadDocuments(path, vfs.MaxFileBytes)
	if err != nil {
		return nil, usage.Errorf("reading documents: %w", err)
	}
	return files, nil
}

// OneDocument reads files and folders that together are one document. What cannot be read,
// and two files of one name, are a usage.Error.
func OneDocument(paths []string) (vfs.Files, error) {
	all := vfs.Files{}
	for _, path := range paths {
		files, err := Documents(path)
		if err != nil {
			return nil, err
		}
		for name, content := range files {
			if _, twice := all[name]; twice {
				return nil, usage.Errorf("two documents are called %s; give their folder instead", name)
			}
			all[name] = content
		}
	}
	return all, nil
}

// Open opens a file of pairs, or for "-" standard input, whose reading ends with the
// context.
func Open(ctx context.Context, file string, stdin io.Reader) (io.ReadCloser, error) {
	if file != "-" {
		return datafile.Open(file)
	}
	r, w := io.Pipe()
	// Reading standard input cannot be interrupted. The goroutine ends with the process,
	// or with the input.
	go func() {
		_, err := io.Copy(w, stdin)
		w.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })
	return r, nil
}
