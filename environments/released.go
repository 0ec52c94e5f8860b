package environments

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// draftReleased reads every line of a file of the released format.
func draftReleased(file string) ([]Draft, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("reading environments: %w", err)
	}
	defer f.Close()
	var drafts []Draft
	lines := bufio.NewReaderSize(f, 1<<20)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			d := Draft{Where: fmt.Sprintf("%s line %d", file, number)}
			if d.Sample, d.Err = parseSample(line); d.Err == nil {
				d.Environment, d.Err = d.Sample.environment()
			}
			drafts = append(drafts, d)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s line %d: %w", file, number, err)
		}
	}
	if len(drafts) == 0 {
		return nil, fmt.Errorf("%s: it holds no environment", file)
	}
	return drafts, nil
}
