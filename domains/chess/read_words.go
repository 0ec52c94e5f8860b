package chess

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// word reads up to the next blank or sign that ends a word.
func (r *reader) word(end int) {
	start := r.at
	r.at++ // the first may be a brace that closes nothing
	for r.at < end && strings.IndexByte(" \t\n\r\f\v{};()", r.text[r.at]) < 0 {
		r.at++
	}
	word := r.text[start:r.at]
	if slices.Contains(results[:], word) && len(r.open) == 1 {
		r.ended = true
		r.add(item{kind: resultItem, text: word, at: start})
		return
	}
	if rest := r.moveNumber(word, start); !r.move(rest, r.at-len(rest)) {
		r.forgetNumber()
		r.addForeign(word, start)
	}
}

// moveNumber takes a move's number off a word.
func (r *reader) moveNumber(word string, at int) (rest string) {
	digits := strings.TrimLeft(word, "0123456789")
	rest = strings.TrimPrefix(strings.TrimLeft(digits, "."), "…")
	switch dots := len(digits) - len(rest); {
	case len(digits) == len(word) && dots == 0, dots == 0 && digits != "":
		return word
	case dots == 1:
		r.turn = 'w'
	case dots > 1:
		r.turn = 'b'
	case word == "0000":
		return word
	}
	if r.number == 0 {
		r.number = at + 1
	}
	return rest
}

// move reads a move with the marks after it, or marks alone. It reports whether
// the whole word is read.
func (r *reader) move(word string, at int) bool {
	_, length := readNotation(plainPieces(word))
	rest := word
	if length > 0 {
		length += len(word) - len(plainPieces(word))
		length = len(word) - len(strings.TrimLeft(word[length:], "+#"))
		rest = strings.TrimPrefix(word[length:], "e.p.")
	}
	found, ok := readMarks(rest)
	if !ok {
		return false
	}
	if length > 0 {
		start := at
		if r.number > 0 {
			start = r.number - 1
		}
		r.add(item{kind: moveItem, text: word[:length], at: start, turn: r.turn})
		if len(r.open) == 1 {
			r.moved = true
		}
		r.forgetNumber()
	}
	for _, mark := range found {
		r.add(item{kind: markItem, text: mark, at: at})
	}
	return true
}

// readMarks reads what stands after a move: marks of its quality, as signs or
// numbers, and signs of check.
func readMarks(text string) (found []string, ok bool) {
	for text != "" {
		length := 1
		switch c := text[0]; c {
		case '+', '#':
		case '!', '?':
			if len(text) > 1 && (text[1] == '!' || text[1] == '?') {
				length = 2
			}
			found = append(found, marks[text[:length]])
		case '$':
			length = len(text) - len(strings.TrimLeft(text[1:], "0123456789"))
			if length == 1 {
				return nil, false
			}
			found = append(found, plain.Number(text[1:length]))
		default:
			return nil, false
		}
		text = text[length:]
	}
	return found, true
}

// figurines are the letters of the pieces that some print as pictures.
var figurines = strings.NewReplacer("♔", "K", "♕", "Q", "♖", "R", "♗", "B", "♘", "N", "♚", "K", "♛", "Q", "♜", "R", "♝", "B", "♞", "N")

func plainPieces(word string) string {
	if word == "" || word[0] < 0x80 {
		return word
	}
	return figurines.Replace(word)
}

// readTag reads a line that begins with a bracket. What stands between the first
// quote and the last is the value.
func readTag(line string) (name, value string, ok bool) {
	end := 1
	for end < len(line) && isTagLetter(line[end], end == 1) {
		end++
	}
	name = line[1:end]
	quoted := pytext.StripLeft(line[end:])
	inside, closed := strings.CutSuffix(pytext.StripRight(quoted), `"]`)
	if name == "" || len(quoted) == len(line)-end || !closed || !strings.HasPrefix(inside, `"`) || strings.Contains(inside, "\r") {
		return "", "", false
	}
	return name, inside[1:], true
}

func isTagLetter(c byte, first bool) bool {
	letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	return letter || !first && strings.IndexByte("_+#=:-", c) >= 0
}
