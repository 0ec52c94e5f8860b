package direct

import (
	"path"
	"slices"
	"strings"

	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// parseAnswer reads the files of an answer from its fenced blocks. foreign are the names of
// blocks that match no target. Blocks without a name are ignored, unless there is exactly one
// block and one exact target.
//
// The name follows the opening fence. Some common mistakes are accepted: a language word before
// the name (```csv ledger.csv), a bare or language-only fence with the name alone on the next
// or previous line, the name in <file_name> tags, angle brackets, backticks, quotes or bold,
// and "file:" before the name.
func parseAnswer(answer string, targets []string) (files vfs.Files, foreign []string) {
	files = vfs.Files{}
	blocks := fencedBlocks(answer)
	for _, b := range blocks {
		name, body := b.named(targets)
		switch {
		case name == "" && len(blocks) == 1 && len(targets) == 1 && !strings.ContainsAny(targets[0], "*?["):
			files[targets[0]] = b.inside
		case name == "":
		case !matchesAny(targets, name):
			foreign = append(foreign, name)
		default:
			files[name] = body
		}
	}
	return files, foreign
}

// block is a fenced block: the text after the opening fence, the complete lines inside, and the
// last line of text before it.
type block struct {
	info   string
	inside string
	before string
}

// fencedBlocks finds the blocks of an answer. A block ends at a fence that is at least as long
// as the opening one with nothing after it, or at the end of the answer.
func fencedBlocks(answer string) []block {
	var blocks []block
	var open *block
	inside := "" // what follows the opening fence, to the end
	fence, before := 0, ""
	for rest := strings.ReplaceAll(answer, "\r\n", "\n"); rest != ""; {
		whole := rest
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if open != nil && !strings.HasPrefix(line, "`") {
			continue
		}
		trimmed := strings.TrimRight(line, " \t")
		ticks := len(trimmed) - len(strings.TrimLeft(trimmed, "`"))
		switch {
		case open == nil && ticks >= 3:
			open = &block{info: strings.TrimSpace(trimmed[ticks:]), before: before}
			inside, fence = rest, ticks
		case open == nil:
			if trimmed != "" {
				before = trimmed
			}
		case ticks >= fence && ticks == len(trimmed):
			open.inside = inside[:len(inside)-len(whole)]
			blocks = append(blocks, *open)
			open, before = nil, ""
		}
	}
	if open != nil { // cut off
		if open.inside = inside; inside != "" && !strings.HasSuffix(inside, "\n") {
			open.inside += "\n"
		}
		blocks = append(blocks, *open)
	}
	return blocks
}

// named returns a block's file name, "" if it has none, and the file's content. Names that
// match a target take precedence.
func (b block) named(targets []string) (name, body string) {
	wanted := func(name string) bool { return matchesAny(targets, name) }
	if name := namesIn(b.info, wanted, false); name != "" {
		return name, b.inside
	}
	if first, rest, whole := strings.Cut(b.inside, "\n"); whole {
		if name := namesIn(first, wanted, true); name != "" {
			return name, rest
		}
	}
	if name := namesIn(b.before, wanted, false); name != "" {
		return name, b.inside
	}
	return namesIn(b.info, looksLikeFile, false), b.inside
}

var decoration = lazyregexp.New("(?i)</?file_?name>|</?file>|^(file ?name|file|path)\\s*[:=]|[<>`\"'*]|^#+ ")

// namesIn returns the whole line, or else its first word, that is accepted as a file name; ""
// if there is none. With alone, it checks only the whole line.
func namesIn(line string, accepted func(string) bool, alone bool) string {
	plain := strings.TrimSpace(decoration.ReplaceAllString(strings.TrimSpace(line), " "))
	candidates := []string{plain}
	if !alone {
		candidates = append(candidates, strings.Fields(plain)...)
	}
	for _, candidate := range candidates {
		candidate = strings.TrimRight(strings.TrimPrefix(candidate, "./"), ":,.")
		if clean, err := vfs.Clean(candidate); err == nil && accepted(clean) {
			return clean
		}
	}
	return ""
}

func matchesAny(targets []string, name string) bool {
	return slices.ContainsFunc(targets, func(t string) bool { return vfs.Matches(t, name) })
}

// looksLikeFile distinguishes a file name from a language word.
func looksLikeFile(name string) bool {
	return path.Ext(name) != "" && !strings.Contains(name, " ")
}
