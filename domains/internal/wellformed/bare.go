package wellformed

import (
	"slices"
	"strings"
)

// Bare makes a check of what is left without comments, which become blanks, and without what texts say, which becomes x.
// Lines and their numbers stay.
func (c Code) Bare(check Check) Check {
	return func(name, text string) []Slip { return check(name, c.bare(text)) }
}

func (c Code) bare(text string) string {
	s := scanner{Code: &c, text: text}
	out := []byte(text)
	for s.at < len(text) && s.slip == nil {
		from, size := s.at, len(s.open)
		s.next()
		if s.at-from < 2 || size != len(s.open) {
			continue
		}
		filler, inner := byte(' '), out[from:s.at]
		if s.isText {
			filler = 'x'
			inner = out[from+1 : s.at-1]
		}
		for i, b := range inner {
			if b != '\n' {
				inner[i] = filler
			}
		}
	}
	return string(out)
}

// Apart checks that two values in brackets do not stand next to each other, as they do where a comma or an operator is lost.
// brackets are those that open such lists, and words those that may stand next to a value. Texts may if joined.
func (c Code) Apart(brackets string, joined bool, words ...string) Check {
	return func(_, text string) []Slip {
		bare := c.bare(text)
		var open []byte
		last, blank := "", false // the value before, and whether white space follows it
		for at := 0; at < len(bare); {
			b := bare[at]
			token := string(b)
			switch {
			case b == ' ' || b == '\t' || b == '\n' || b == '\\':
				blank = true
				at++
				continue
			case strings.IndexByte(c.Quotes, b) >= 0:
				token = bare[at:min(endOfText(bare, at), len(bare))]
			case isWord(b) && b != '\'':
				end := at
				for end < len(bare) && isWord(bare[end]) && bare[end] != '\'' {
					end++
				}
				if end < len(bare) && strings.IndexByte(c.Quotes, bare[end]) >= 0 {
					at = end // a prefix of the text, as in f"x"
					continue
				}
				token = bare[at:end]
			case strings.IndexByte(c.Brackets, b) >= 0 && strings.IndexByte(c.Brackets, b)%2 == 0:
				open = append(open, b)
			case strings.IndexByte(c.Brackets, b) >= 0 && len(open) > 0:
				open = open[:len(open)-1]
			}
			isText := strings.IndexByte(c.Quotes, b) >= 0
			isValue := isText || isWord(b) && !slices.Contains(words, token)
			inList := len(open) > 0 && strings.IndexByte(brackets, open[len(open)-1]) >= 0
			if wasText := last != "" && strings.IndexByte(c.Quotes, last[0]) >= 0; isValue && blank && last != "" && inList && !(joined && isText && wasText) {
				return stop(lineOf(text, at), "two values stand next to each other: a comma or an operator is missing")
			}
			blank = false
			last = ""
			if isValue || strings.IndexByte(")]}", b) >= 0 {
				last = token
			}
			at += len(token)
		}
		return nil
	}
}

// endOfText is the place after a text of a bare text, whose content is x and line ends.
func endOfText(bare string, at int) int {
	end := at + 1
	for end < len(bare) && (bare[end] == 'x' || bare[end] == '\n') {
		end++
	}
	return end + 1
}

// Outer makes a check of the lines that begin outside of brackets. Others are blank.
func (c Code) Outer(check Check) Check {
	return func(name, text string) []Slip {
		var out strings.Builder
		s := scanner{Code: &c, text: text}
		for line := range strings.Lines(text) {
			from, inner := out.Len(), len(s.open) > 0 || s.at > out.Len()
			for s.at < from+len(line) && s.slip == nil {
				s.next()
			}
			if inner {
				line = strings.Repeat(" ", len(line)-1) + "\n"
			}
			out.WriteString(line)
		}
		return check(name, out.String())
	}
}
