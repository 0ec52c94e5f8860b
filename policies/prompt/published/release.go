// Package published has the prompts of the paper's own program. They belong to its
// authors and are no part of this repository: Pull fetches them from where they were
// published, and only files with the known hashes are taken. Texts turns them into
// prompts of the policies direct and agentic that say the same to the letter.
package published

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"agentd/internal/datafile"
	"agentd/internal/download"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/policies"
	"agentd/policies/prompt"
)

// What the files belong to.
const (
	Repository = "microsoft/delegate52"
	Licence    = "MIT"
)

// Paths of the files that prompts are made of.
const (
	documentsFile = "prompts/domain_documents.txt"
	pythonFile    = "prompts/domain_python.txt"
	fictionFile   = "prompts/domain_fiction.txt"
	imageFile     = "prompts/domain_image.txt"
	judgeFile     = "prompts/domain_fiction_eval.txt"
	agenticFile   = "model_agentic.py"
)

// ErrNotPulled marks published prompts that are not there.
var ErrNotPulled = errors.New("the published prompts are not there")

// Release says which files the prompts are in, where each stands, and where they can
// be had.
type Release struct {
	Commit string
	URL    string // what comes before the path of a file, without a slash at its end
	Files  []File
	// Agentic says where the texts of the agentic mode stand in their file.
	Agentic Agentic
}

// File is a published file.
type File struct {
	Path   string // in the repository
	Bytes  int64
	SHA256 string // in hexadecimal digits
}

// Agentic are the places of the texts of the agentic mode, as they stand between the
// quotes of Python strings; Tools is a whole Python literal.
type Agentic struct {
	Tools, System Span
	User          []Span // one after the other
	TargetLength  Span   // added to the task, where the length of the text is given
	Acknowledged  Span
	Nudge         []Span // one after the other
}

// Span is a part of a file: its first byte, and the one after its last.
type Span struct{ First, End int }

// Pinned is the release that is measured against: the commit of the paper's program.
func Pinned() Release {
	const commit = "b896b804fdd29032f04aacc519c5cfa66e34226d"
	return Release{
		Commit: commit,
		URL:    "https://raw.githubusercontent.com/" + Repository + "/" + commit,
		Files: []File{
			{documentsFile, 406, "0d975ceb99efc6ab16fbc9509ce571d428189411691c54fe1304513b70ce1ffc"},
			{pythonFile, 428, "de4a97f615605b1d1f88ebc3a2eb17792b39fc8c3c2530a75bee23a28c5bb8e0"},
			{fictionFile, 1377, "96f506863e9c6ba07cb654398bafaa4c2c0a2790112b5dfc4dbc8cddc7f78d77"},
			{judgeFile, 18057, "d0b8fba68c912ddbbd9a3b3e89b3a7dea8584c8e56b640a3ba35113ee90f3ce8"},
			{imageFile, 238, "a47912f0f27d336e5510093f3ee76e92ebcc6a507375d3c964511d798b5b529c"},
			{agenticFile, 23784, "fb63c377f873513784cca5d94d06116f99dea8259b2fc8ae5d88fb23ec65ca65"},
		},
		Agentic: Agentic{
			Tools:        Span{1204, 4062},
			System:       Span{4085, 5138},
			User:         []Span{{13707, 13772}, {13784, 13847}, {13859, 13876}},
			TargetLength: Span{13587, 13673},
			Acknowledged: Span{19165, 19230},
			Nudge:        []Span{{19637, 19690}, {19721, 19779}, {19810, 19829}},
		},
	}
}

// CacheDir is the folder in the user's cache that the files are kept in.
func (r Release) CacheDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("looking for the user's cache: %w", err)
	}
	return filepath.Join(cache, "agentd", "prompts", r.Commit), nil
}

// Named reports whether a setting, where a folder of prompts could be named, means the
// published ones: published, or published:DIR for those that were pulled into another
// folder than the user's cache. The folder is empty for the cache.
func Named(setting string) (dir string, ok bool) {
	word, dir, _ := strings.Cut(setting, ":")
	return dir, word == "published"
}

// Policies names the policies that have published prompts.
func Policies() []string { return []string{"agentic", "direct"} }

// Replacements returns the published prompts, to take the place of the policies' own.
// An empty folder stands for the user's cache. The error says what to do.
func (r Release) Replacements(dir string, protocol policies.Protocol) (prompt.Replacements, error) {
	if protocol != policies.Published {
		return nil, fmt.Errorf("the published prompts go with the protocol %s alone: they ask for the answers that it reads and name the tools that it has", policies.Published)
	}
	pull := "agentd prompts pull"
	if dir != "" {
		pull += " --to " + dir
	} else {
		var err error
		if dir, err = r.CacheDir(); err != nil {
			return nil, err
		}
	}
	texts, err := r.Texts(dir)
	if errors.Is(err, ErrNotPulled) {
		return nil, fmt.Errorf("%w; fetch them with: %s", err, pull)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the published prompts: %w", err)
	}
	return prompt.Named(texts), nil
}

// Pull downloads the files into a folder. What is there already, whole and right, is
// not fetched again, and a download that was cut off is resumed. each is told of every
// file as it is there, and whether it was there before. Errors are those of
// internal/download.
func (r Release) Pull(ctx context.Context, dir string, each func(f File, before bool)) error {
	for _, f := range r.Files {
		to := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		d := download.New(strings.TrimSuffix(r.URL, "/")+"/"+f.Path, f.SHA256, to)
		d.Bytes = f.Bytes
		before, err := d.Run(ctx)
		if err != nil {
			return err
		}
		each(f, before)
	}
	return nil
}

// read returns a file of a folder that Pull has filled.
func (r Release) read(dir, path string) (string, error) {
	for _, f := range r.Files {
		if f.Path != path {
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(path))
		content, err := datafile.Read(name, 1<<20)
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%w: no %s", ErrNotPulled, name)
		}
		if err != nil {
			return "", err
		}
		if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != f.SHA256 {
			return "", fmt.Errorf("%w: %s has the SHA-256 %x, wanted is %s; remove that file", ErrNotPulled, name, sum, f.SHA256)
		}
		return string(content), nil
	}
	return "", fmt.Errorf("the release has no %s", path)
}

// Fetch is Pull for people: it checks the address, prints what becomes of each file, and says how
// to measure with the prompts. An empty dir is the folder in the user's cache. What is wrong with
// the address or the folder is a usage.Error.
func (r Release) Fetch(ctx context.Context, w io.Writer, dir string) error {
	if err := download.CheckURL(r.URL); err != nil {
		return usage.Errorf("--url %w", err)
	}
	use := "--prompts published"
	if dir != "" {
		use += ":" + dir
	} else {
		var err error
		if dir, err = r.CacheDir(); err != nil {
			return usage.Errorf("%w; name a folder with --to", err)
		}
	}
	err := r.Pull(ctx, dir, func(f File, before bool) {
		how := "downloaded"
		if before {
			how = "there already"
		}
		printable.Fprintf(w, "%-31s %6d bytes, %s\n", f.Path, f.Bytes, how)
	})
	if errors.Is(err, download.ErrInTheWay) {
		return usage.Wrap(err)
	}
	if err != nil {
		return err
	}
	_, err = printable.Fprintf(w, "%s at %.7s, under its %s licence, is in %s\nMeasure with it: agentd run %s\n",
		Repository, r.Commit, Licence, dir, use)
	return err
}
