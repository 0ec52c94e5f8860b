package audiosyn

import "strings"

// scanner divides lines into code and comments. What is open at the end of a line
// goes on in the next.
type scanner struct {
	comment bool // between /* and */
	braces  bool // in a text between {{ and }}
}

// scan returns the code of a line, in which comments inside of it are blank, and
// what the comments say, with their marks.
func (s *scanner) scan(text string) (code string, comments []string) {
	if !s.comment && !s.braces && !strings.ContainsAny(text, `;/{`) {
		return text, nil
	}
	blanked := []byte(nil)
	for at := 0; at < len(text); {
		rest := text[at:]
		switch {
		case s.braces:
			n := strings.Index(rest, "}}")
			s.braces = n < 0
			at += endOr(n, 2, rest)
		case s.comment || strings.HasPrefix(rest, "/*"):
			n := s.commentLength(rest)
			comments = append(comments, rest[:n])
			if blanked == nil {
				blanked = []byte(text)
			}
			for k := range n {
				blanked[at+k] = ' '
			}
			at += n
		case rest[0] == '"':
			at += 1 + quoted(rest[1:])
		case strings.HasPrefix(rest, "{{"):
			s.braces = true
			at += 2
		case rest[0] == ';' || strings.HasPrefix(rest, "//"):
			comments = append(comments, rest)
			if blanked != nil {
				return string(blanked[:at]), comments
			}
			return text[:at], comments
		default:
			at++
		}
	}
	if blanked != nil {
		return string(blanked), comments
	}
	return text, comments
}

// commentLength is the length of a comment that a text is in or begins with.
func (s *scanner) commentLength(text string) int {
	inside := text
	if !s.comment {
		inside = text[len("/*"):]
	}
	n := strings.Index(inside, "*/")
	s.comment = n < 0
	return len(text) - len(inside) + endOr(n, 2, inside)
}

// endOr is the place after what was found at n, or the end if nothing was.
func endOr(n, length int, text string) int {
	if n < 0 {
		return len(text)
	}
	return n + length
}

// quoted is the length of a text up to and with the quote that closes it.
func quoted(text string) int {
	for n := 0; n < len(text); n++ {
		switch text[n] {
		case '\\':
			n++
		case '"':
			return n + 1
		}
	}
	return len(text)
}

// decoration draws rulers and boxes with runs of two characters or more.
const decoration = "*=-~#_"

// commentText is what a comment says, without its marks and decoration.
func commentText(text string) string {
	text = strings.Trim(text, ";/ \t")
	if len(text) > 1 && isDecoration(text[:2]) || strings.HasPrefix(text, "* ") {
		text = strings.TrimLeft(text, decoration+" \t")
	}
	if n := len(text); n > 1 && isDecoration(text[n-2:]) || strings.HasSuffix(text, " *") {
		text = strings.TrimRight(text, decoration+" \t")
	}
	return strings.Join(strings.Fields(text), " ")
}

func isDecoration(text string) bool { return strings.Trim(text, decoration) == "" }
