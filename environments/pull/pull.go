// Package pull names the released data set file of the paper, so that it can be downloaded.
package pull

import (
	"context"

	"agentd/environments"
	"agentd/internal/download"
)

// The released data set file of the paper.
const (
	URL    = "https://huggingface.co/datasets/microsoft/delegate52/resolve/9d325644687cc69533f8070e4decfc9cbf057b12/delegate52.jsonl"
	SHA256 = "5618f5ab6394e1d2befde3bc8dd50e247bbc872472999eafd9f075c734b488d4"
	Bytes  = 19_137_584
	Name   = "delegate52.jsonl"
)

// Released is the download of that file into the working folder.
func Released() download.Download {
	d := download.New(URL, SHA256, Name)
	d.Bytes = Bytes
	return d
}

// Pulled says what a downloaded data set holds.
type Pulled struct {
	There                        bool // the file was there already
	Environments, Domains, Edits int
}

// Run downloads a data set and counts what it holds. The errors are those of a download, and
// of a file that is no data set.
func Run(ctx context.Context, d download.Download) (Pulled, error) {
	there, err := d.Run(ctx)
	if err != nil {
		return Pulled{}, err
	}
	envs, err := environments.Load(d.To)
	if err != nil {
		return Pulled{}, err
	}
	counted := Pulled{There: there, Environments: len(envs)}
	domains := map[string]bool{}
	for i := range envs {
		domains[envs[i].Domain] = true
		counted.Edits += len(envs[i].Edits)
	}
	counted.Domains = len(domains)
	return counted, nil
}
