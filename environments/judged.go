package environments

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"agentd/internal/usage"
	"agentd/internal/yamlsafe"
	"agentd/vfs"
)

// The judged edits of built-in environments, one file for each environment: NAME.yaml. They are
// separate because a run needs a judge for them.
//
//go:embed judged
var judged embed.FS

// mostStatements is how many statements a judged edit may have: a judge reads them at once.
const mostStatements = 20

// JudgedNames returns the names of the built-in environments that have judged edits.
func JudgedNames() []string {
	entries, err := judged.ReadDir("judged")
	if err != nil {
		panic(err) // it is embedded
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".yaml")
	}
	return names
}

// AddJudged adds the judged edits of a built-in environment to its own, and returns how many there
// are; 0 for an environment without any.
func (e *Environment) AddJudged() (int, error) {
	text, err := judged.ReadFile("judged/" + e.Name + ".yaml")
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var edits []Edit
	if err := yamlsafe.Unmarshal(text, &edits); err != nil {
		return 0, fmt.Errorf("reading the judged edits of %s: %w", e.Name, err)
	}
	e.Edits = append(slices.Clone(e.Edits), edits...)
	return len(edits), e.check()
}

// Judged returns the number of judged edits.
func (e *Environment) Judged() int {
	n := 0
	for _, edit := range e.Edits {
		if len(edit.Judged) > 0 {
			n++
		}
	}
	return n
}

// checkJudged refuses a judged edit that a judge could not rate.
func (e *Environment) checkJudged(edit Edit) error {
	switch {
	case len(edit.Judged) == 0:
		return nil
	case !edit.Oracle.IsZero():
		return errors.New("it has an oracle and is judged; leave one of them out")
	case len(edit.Judged) > mostStatements:
		return fmt.Errorf("it has %d statements to judge; %d are the most", len(edit.Judged), mostStatements)
	case slices.ContainsFunc(edit.Judged, func(s string) bool { return strings.TrimSpace(s) == "" }):
		return errors.New("a statement to judge is empty")
	case slices.ContainsFunc(slices.Concat(e.Seed.Names(), edit.Targets), vfs.Binary):
		return errors.New("it is judged, and a judge reads text only")
	}
	return nil
}

// CheckJudged returns a usage.Error if none of the environments has a judged edit.
func CheckJudged(envs []Environment) error {
	if slices.ContainsFunc(envs, func(e Environment) bool { return e.Judged() > 0 }) {
		return nil
	}
	return usage.Errorf("none of the environments has judged edits; the built-in ones with such are %s", strings.Join(JudgedNames(), ", "))
}
