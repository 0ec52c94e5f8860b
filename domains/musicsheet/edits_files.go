package musicsheet

import (
	"errors"
	"fmt"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitByVariable makes a file of each variable with music or lyrics, and includes it where the
// variable stood.
func splitByVariable(p struct {
	Document string
	Frame    string // the file for all else
}) exact.Steps {
	forward := func(tokens []token) (vfs.Files, error) {
		made := vfs.Files{}
		var frame []token
		for part := range definitions(tokens) {
			if part[0].kind != nameToken || part[len(part)-1].kind != closeToken {
				frame = append(frame, part...)
				continue
			}
			name := variableName(part[0].text) + ".ly"
			if _, taken := made[name]; taken || name == p.Frame {
				return nil, fmt.Errorf("two files would be %s", name)
			}
			frame = append(frame, token{kind: markToken, space: part[0].space, text: `\include "` + name + `"`})
			part[0].space = ""
			made[name] = printed(part) + "\n"
		}
		if len(made) == 0 {
			return nil, errors.New("no variable has music or lyrics")
		}
		made[p.Frame] = printed(frame)
		return made, nil
	}
	return scores.Whole(p.Document, forward, func(files vfs.Files) ([]token, error) {
		tokens, err := scores.Named(files, p.Frame)
		for i := range tokens {
			k := &tokens[i]
			if commandName(k.text) != `\include` {
				continue
			}
			if text, here := files[unquoted(strings.TrimSpace(k.text[len(`\include`):]))]; here {
				k.text = strings.TrimRight(text, "\n")
			}
		}
		return scores.Read(printed(tokens)), err
	})
}

// takeLyrics writes the lyrics in whole words to a sheet and lists those that were divided. A
// variable stays without its words.
func takeLyrics(p struct{ Document, To, Sheet, Table string }) exact.Steps {
	columns := []string{"variable", "n", "word", "syllables"}
	return scores.Rewrite(p.Document, p.To, func(tokens *[]token) (vfs.Files, error) {
		var music []token
		var sheet strings.Builder
		table := [][]string{columns}
		seen := map[string]bool{}
		for part := range definitions(*tokens) {
			if !isLyrics(part) {
				music = append(music, part...)
				continue
			}
			name, last := variableName(part[0].text), part[len(part)-1]
			if seen[name] {
				return nil, fmt.Errorf("%s is defined twice", name)
			}
			seen[name] = true
			text, divided := wholeWords(part[3 : len(part)-1])
			fmt.Fprintf(&sheet, "## %s\n\n%s\n", name, plain.Text(trimmed(text)))
			for _, d := range divided {
				table = append(table, append([]string{name}, d...))
			}
			last.space = " "
			music = append(append(music, part[:3]...), last)
		}
		if sheet.Len() == 0 {
			return nil, errors.New("no variable has lyrics")
		}
		*tokens = music
		return vfs.Files{p.Sheet: strings.TrimSuffix(sheet.String(), "\n"), p.Table: plain.WriteCSV(table)}, nil
	}, func(tokens *[]token, files vfs.Files) error {
		sheet, err := plain.File(files, p.Sheet)
		if err != nil {
			return err
		}
		rows, err := plain.Table(files, p.Table, columns...)
		words := map[event]string{}
		for _, row := range rows {
			words[eventOf(row)] = row[3]
		}
		*tokens = withLyrics(*tokens, sheet, words)
		return err
	})
}

// withLyrics fills variables with the lines of a sheet.
func withLyrics(tokens []token, sheet string, words map[event]string) (filled []token) {
	texts := map[string]string{}
	for _, section := range strings.Split("\n"+sheet, "\n## ")[1:] {
		name, text, _ := strings.Cut(section, "\n")
		texts[strings.TrimSpace(name)] = "  " + strings.Join(trimmed(text), "\n  ")
	}
	for part := range definitions(tokens) {
		if isLyrics(part) {
			name, last := variableName(part[0].text), part[len(part)-1]
			last.space = "\n"
			part = append(part[:3:3], token{space: "\n", text: dividedWords(name, texts[name], words)}, last)
		}
		filled = append(filled, part...)
	}
	return filled
}

// isLyrics reports whether a definition is name = \lyricmode { … }.
func isLyrics(tokens []token) bool {
	const least = 4
	if len(tokens) < least || tokens[2].kind != openToken || tokens[len(tokens)-1].kind != closeToken {
		return false
	}
	command := commandName(tokens[1].text)
	return command == `\lyricmode` || command == `\lyrics`
}

// wholeWords joins syllables. Of each word that was written otherwise it gives the
// number, the word, and how it was written.
func wholeWords(tokens []token) (text string, divided [][]string) {
	var b strings.Builder
	number := 0
	for i := 0; i < len(tokens); i++ {
		k := &tokens[i]
		b.WriteString(k.space)
		if k.kind != syllableToken {
			b.WriteString(k.text)
			continue
		}
		number++
		word, written := k.text, k.text
		for n := joined(tokens[i:]); n > 0; n = joined(tokens[i:]) {
			if n == 2 {
				word += tokens[i+2].text
			}
			for range n {
				i++
				written += tokens[i].space + tokens[i].text
			}
		}
		b.WriteString(word)
		if word != written {
			divided = append(divided, []string{fmt.Sprint(number), word, squeezed(written)})
		}
	}
	return b.String(), divided
}

// joined is how many tokens after a syllable belong to its word: an extender, or a
// hyphen and the next syllable. Quoted syllables and markup stay as they are.
func joined(tokens []token) int {
	switch {
	case len(tokens) < 2 || tokens[1].kind != joinToken || isSetOff(tokens[0].text):
		return 0
	case tokens[1].text == "__":
		return 1
	case len(tokens) > 2 && tokens[2].kind == syllableToken && !isSetOff(tokens[2].text):
		return 2
	}
	return 0
}

func isSetOff(syllable string) bool { return syllable[0] == '"' || syllable[0] == '\\' }

// trimmed are the lines of a text without their indents.
func trimmed(text string) []string {
	return lists.Map(plain.Lines(strings.TrimSpace(text)), strings.TrimSpace)
}

// dividedWords writes words as they were.
func dividedWords(name, text string, words map[event]string) string {
	t := tokenizer{scanner: scanner{text: text}, context: newContext(), open: []bracket{{}, {lyrics: true}}}
	t.run()
	number := 0
	for i := range t.tokens {
		if k := &t.tokens[i]; k.kind == syllableToken {
			number++
			if written, divided := words[event{name, number}]; divided {
				k.text = written
			}
		}
	}
	return printed(t.tokens)
}
