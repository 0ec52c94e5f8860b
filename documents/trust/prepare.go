package trust

import (
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"agentd/environments"
	"agentd/internal/charset"
	"agentd/internal/lazyregexp"
	"agentd/internal/usage"
	"agentd/vfs"
)

// Options controls how documents become environments.
type Options struct {
	Edits       int              // most edits to derive for a document
	Seed        uint64           // for the choice of edits
	Encoding    charset.Encoding // of files that are not UTF-8; the zero value detects it
	Distractors bool             // use other files in the document's folder as distractors
	// Instructions are edits of every document, instead of derived ones; nil to derive edits.
	Instructions []environments.Edit
}

// Check returns a usage.Error if no environment can be made with the options.
func (o Options) Check() error {
	if o.Edits < 1 {
		return usage.Errorf("--derived %d: use at least 1", o.Edits)
	}
	return nil
}

// Prepare makes an environment of every found document, in order. Its Title is the document's
// path. A document for which that is not possible is skipped, with Asked set.
func Prepare(found []Found, o Options) ([]environments.Environment, []Skipped) {
	made, failed := make([]environments.Environment, len(found)), make([]error, len(found))
	var work errgroup.Group
	work.SetLimit(runtime.NumCPU())
	taken := map[string]int{}
	for i := range found {
		name := nameOf(found[i].Path)
		if taken[name]++; taken[name] > 1 {
			name = fmt.Sprintf("%s-%d", name, taken[name])
		}
		work.Go(func() error {
			made[i], failed[i] = found[i].environment(name, o)
			return nil
		})
	}
	_ = work.Wait() // the errors are in failed
	var envs []environments.Environment
	var skipped []Skipped
	for i, err := range failed {
		if err == nil {
			envs = append(envs, made[i])
			continue
		}
		skipped = append(skipped, Skipped{
			Path: found[i].Path, Why: fmt.Sprintf("%s: %v", found[i].Domain.Info().Name, err), Asked: true,
		})
	}
	return envs, skipped
}

// Environments finds documents of all domains at paths and makes environments of them. If there are none, the error is a usage.Error.
func Environments(paths []string, o Options) ([]environments.Environment, []Skipped, error) {
	found, skipped, err := Find(paths, "", o.Encoding)
	if err != nil {
		return nil, nil, err
	}
	envs, more := Prepare(found, o)
	if skipped = append(skipped, more...); len(envs) == 0 {
		return nil, skipped, NoDocuments(skipped)
	}
	return envs, skipped, nil
}

// environment derives edits for a document.
func (d *Found) environment(name string, o Options) (environments.Environment, error) {
	env, err := environments.Own{Name: name, Documents: d.Files, Encodings: d.Encodings, Edits: o.Edits, Seed: o.Seed, Instructions: o.Instructions}.Environment(d.Domain)
	if err != nil {
		return env, err
	}
	env.Title = filepath.ToSlash(d.Path)
	if why := env.Unscorable(); why != "" {
		return env, fmt.Errorf("no score can be had: %s", why)
	}
	if o.Distractors {
		others, err := d.neighbours()
		if err != nil {
			return env, err
		}
		for _, other := range others.Names() {
			if vfs.Check(env.Seed, vfs.Files{other: others[other]}) == nil {
				_ = env.Distract(other, others[other]) // skip one that an edit would overwrite
			}
		}
	}
	return env, vfs.Check(env.Seed, env.Distractors)
}

// notInNames matches the characters that the name of an environment may not have.
var notInNames = lazyregexp.New(`[^\pL\pN._-]+`)

// nameOf makes an environment's name from the last two parts of a document's path.
func nameOf(p string) string {
	levels := strings.Split(path.Clean(filepath.ToSlash(p)), "/")
	levels = slices.DeleteFunc(levels, func(level string) bool { return level == "" || level == ".." || level == "." })
	levels = levels[max(0, len(levels)-2):]
	name := strings.TrimLeft(notInNames.ReplaceAllString(strings.Join(levels, "-"), "_"), "-.")
	if len(name) > 100 {
		name = strings.ToValidUTF8(name[len(name)-100:], "")
	}
	if vfs.CleanName(name) != nil {
		return "document"
	}
	return name
}
