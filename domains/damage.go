package domains

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"agentd/domains/internal/element"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// fewLines is the share of all lines up to which lines with other words are damage and not another way of writing.
const fewLines = 0.1

// damage compares by their lines files whose elements are all as expected, and returns the share of lines without damage.
// A reader forgives a bracket that is missing, a heading or a wrong number of a cue, because other writers do without or
// count in another way. But another writer's way shows in many lines. So in a file that is otherwise the expected one, line
// by line, lines that are missing are lost, and few lines that hold other words or digits in the same punctuation are
// changed.
func (x *Expectation) damage(got vfs.Files) (share float64, found []Difference) {
	all := 0
	var changed []Difference
	for _, name := range x.files.Names() {
		wanted, made := contentLines(x.files[name]), contentLines(got[name])
		all += len(wanted)
		found = append(found, missing(name, wanted, made)...)
		changed = append(changed, altered(name, wanted, made)...)
	}
	if float64(len(changed)) <= fewLines*float64(all) {
		found = append(found, changed...)
	}
	return 1 - float64(len(found))/float64(max(all, 1)), found
}

// contentLine is a line that is not blank, without the space around it.
type contentLine struct {
	number int // from 1
	text   string
}

// contentLines are those of a text, fences included.
func contentLines(text string) []contentLine {
	var lines []contentLine
	for n, line := range strings.Split(pytext.UniversalNewlines(strings.TrimPrefix(text, "\ufeff")), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, contentLine{n + 1, line})
		}
	}
	return lines
}

func (l contentLine) difference(kind element.Change, name, is string) Difference {
	return Difference{Kind: kind, Where: fmt.Sprintf("%s, line %d", name, l.number), Was: l.text, Is: is}
}

// missing are the lines that are left out, if all lines that were made are wanted, in their order.
func missing(name string, wanted, made []contentLine) (lost []Difference) {
	for _, line := range wanted {
		if len(made) > 0 && made[0].text == line.text {
			made = made[1:]
		} else {
			lost = append(lost, line.difference(element.Lost, name, ""))
		}
	}
	if len(made) > 0 {
		return nil
	}
	return lost
}

// altered are the lines with other words or digits, if that is all that differs in the lines.
func altered(name string, wanted, made []contentLine) (changed []Difference) {
	if len(wanted) != len(made) {
		return nil
	}
	for i, line := range wanted {
		is := made[i].text
		switch was := line.text; {
		case was == is:
		case punctuation(was) != punctuation(is):
			return nil
		case !slices.EqualFunc(words(was), words(is), strings.EqualFold):
			changed = append(changed, line.difference(element.Changed, name, is))
		}
	}
	return changed
}

// punctuation is a line without space, and with one sign for all letters and digits that stand together.
func punctuation(line string) string {
	var b strings.Builder
	in := false
	for _, r := range line {
		switch was := in; {
		case unicode.IsSpace(r):
			in = false
		default:
			if in = isWord(r); !in {
				b.WriteRune(r)
			} else if !was {
				b.WriteByte('w')
			}
		}
	}
	return b.String()
}

// words are the letters and digits of a line that stand together, numbers without zeros at their ends.
func words(line string) []string {
	found := strings.FieldsFunc(line, func(r rune) bool { return !isWord(r) })
	for i, word := range found {
		if strings.Trim(word, "0123456789") == "" {
			found[i] = strings.Trim(word, "0")
		}
	}
	return found
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
