package musicsheet

import (
	"errors"
	"fmt"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const transposedFile = "score_transposed.ly"

// majorSecond is from c to d.
var majorSecond = between(pitch{}, pitch{step: 1})

func transposeUp(files vfs.Files) (vfs.Files, error) {
	tokens, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if err := transpose(tokens, majorSecond); err != nil {
		return nil, err
	}
	return vfs.Files{transposedFile: printed(tokens)}, nil
}

func transposeDown(files vfs.Files) (vfs.Files, error) {
	tokens, err := readNamed(files, transposedFile)
	if err != nil {
		return nil, err
	}
	if err := transpose(tokens, interval{-majorSecond.places, -majorSecond.height}); err != nil {
		return nil, err
	}
	return asDocument(tokens), nil
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
		if k.tone.name == "" || k.kind != noteToken && k.kind != restToken || k.tone.scope == 0 && k.kind == restToken && len(k.tone.name) == 1 && strings.Contains("rRs", k.tone.name) {
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
		if l, known := languages[unquoted(strings.TrimSpace(k.text[len(`\language`):]))]; known {
			c.language = l
		}
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

const englishFile = "score_english.ly"

var errLanguage = errors.New("the score names a language")

func toEnglish(files vfs.Files) (vfs.Files, error) {
	tokens, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	for i := range tokens {
		if name := commandName(tokens[i].text); name == `\language` {
			return nil, errLanguage
		}
	}
	translate(tokens, newContext(), languages["english"])
	line := token{kind: markToken, text: `\language "english"` + "\n"}
	return vfs.Files{englishFile: printed([]token{line}) + printed(tokens)}, nil
}

func toDutch(files vfs.Files) (vfs.Files, error) {
	tokens, err := readNamed(files, englishFile)
	if err != nil {
		return nil, err
	}
	kept := tokens[:0:0]
	for _, k := range tokens {
		if commandName(k.text) != `\language` {
			kept = append(kept, k)
		}
	}
	if len(kept) > 0 {
		kept[0].space = strings.TrimLeft(kept[0].space, "\n")
	}
	c := newContext()
	c.language = languages["english"]
	translate(kept, c, languages[defaultLanguage])
	return asDocument(kept), nil
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
		if p, known := from.language.lookup(k.tone.name); known && (k.kind == noteToken || k.kind == restToken) {
			k.tone.name = to.print(p)
			k.rewrite()
		}
	}
}

const (
	absoluteFile = "score_absolute.ly"
	relativeFile = "relative.csv"
)

var relativeColumns = []string{"variable", "start"}

var errRelative = errors.New(`\relative stands elsewhere than in front of a variable's music`)

// toAbsolute writes the octaves of variables in relative notation out.
func toAbsolute(files vfs.Files) (vfs.Files, error) {
	tokens, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{relativeColumns}
	kept := make([]token, 0, len(tokens))
	for i := range tokens {
		k := &tokens[i]
		if commandName(k.text) == `\relative` {
			if i == 0 || tokens[i-1].kind != nameToken {
				return nil, errRelative
			}
			table = append(table, []string{variableName(tokens[i-1].text), strings.TrimSpace(k.text[len(`\relative`):])})
			continue
		}
		if k.tone.scope != 0 && k.tone.name != "" {
			k.tone.marks = octaveMarks(k.tone.pitch.octave)
			k.rewrite()
		}
		kept = append(kept, *k)
	}
	if len(table) == 1 {
		return nil, errors.New(`no variable has \relative`)
	}
	return vfs.Files{absoluteFile: printed(kept), relativeFile: plain.WriteCSV(table)}, nil
}

func toRelative(files vfs.Files) (vfs.Files, error) {
	tokens, err := readNamed(files, absoluteFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, relativeFile, relativeColumns...)
	if err != nil {
		return nil, err
	}
	starts := map[string]string{}
	for _, row := range rows {
		starts[row[0]] = row[1]
	}
	out := make([]token, 0, len(tokens)+len(rows))
	var last *pitch
	inChord := false
	var first *pitch
	for i := range tokens {
		k := tokens[i]
		switch k.kind {
		case nameToken:
			out = append(out, k)
			last = nil
			start, listed := starts[variableName(k.text)]
			if !listed {
				continue
			}
			last = &pitch{step: 3}
			t := tokenizer{scanner: scanner{text: start}, context: newContext()}
			if p, ok := t.pitchArgument(); ok {
				*last = p
			}
			out = append(out, token{kind: markToken, space: " ", text: strings.TrimSpace(`\relative ` + start)})
			continue
		case chordOpenToken:
			inChord, first = true, nil
		case chordCloseToken:
			inChord = false
			if first != nil && last != nil {
				*last = *first
			}
		case closeToken:
			if k.depth == 0 {
				last = nil
			}
		case noteToken, restToken:
			if _, named := languages[defaultLanguage].lookup(k.tone.name); last != nil && named {
				k.tone.marks = k.tone.pitch.marksAfter(*last)
				k.rewrite()
				*last = k.tone.pitch
				if p := k.tone.pitch; inChord && first == nil {
					first = &p
				}
			}
		}
		out = append(out, k)
	}
	return asDocument(out), nil
}
