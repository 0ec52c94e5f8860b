package treebank

import (
	"slices"
	"strings"
	"unicode"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	speakerless   = "no_speaker.conllu"
	questionsFile = "questions.conllu"
	commandsFile  = "commands.conllu"
	otherTypes    = "statements.conllu"
)

// splitBySpeaker makes a file of the sentences of each speaker.
func splitBySpeaker(files vfs.Files) (vfs.Files, error) {
	return split(files, func(s *sentence) string {
		words := strings.FieldsFunc(strings.ToLower(s.comment("speaker")), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})
		if len(words) == 0 {
			return speakerless
		}
		return strings.Join(words, "_") + ".conllu"
	})
}

// splitByType tells questions, commands and statements apart.
func splitByType(files vfs.Files) (vfs.Files, error) {
	return split(files, func(s *sentence) string {
		last, imperative := "", false
		for _, t := range s.tokens {
			if t.isWord() {
				last = t[colForm]
				imperative = imperative || slices.Contains(t.parts(colFeats), "Mood=Imp")
			}
		}
		switch {
		case last == "?":
			return questionsFile
		case imperative:
			return commandsFile
		}
		return otherTypes
	})
}

// takeSentence removes the first sentence with the given ID from a list.
func takeSentence(sentences *[]sentence, id string) (s sentence, ok bool) {
	at := slices.IndexFunc(*sentences, func(s sentence) bool { return s.id() == id })
	if at < 0 {
		return s, false
	}
	s = (*sentences)[at]
	*sentences = slices.Delete(*sentences, at, at+1)
	return s, true
}

const orderFile = "order.csv"

// split hands the sentences out, in order, to the files that fileOf names, and
// lists where they went.
func split(files vfs.Files, fileOf func(*sentence) string) (vfs.Files, error) {
	sentences, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	parts := map[string][]sentence{}
	order := [][]string{{"sent_id", "file"}}
	for i := range sentences {
		name := fileOf(&sentences[i])
		parts[name] = append(parts[name], sentences[i])
		order = append(order, []string{sentences[i].id(), name})
	}
	out := vfs.Files{orderFile: plain.WriteCSV(order)}
	for name, part := range parts {
		out[name] = printAll(part)
	}
	return out, nil
}

// mergeFiles puts the sentences of all files into the listed order. Those that
// are not listed come last.
func mergeFiles(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, orderFile, "sent_id", "file")
	if err != nil {
		return nil, err
	}
	files = files.Match([]string{"*.conllu"})
	parts := map[string]*[]sentence{}
	for name, text := range files {
		sentences := read(text)
		parts[name] = &sentences
	}
	var all []sentence
	for _, row := range rows {
		if part := parts[row[1]]; part != nil {
			if s, ok := takeSentence(part, row[0]); ok {
				all = append(all, s)
			}
		}
	}
	for _, name := range files.Names() {
		all = append(all, *parts[name]...)
	}
	if all, err = withTokens(all); err != nil {
		return nil, err
	}
	return asDocument(all), nil
}
