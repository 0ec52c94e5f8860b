package results

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"agentd/internal/printable"
)

// Try makes a database in the folder of the given file and removes it again, and reads
// the file itself if it is there. It returns what works, a line each.
func Try(ctx context.Context, path string) (works []string, err error) {
	folder := filepath.Dir(path)
	dir, err := os.MkdirTemp(folder, ".agentd-doctor-*")
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", folder, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	trial, err := Open(filepath.Join(dir, "trial.db"))
	if err != nil {
		return nil, err
	}
	if err := trial.Close(); err != nil {
		return nil, err
	}
	works = []string{fmt.Sprintf("results can be stored in %s", folder)}
	if _, err := os.Stat(path); err != nil {
		return works, nil
	}
	store, err := OpenReading(path)
	if err != nil {
		return works, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	experiments, err := store.Experiments(ctx)
	return append(works, fmt.Sprintf("%s holds %s", path, printable.Count(len(experiments), "experiment"))), err
}
