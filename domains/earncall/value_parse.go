package earncall

import (
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// published is a transcript as the published evaluator has it.
type published struct {
	turns   []publishedTurn
	figures []string // in the raw text, repeats included
}

type publishedTurn struct {
	speaker, content string
	folded           string // the name by which turns of a speaker are found
}

// parse is the published reading: of the first file alone, under any name.
func parse(files vfs.Files) (published, error) {
	names := files.Names()
	if len(names) == 0 {
		return published{}, nil
	}
	text := files[names[0]]
	return published{turns: publishedTurns(text), figures: publishedFigures(text)}, nil
}

// publishedTurns drops lines before the first turn.
func publishedTurns(text string) []publishedTurn {
	var turns []publishedTurn
	var pieces []string // of the last turn's content
	end := func() {
		if len(turns) > 0 {
			turns[len(turns)-1].content = strings.Join(pieces, " ")
		}
		pieces = pieces[:0]
	}
	for line := range strings.SplitSeq(text, "\n") {
		if name, rest, ok := cutName(line); ok {
			end()
			turns = plain.Append(turns, publishedTurn{speaker: pytext.Strip(name), folded: pytext.Collapse(pytext.Lower(name))})
			line = rest
		}
		if line = pytext.Strip(line); line != "" && len(turns) > 0 {
			pieces = append(pieces, line)
		}
	}
	end()
	return turns
}

// cutName cuts a line at its first colon if what stands before it is a capital
// and one or more letters, white space, apostrophes and hyphens.
func cutName(line string) (name, rest string, ok bool) {
	const shortest = 2
	name, rest, ok = strings.Cut(line, ":")
	if !ok || len(name) < shortest || name[0] < 'A' || name[0] > 'Z' {
		return "", "", false
	}
	return name, rest, !strings.ContainsFunc(name, notOfName)
}

func notOfName(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '\'' && r != '-' && !pytext.IsSpace(r)
}
