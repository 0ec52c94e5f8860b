package musicsheet

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// transposed moves all pitches by the interval from one, in Dutch, to another.
func transposed(p struct{ Document, To, From, Up string }) exact.Steps {
	low, ok := readPitch(p.From)
	high, too := readPitch(p.Up)
	if !ok || !too {
		return exact.Refuse("from and up must be pitches such as c'")
	}
	up, down := between(low, high), between(high, low)
	return scores.Rewrite(p.Document, p.To,
		func(tokens *[]token) (vfs.Files, error) { return nil, transpose(*tokens, up) },
		func(tokens *[]token, _ vfs.Files) error { return transpose(*tokens, down) })
}

// transpose moves all that names a pitch: notes, keys and what \relative starts from.
func transpose(tokens []token, by interval) error {
	c := newContext()
	started := map[int]bool{} // scopes whose first note was seen
	bare := map[int]bool{}    // scopes without a pitch to start from
	for i := range tokens {
		k := &tokens[i]
		c.follow(k)
		switch command := commandName(k.text); {
		case command == `\relative`:
			if argument := strings.TrimSpace(k.text[len(command):]); argument == "" {
				bare[c.scopes] = true
			}
			if err := c.movePitch(k, by); err != nil {
				return err
			}
		case command == `\key`:
			if err := c.movePitch(k, by); err != nil {
				return err
			}
		case command == `\transpose` || command == `\fixed` || strings.HasPrefix(k.text, ":") && strings.Contains(k.text, "/"):
			return fmt.Errorf("cannot transpose %s", k.text)
		}
		if !k.isPitched() {
			continue
		}
		if strings.Contains(k.tone.rest, "=") {
			return errOctaveCheck
		}
		p := k.tone.pitch.up(by)
		name := c.language.print(p)
		if name == "" {
			return fmt.Errorf("%s has no name when transposed", k.text)
		}
		if scope := k.tone.scope; scope == 0 {
			k.tone.marks = octaveMarks(octaveOf(k.tone.marks) + p.octave - k.tone.pitch.octave)
		} else if !started[scope] && bare[scope] {
			k.tone.marks = p.marksAfter(k.tone.from)
		}
		started[k.tone.scope] = true
		k.tone.name = name
		k.rewrite()
	}
	return nil
}

var errOctaveCheck = errors.New("octave checks cannot be changed")

// follow keeps up with the language, and with the scopes of relative notation.
func (c *context) follow(k *token) {
	switch commandName(k.text) {
	case `\language`:
		c.speak(strings.TrimSpace(k.text[len(`\language`):]))
	case `\relative`:
		c.scopes++
	}
}

// movePitch transposes the pitch after a command.
func (c *context) movePitch(k *token, by interval) error {
	return c.changePitch(k, func(p pitch) (string, error) {
		p = p.up(by)
		name := c.language.print(p)
		if name == "" {
			return "", fmt.Errorf("%s has no name when transposed", k.text)
		}
		if commandName(k.text) == `\key` {
			return name, nil
		}
		return name + octaveMarks(p.octave), nil
	})
}

// changePitch rewrites the pitches after a command.
func (c *context) changePitch(k *token, write func(pitch) (string, error)) error {
	command := commandName(k.text)
	t := tokenizer{scanner: scanner{text: k.text, pos: len(command)}, context: c}
	out := command
	for {
		before := t.pos
		p, ok := t.pitchArgument()
		if !ok {
			k.text = out + t.text[before:]
			return nil
		}
		name, err := write(p)
		if err != nil {
			return err
		}
		out += " " + name
	}
}

// renameNotes writes the names of notes in another language than Dutch, and says so at the top.
func renameNotes(p struct{ Document, To, Language string }) exact.Steps {
	other, known := languages[p.Language]
	if !known {
		return exact.Refuse("LilyPond has no language " + p.Language)
	}
	isLanguage := func(k token) bool { return commandName(k.text) == `\language` }
	return scores.Rewrite(p.Document, p.To, func(tokens *[]token) (vfs.Files, error) {
		if slices.ContainsFunc(*tokens, isLanguage) {
			return nil, errors.New("the score names a language")
		}
		translate(*tokens, newContext(), other)
		*tokens = slices.Insert(*tokens, 0, token{kind: markToken, text: `\language "` + p.Language + `"` + "\n"})
		return nil, nil
	}, func(tokens *[]token, _ vfs.Files) error {
		*tokens = slices.DeleteFunc(*tokens, isLanguage)
		if len(*tokens) > 0 {
			(*tokens)[0].space = strings.TrimLeft((*tokens)[0].space, "\n")
		}
		c := newContext()
		c.language = other
		translate(*tokens, c, languages[defaultLanguage])
		return nil
	})
}

// translate writes all names of notes in another language.
func translate(tokens []token, from *context, to *language) {
	for i := range tokens {
		k := &tokens[i]
		switch commandName(k.text) {
		case `\relative`, `\key`, `\transpose`, `\fixed`, `\transposition`, `\octaveCheck`:
			_ = from.changePitch(k, func(p pitch) (string, error) { return to.print(p) + octaveMarks(p.octave), nil })
			continue
		}
		if p, known := from.language.lookup(k.tone.name); known && k.isPitched() {
			k.tone.name = to.print(p)
			k.rewrite()
		}
	}
}

// absoluteOctaves writes the octaves of variables in relative notation out. The table has the
// pitches that they started from.
func absoluteOctaves(p struct{ Document, To, Table string }) exact.Steps {
	return scores.Rewrite(p.Document, p.To, func(tokens *[]token) (vfs.Files, error) {
		table := [][]string{{"variable", "start"}}
		var kept []token
		for i, k := range *tokens {
			if commandName(k.text) == `\relative` {
				if i == 0 || (*tokens)[i-1].kind != nameToken {
					return nil, errors.New(`\relative stands elsewhere than in front of a variable's music`)
				}
				table = append(table, []string{variableName((*tokens)[i-1].text), strings.TrimSpace(k.text[len(`\relative`):])})
				continue
			}
			if k.tone.scope != 0 && k.tone.name != "" {
				k.tone.marks = octaveMarks(k.tone.pitch.octave)
				k.rewrite()
			}
			kept = append(kept, k)
		}
		if len(table) == 1 {
			return nil, errors.New(`no variable has \relative`)
		}
		*tokens = kept
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}, func(tokens *[]token, files vfs.Files) error {
		starts, err := exact.ReadRegister(files, p.Table, "variable", "start")
		*tokens = toRelative(*tokens, starts)
		return err
	})
}

// toRelative writes the octaves of variables relative to the notes before, the first one's to a
// start.
func toRelative(tokens []token, starts map[string]string) (all []token) {
	s := newSequence()
	scope := 0 // a number for each variable with a start
	for _, k := range tokens {
		switch {
		case k.kind == nameToken:
			scope = 0
			start, listed := starts[variableName(k.text)]
			if !listed {
				break
			}
			all = append(all, k)
			k = token{kind: markToken, space: " ", text: strings.TrimSpace(`\relative ` + start)}
			scope = len(all)
			s.changed[scope], s.last[scope] = true, pitch{step: 3}
			if p, ok := readPitch(start); ok {
				s.last[scope] = p
			}
		case k.kind == closeToken && k.depth == 0:
			scope = 0
		case k.isPitched():
			k.tone.scope = scope
		}
		s.keep(&k)
		all = append(all, k)
	}
	return all
}
