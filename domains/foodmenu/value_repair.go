package foodmenu

import (
	"strings"
	"unicode"

	"agentd/domains/internal/pytext"
)

// repairer is the first pass over a text, which puts odd layouts right.
type repairer struct{ inHeader bool }

func (r *repairer) line(line string) string {
	text := pytext.Strip(line)
	if text == "" || text[0] == '=' || opensHeader(text) {
		return line
	}
	if !r.inHeader && isBareHeader(text) {
		return "--- " + text + " ---"
	}
	if !strings.HasPrefix(text, "Location:") && !strings.HasPrefix(text, "Date:") {
		r.inHeader = false
	}
	return repaired(line)
}

// repaired is the line of an item without list marks and leaders, its price
// after the words.
func repaired(line string) string {
	return priceLast(withoutDashes(withoutLeaders(cutNumber(cutBullet(line)))))
}

// opensHeader reports whether a text begins as "--- DRINKS" does.
func opensHeader(text string) bool {
	rest, ok := strings.CutPrefix(text, "---")
	if !ok {
		return false
	}
	rest = pytext.StripLeft(rest)
	return rest != "" && isLetter(rest[0])
}

// isBareHeader reports whether a line in capitals is taken for a header.
func isBareHeader(text string) bool {
	const longest = 40
	if len(text) < 2 || len(text) > longest || text[0] < 'A' || text[0] > 'Z' {
		return false
	}
	for _, begin := range []string{"ALLERGEN", "OTHER", "LOCATION", "DATE"} {
		if strings.HasPrefix(text, begin) {
			return false
		}
	}
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case 'A' <= c && c <= 'Z', c == ' ', c == '&', c == '/', c == '\'', c == '-':
		default:
			return false
		}
	}
	return true
}

// cutBullet removes a list mark and the blanks around it.
func cutBullet(line string) string {
	text := pytext.StripLeft(line)
	for _, mark := range []string{"-", "•", "*"} {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			if after := pytext.StripLeft(rest); after != rest {
				return after
			}
		}
	}
	return line
}

// cutNumber removes a number such as "12." or "3)" and the blanks around it.
func cutNumber(line string) string {
	text := pytext.StripLeft(line)
	rest := strings.TrimLeftFunc(text, unicode.IsDigit)
	if rest == text || rest == "" || rest[0] != '.' && rest[0] != ')' {
		return line
	}
	if after := pytext.StripLeft(rest[1:]); after != rest[1:] {
		return after
	}
	return line
}

// gap stands for leaders that were removed.
const gap = "  "

// withoutLeaders puts a gap for every run of three or more points.
func withoutLeaders(line string) string {
	const leader = "..."
	at := strings.Index(line, leader)
	if at < 0 {
		return line
	}
	var b strings.Builder
	for ; at >= 0; at = strings.Index(line, leader) {
		b.WriteString(pytext.StripRight(line[:at]))
		b.WriteString(gap)
		line = pytext.StripLeft(strings.TrimLeft(line[at:], "."))
	}
	return b.String() + line
}

// withoutDashes puts a gap for three or more dashes in front of a dollar sign, and
// then for one em or en dash there.
func withoutDashes(line string) string {
	if !strings.Contains(line, "$") {
		return line
	}
	if strings.Contains(line, "---") {
		line = beforeDollars(line, func(before string) (string, bool) {
			bare := strings.TrimRight(before, "-")
			return bare, len(before)-len(bare) >= 3
		})
	}
	if !strings.ContainsAny(line, "—–") {
		return line
	}
	return beforeDollars(line, func(before string) (string, bool) {
		if bare, ok := strings.CutSuffix(before, "—"); ok {
			return bare, true
		}
		return strings.CutSuffix(before, "–")
	})
}

// beforeDollars cuts a leader off the text in front of each dollar sign.
func beforeDollars(line string, cut func(before string) (bare string, found bool)) string {
	parts := strings.Split(line, "$")
	for i, part := range parts[:len(parts)-1] {
		if bare, found := cut(pytext.StripRight(part)); found {
			parts[i] = pytext.StripRight(bare) + gap
		}
	}
	return strings.Join(parts, "$")
}

// priceLast moves a price at the beginning of a line after the words, before the
// tags at its end.
func priceLast(line string) string {
	text := pytext.Strip(line)
	at, end := findPrice(text)
	if at != 0 {
		return line
	}
	rest := pytext.StripLeft(text[end:])
	if rest == "" || len(rest) == len(text)-end {
		return line
	}
	words := rest
	for {
		bare, ok := cutTag(pytext.StripRight(words))
		if !ok {
			break
		}
		words = bare
	}
	return words + gap + text[:end] + gap + rest[len(words):]
}

// cutTag removes the tag at the end of a text.
func cutTag(text string) (bare string, ok bool) {
	var open string
	var fits func(byte) bool
	switch {
	case strings.HasSuffix(text, "]"):
		open, fits = "[", isLetter
	case strings.HasSuffix(text, ")"):
		open, fits = "(", isMark
	default:
		return text, false
	}
	at := strings.LastIndex(text, open)
	return text[:max(at, 0)], at >= 0 && allBytes(text[at+1:len(text)-1], fits)
}
