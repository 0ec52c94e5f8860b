package pairs

import (
	"context"
	"io"

	"agentd/domains"
	"agentd/internal/datafile"
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
	Warnings    []string       // what to look at first, see domains.Warnings
	parts       []domains.Part // of each of the differences
	counts      map[string]int // elements of the reference by kind
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
	review := d.Against(reference).Review(candidate)
	counts := map[string]int{}
	for _, e := range d.Elements(reference) {
		counts[e.Kind]++
	}
	return Scored{d, score, review.Differences, domains.Warnings(d, reference, candidate), review.Parts, counts}, err
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
