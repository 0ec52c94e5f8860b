package musicsheet

import (
	"errors"
	"fmt"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const frameFile = "frame.ly"

// splitParts makes a file of each variable with music or lyrics, and includes it
// where the variable stood.
func splitParts(files vfs.Files) (vfs.Files, error) {
	tokens, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	out := vfs.Files{}
	var frame []token
	for i := 0; i < len(tokens); {
		n := definition(tokens[i:])
		if n == 0 || tokens[i+n-1].kind != closeToken {
			frame = append(frame, tokens[i])
			i++
			continue
		}
		name := variableName(tokens[i].text) + ".ly"
		if _, taken := out[name]; taken || name == frameFile {
			return nil, fmt.Errorf("two files would be %s", name)
		}
		frame = append(frame, token{kind: markToken, space: tokens[i].space, text: `\include "` + name + `"`})
		tokens[i].space = ""
		out[name] = printed(tokens[i:i+n]) + "\n"
		i += n
	}
	if len(out) == 0 {
		return nil, errors.New("no variable has music or lyrics")
	}
	out[frameFile] = printed(frame)
	return out, nil
}

// definition is how many tokens at the beginning define a variable: its name and one
// expression.
func definition(tokens []token) int {
	if len(tokens) == 0 || tokens[0].kind != nameToken {
		return 0
	}
	for n := 1; n < len(tokens); n++ {
		switch k := &tokens[n]; {
		case k.depth > 0:
		case k.kind == closeToken:
			return n + 1 + alternatives(tokens[n+1:])
		case k.kind == nameToken || isOutput(commandName(k.text)) || k.kind == endToken:
			return n
		}
	}
	return len(tokens)
}

// alternatives is how many tokens are \alternative with its braces.
func alternatives(tokens []token) int {
	if len(tokens) == 0 || commandName(tokens[0].text) != `\alternative` {
		return 0
	}
	for n := 1; n < len(tokens); n++ {
		if tokens[n].depth == 0 && tokens[n].kind == closeToken {
			return n + 1
		}
	}
	return len(tokens)
}

func mergeParts(files vfs.Files) (vfs.Files, error) {
	tokens, err := readNamed(files, frameFile)
	if err != nil {
		return nil, err
	}
	for i := range tokens {
		k := &tokens[i]
		if commandName(k.text) != `\include` {
			continue
		}
		name := unquoted(strings.TrimSpace(k.text[len(`\include`):]))
		if text, here := files[name]; here {
			k.text = strings.TrimRight(text, "\n")
		}
	}
	return asDocument(tokens), nil
}

const (
	musicFile       = "score_music.ly"
	lyricsFile      = "lyrics.md"
	hyphenationFile = "hyphenation.csv"
)

var hyphenationColumns = []string{"variable", "n", "word", "syllables"}

// takeLyrics writes the lyrics in whole words and lists those that were divided. A
// mark stays where a variable's words stood.
func takeLyrics(files vfs.Files) (vfs.Files, error) {
	tokens, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var music []token
	var sheet strings.Builder
	table := [][]string{hyphenationColumns}
	seen := map[string]bool{}
	for i := 0; i < len(tokens); {
		n := definition(tokens[i:])
		if !isLyrics(tokens[i : i+n]) {
			music = append(music, tokens[i])
			i++
			continue
		}
		name := variableName(tokens[i].text)
		if seen[name] {
			return nil, fmt.Errorf("%s is defined twice", name)
		}
		seen[name] = true
		text, divided := wholeWords(tokens[i+3 : i+n-1])
		fmt.Fprintf(&sheet, "## %s\n\n%s\n", name, plain.Text(trimmed(text)))
		for _, d := range divided {
			table = append(table, append([]string{name}, d...))
		}
		music = append(music, tokens[i:i+3]...)
		tokens[i+n-1].space = " "
		music = append(music, tokens[i+n-1])
		i += n
	}
	if sheet.Len() == 0 {
		return nil, errors.New("no variable has lyrics")
	}
	return vfs.Files{
		musicFile: printed(music), lyricsFile: strings.TrimSuffix(sheet.String(), "\n"), hyphenationFile: plain.WriteCSV(table),
	}, nil
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

func putLyrics(files vfs.Files) (vfs.Files, error) {
	tokens, err := readNamed(files, musicFile)
	if err != nil {
		return nil, err
	}
	sheet, err := plain.File(files, lyricsFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, hyphenationFile, hyphenationColumns...)
	if err != nil {
		return nil, err
	}
	words := map[event]string{}
	for _, row := range rows {
		words[eventOf(row)] = row[3]
	}
	texts := map[string]string{}
	for _, section := range strings.Split("\n"+sheet, "\n## ")[1:] {
		name, text, _ := strings.Cut(section, "\n")
		texts[strings.TrimSpace(name)] = "  " + strings.Join(trimmed(text), "\n  ")
	}
	var out []token
	for i := 0; i < len(tokens); {
		n := definition(tokens[i:])
		if !isLyrics(tokens[i : i+n]) {
			out = append(out, tokens[i])
			i++
			continue
		}
		name := variableName(tokens[i].text)
		out = append(out, tokens[i:i+3]...)
		out = append(out, token{space: "\n", text: dividedWords(name, texts[name], words)})
		tokens[i+n-1].space = "\n"
		out = append(out, tokens[i+n-1])
		i += n
	}
	return asDocument(out), nil
}

// trimmed are the lines of a text without their indents.
func trimmed(text string) []string {
	lines := plain.Lines(strings.TrimSpace(text))
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return lines
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
