// Package interference finds out whether distractors interfere with an edit (paper, Appendix
// K.7). A judge sees everything and chooses a kind. Rules find what files alone show:
// collisions of names, and leaks of an edit's correct result.
package interference

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/environments"
	"agentd/environments/tokens"
	"agentd/internal/opinion"
	"agentd/vfs"
)

// Kinds are none, and the five ways in which distractors can interfere.
func Kinds() []opinion.Category {
	return []opinion.Category{
		{Name: "none", Head: "no interference", Meaning: "the other files do not get in the way of this edit"},
		{Name: "collision", Head: "file name collision", Meaning: "another file has, or could be taken to have, the name of a file that the edit works on or makes"},
		{Name: "confusion", Head: "content confusion", Meaning: "another file is so much like the documents that its content could be worked in"},
		{Name: "scope", Head: "scope ambiguity", Meaning: "the instruction can be read as meaning other files too, as in “merge all CSV files”"},
		{Name: "leak", Head: "information leak", Meaning: "another file shows a part of what the edit should make"},
		{Name: "structural", Head: "structural interference", Meaning: "the other files change how the set of the documents' files is to be understood"},
	}
}

// Places in Kinds.
const (
	None      = 0
	collision = 1
	leak      = 4
)

// Found is an interference that a rule found.
type Found struct {
	Kind int    // a place in Kinds
	File string // the distractor
	What string
}

const (
	// leakLine is how many characters a line must have to tell anything, and leakLines how many
	// such lines of what an edit makes a distractor must hold.
	leakLine, leakLines = 20, 3
	// LeastTokens must stay of the distractors where one is deleted (paper, Appendix K.7).
	LeastTokens = 5_000
)

// ByRules returns what the files of an edit show, in the order of the distractors' names. d is
// the environment's domain, which may know what the edit makes; nil if it is not built.
func ByRules(env *environments.Environment, edit environments.Edit, d domains.Domain) []Found {
	var all []Found
	made := linesOf(env.Seed)
	if oracle, ok := env.OracleFor(edit, d); ok {
		if after, err := oracle.Forward(env.Seed); err == nil {
			made = union(made, linesOf(after))
		}
	}
	for _, name := range env.Distractors.Names() {
		if target, is := collides(env, edit, name); is {
			all = append(all, Found{collision, name, fmt.Sprintf("its name is that of %s, or could be taken for it", target)})
		}
		shared := 0
		for line := range linesOf(vfs.Files{name: env.Distractors[name]}) {
			if made[line] {
				shared++
			}
		}
		if shared >= leakLines {
			all = append(all, Found{leak, name, fmt.Sprintf("%d of its lines are lines of the documents, or of what the edit makes of them", shared)})
		}
	}
	return all
}

// Interference is what interferes with one edit.
type Interference struct {
	Environment, Edit string
	Kind              int // a place in Kinds
	Why               string
}

// Count counts the examined edits.
type Count struct {
	Edits, Disturbed int
	// Unanswered counts edits for which the judge gave no readable answer.
	Unanswered int
}

// Find examines every edit of environments, by the rules and, unless ask is nil, with a judge.
// It calls tell for each interference. find finds a domain by name.
func Find(ctx context.Context, envs []environments.Environment, find func(name string) (domains.Domain, bool), ask opinion.Asker, tell func(Interference)) (Count, error) {
	var counted Count
	for i := range envs {
		d, _ := find(envs[i].Domain)
		for _, edit := range envs[i].Edits {
			if err := ctx.Err(); err != nil {
				return counted, err
			}
			disturbed, err := counted.look(&envs[i], edit, d, ask, tell)
			if err != nil {
				return counted, err
			}
			counted.Edits++
			if disturbed {
				counted.Disturbed++
			}
		}
	}
	return counted, nil
}

// look examines one edit and reports whether anything interferes with it.
func (c *Count) look(env *environments.Environment, edit environments.Edit, d domains.Domain, ask opinion.Asker, tell func(Interference)) (disturbed bool, err error) {
	for _, found := range ByRules(env, edit, d) {
		left, err := Without(env, found.File)
		if err != nil {
			return false, err
		}
		rest := fmt.Sprintf("without it %d tokens of distractors stay", left)
		if left < LeastTokens {
			rest += fmt.Sprintf(", fewer than %d", LeastTokens)
		}
		disturbed = true
		tell(Interference{env.Name, edit.Name, found.Kind, fmt.Sprintf("%s: %s; %s", found.File, found.What, rest)})
	}
	if ask == nil {
		return disturbed, nil
	}
	choice, err := Judge(ask, env, edit)
	switch {
	case errors.Is(err, domains.ErrNoAnswer):
		c.Unanswered++
		return disturbed, nil
	case err != nil || choice.Category == None:
		return disturbed, err
	}
	tell(Interference{env.Name, edit.Name, choice.Category, "judged: " + choice.Why})
	return true, nil
}

// collides reports whether a distractor has the name of a document, or of a file that an edit
// makes, folders and capitals apart.
func collides(env *environments.Environment, edit environments.Edit, name string) (target string, is bool) {
	bare := strings.ToLower(path.Base(name))
	for _, target := range slices.Concat(env.Seed.Names(), env.Targets, edit.Targets) {
		if fits, err := path.Match(strings.ToLower(path.Base(target)), bare); fits && err == nil {
			return target, true
		}
	}
	return "", false
}

// linesOf are the lines of files that are long enough to tell anything.
func linesOf(files vfs.Files) map[string]bool {
	all := map[string]bool{}
	for _, text := range files {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); len([]rune(line)) >= leakLine {
				all[line] = true
			}
		}
	}
	return all
}

func union(a, b map[string]bool) map[string]bool {
	for line := range b {
		a[line] = true
	}
	return a
}

// Without returns how many tokens of distractors remain if one is deleted.
func Without(env *environments.Environment, distractor string) (int, error) {
	left := env.Distractors.Clone()
	delete(left, distractor)
	return tokens.Count(left)
}

//go:embed prompts
var prompts embed.FS

// Judge has a judge choose one of Kinds for an edit.
func Judge(ask opinion.Asker, env *environments.Environment, edit environments.Edit) (opinion.Choice, error) {
	prompt, err := opinion.Prompt(prompts, "prompts/interference.md", map[string]any{
		"Forward": opinion.FramedText("the first instruction", edit.Forward), "Backward": opinion.FramedText("the second instruction", edit.Backward),
		"Targets": opinion.FramedText("the files to be made", strings.Join(edit.Targets, "\n")),
		"Seed":    opinion.Framed("a document", env.Seed), "Distractors": opinion.Framed("another file", env.Distractors),
	})
	if err != nil {
		return opinion.Choice{}, err
	}
	return ask.Choose(prompt, Kinds())
}
