package domaintest

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

// Row is a golden row: a pair of documents with the published evaluator's score.
type Row struct {
	Folder     string         `json:"-"` // labelled, more, new, seeds or fuzz; set by Rows
	ID         string         `json:"id"`
	Mutation   string         `json:"mutation"`
	Corrupting *bool          `json:"corrupting"` // nil in rows without a label
	Reference  vfs.Files      `json:"reference"`
	Candidate  vfs.Files      `json:"candidate"`
	Score      *float64       `json:"score"`
	Error      string         `json:"error"` // how the published evaluator crashed; Detail.Exception where this is empty
	Stats      map[string]any `json:"stats"`
	Metadata   map[string]any `json:"metadata"`
	Scaffold   vfs.Files      `json:"scaffold"`
	Detail     struct {
		Exception string `json:"evaluator_exception"`
		// LengthPenalty is the score of documents that only a judge can score, where the judge thinks the same of both.
		LengthPenalty *float64 `json:"length_penalty"`
	} `json:"detail"`
}

// GoldenDir returns the folder of golden rows: AGENTD_GOLDEN, or ../shared/golden next to the repository. It skips the
// test where there is none. root is the repository's folder, seen from the test.
func GoldenDir(t *testing.T, root string) string {
	t.Helper()
	dir := os.Getenv("AGENTD_GOLDEN")
	if dir == "" {
		dir = filepath.Join(root, "..", "shared", "golden")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no golden rows at %s: set AGENTD_GOLDEN to their folder to compare with the published scores", dir)
	}
	return dir
}

// folders hold golden rows: labelled changes to a few documents, rows that earlier versions of the evaluators missed
// (more, new), damaged seeds of built-in environments, and randomly damaged documents. Those of the last two have no labels.
var folders = [...]struct{ name, ending, title string }{
	{"", ".jsonl", "labelled"}, {"more", ".jsonl", "more"}, {"new", ".jsonl", "new"}, {"seeds", ".jsonl.gz", "seeds"}, {"fuzz", ".jsonl.gz", "fuzz"},
}

// Domain is the one that a row is compared by, from the row's domain.
func (r *Row) Domain(d domains.Domain) domains.Domain {
	options := domains.Metadata{}
	for name, value := range r.Metadata {
		options[name] = fmt.Sprint(value)
	}
	d = d.With(options)
	switch needy := d.(type) {
	case domains.Executing:
		return needy.WithScaffold(r.Scaffold)
	case domains.Judged:
		return needy.WithJudge(Unmoved{})
	}
	return d
}

// Unmoved is a judge that thinks the same of every document: the answer to each question is the number of its place.
type Unmoved struct{}

// Ask implements domains.Judge. The prompt's last line is the form of the answer.
func (Unmoved) Ask(prompt string, accept func(map[string]any) error) (map[string]any, error) {
	lines := strings.Split(strings.TrimSpace(prompt), "\n")
	var form map[string]string
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &form); err != nil {
		return nil, fmt.Errorf("the form of the answer: %w", err)
	}
	answer := map[string]any{}
	for i, question := range slices.Sorted(maps.Keys(form)) {
		answer[question] = float64(i)
	}
	return answer, accept(answer)
}

// leading is the path of a file of rows: that in the folder now, whose scores are by
// the versions of libraries that count, if there is one.
func leading(dir, file string) string {
	now := filepath.Join(dir, "now", file)
	if _, err := os.Stat(now); err == nil {
		return now
	}
	return filepath.Join(dir, file)
}

// Rows reads all golden rows of a domain.
func Rows(dir, domain string) ([]Row, error) {
	var all []Row
	for _, folder := range folders {
		rows, err := readRows(leading(dir, filepath.Join(folder.name, domain+folder.ending)))
		if err != nil {
			return nil, fmt.Errorf("reading golden rows: %w", err)
		}
		for i := range rows {
			rows[i].Folder = folder.title
		}
		all = append(all, rows...)
	}
	return all, nil
}

// Labelled reads the golden rows of a domain that have labels.
func Labelled(dir, domain string) ([]Row, error) {
	return readRows(leading(dir, domain+".jsonl"))
}

func readRows(file string) ([]Row, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // not every domain has rows of every kind
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var source io.Reader = f
	if filepath.Ext(file) == ".gz" {
		if source, err = gzip.NewReader(f); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	var rows []Row
	decoder := json.NewDecoder(bufio.NewReader(source))
	for decoder.More() {
		var row Row
		if err := decoder.Decode(&row); err != nil {
			return nil, fmt.Errorf("%s, row %d: %w", file, len(rows)+1, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
