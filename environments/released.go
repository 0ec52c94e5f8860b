package environments

import (
	"bytes"
	"fmt"

	"agentd/internal/datafile"
)

// mostFileBytes limits a file in the released format, in bytes. The released file has
// 19 MB.
const mostFileBytes = 256 << 20

// draftReleased reads every line of a file of the released format.
func draftReleased(name string) ([]Draft, error) {
	file, err := datafile.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading environments: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("reading environments: %w", err)
	}
	if info.Size() > mostFileBytes {
		return nil, fmt.Errorf("%s: %w: a data set file may have %d MiB; split it", name, datafile.ErrTooLarge, mostFileBytes>>20)
	}
	var drafts []Draft
	for line := range datafile.Lines(file, datafile.MostLineBytes) {
		where := fmt.Sprintf("%s line %d", name, line.Number)
		if line.Err != nil {
			return nil, fmt.Errorf("%s: %w", where, line.Err)
		}
		if len(bytes.TrimSpace(line.Text)) == 0 {
			continue
		}
		d := Draft{Where: where}
		if d.Sample, d.Err = parseSample(line.Text); d.Err == nil {
			d.Environment, d.Err = d.Sample.environment()
		}
		drafts = append(drafts, d)
	}
	if len(drafts) == 0 {
		return nil, fmt.Errorf("%s: it holds no environment", name)
	}
	return drafts, nil
}
