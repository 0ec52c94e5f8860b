// Package split has a model write the instructions of an environment as several messages, as a
// person says them in a chat. What the model writes is checked: no name, no number and no
// quoted text may be lost or added.
package split

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/environments"
	"agentd/internal/lazyregexp"
	"agentd/internal/opinion"
)

//go:embed split.md
var prompts embed.FS

// mostMessages is how many messages an instruction may become.
const mostMessages = 5

// Instruction is the result for one instruction.
type Instruction struct {
	Environment, Edit, Direction string
	Messages                     int    // 1 if it stays whole
	Why                          string // it stays whole; empty if it does not
}

// Environment returns an environment with its instructions in parts, and the result for each. An
// instruction that already has parts keeps them. If the model does not split one faithfully, it
// stays whole. The error is that of ask.
func Environment(env environments.Environment, ask opinion.Asker) (environments.Environment, []Instruction, error) {
	env.Edits = slices.Clone(env.Edits)
	var all []Instruction
	for i := range env.Edits {
		e := &env.Edits[i]
		for _, one := range []struct {
			direction, whole string
			parts            *[]string
		}{{"forward", e.Forward, &e.Parts.Forward}, {"backward", e.Backward, &e.Parts.Backward}} {
			became := Instruction{Environment: env.Name, Edit: e.Name, Direction: one.direction}
			if len(*one.parts) == 0 {
				parts, err := parts(one.whole, ask)
				if err != nil && !errors.Is(err, domains.ErrNoAnswer) {
					return env, all, fmt.Errorf("%s, edit %s: %w", env.Name, e.Name, err)
				}
				if *one.parts = parts; err != nil {
					became.Why = err.Error()
				}
			}
			became.Messages = max(len(*one.parts), 1)
			all = append(all, became)
		}
	}
	return env, all, nil
}

// parts asks for the messages of one instruction.
func parts(whole string, ask opinion.Asker) ([]string, error) {
	text, err := opinion.Prompt(prompts, "split.md", map[string]any{
		"Most": mostMessages, "Instruction": opinion.FramedText("instruction", whole),
	})
	if err != nil {
		return nil, err
	}
	var found []string
	_, err = ask(text, func(answer map[string]any) (err error) {
		found, err = read(answer, whole)
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// read takes the messages out of an answer and checks them.
func read(answer map[string]any, whole string) ([]string, error) {
	list, _ := answer["messages"].([]any)
	if len(list) < 2 || len(list) > mostMessages {
		return nil, fmt.Errorf("it has %d messages, not from 2 to %d", len(list), mostMessages)
	}
	messages := make([]string, len(list))
	for i, one := range list {
		text, _ := one.(string)
		if messages[i] = strings.TrimSpace(text); messages[i] == "" {
			return nil, fmt.Errorf("message %d says nothing", i+1)
		}
	}
	said := environments.JoinParts(messages)
	before, after := facts(whole), facts(said)
	for _, fact := range slices.Sorted(maps.Keys(before)) {
		if _, there := after[fact]; !there && !strings.Contains(said, fact) {
			return nil, fmt.Errorf("it has lost %q", fact)
		}
	}
	for _, fact := range slices.Sorted(maps.Keys(after)) {
		if after[fact] && !strings.Contains(whole, fact) {
			return nil, fmt.Errorf("it has added %q", fact)
		}
	}
	return messages, nil
}

var (
	quoted   = lazyregexp.New("`[^`]+`")
	fileName = lazyregexp.New(`[\p{L}\p{N}_*-]+(?:\.[\p{L}\p{N}_*-]+)*\.[a-z][a-z0-9]{1,5}\b`)
	figure   = lazyregexp.New(`\d+(?:[.,:/]\d+)*`)
	// aName is a word with a capital letter that does not begin a sentence, or one that has several.
	capital = lazyregexp.New(`\p{Lu}`)
	aName   = lazyregexp.New(`[\p{L}\p{N}_'-]*\p{Lu}[\p{L}\p{N}_'-]*`)
)

// facts are the parts of a text that a change of wording must leave as they are: quoted texts,
// names of files, numbers and other names. True are those that may not be added either;
// names are not among them, since any word may begin a sentence.
func facts(text string) map[string]bool {
	all := map[string]bool{}
	for _, hard := range []*lazyregexp.Regexp{quoted, fileName, figure} {
		for _, fact := range hard.FindAllString(text, -1) {
			all[fact] = true
		}
	}
	for _, at := range aName.FindAllStringIndex(text, -1) {
		name := text[at[0]:at[1]]
		capitals := len(capital.FindAllString(name, -1))
		if _, known := all[name]; !known && (capitals > 1 || !beginsSentence(text[:at[0]])) {
			all[name] = false
		}
	}
	return all
}

// beginsSentence reports whether what comes after a text begins a sentence.
func beginsSentence(before string) bool {
	before = strings.TrimRight(before, " \n\t`'\"([")
	return before == "" || strings.ContainsAny(before[len(before)-1:], ".!?:;")
}
