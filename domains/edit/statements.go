package edit

import "strings"

// Apart is how something is written in which brackets and ends of statements mean nothing.
type Apart struct {
	// Open begins it. Close ends it: what has no Close is no such thing. An empty one stands for the end of the line.
	Open, Close string
	Remark      bool   // it is in no statement on its own, but in one that ends before it on its line
	Escaped     bool   // a backslash takes the meaning of the character after it, as of the character that closes
	OneLine     bool   // it is closed on its line
	And         string // what belongs to it where that follows
}

// Remark is one that is closed.
func Remark(open, close string) Apart { return Apart{Open: open, Close: close, Remark: true} }

// RestOfLine is a remark to the end of its line.
func RestOfLine(open string) Apart { return Apart{Open: open, Remark: true} }

// Quoted is a text in quotes, of several lines too.
func Quoted(quote string) Apart { return Apart{Open: quote, Close: quote} }

// end is where it ends that begins at a place of a text; -1 if it is not closed. Then it is not closed wherever else it begins
// before without, which it returns too.
func (a *Apart) end(text string, at int) (to, without int) {
	from := at + len(a.Open)
	line := len(text)
	if a.Close == "" || a.OneLine {
		if n := strings.IndexByte(text[from:], '\n'); n >= 0 {
			line = from + n
		}
	}
	switch {
	case a.Close == "":
		return line, 0
	case a.Escaped:
		for to = from; to < line; to++ {
			if text[to] == '\\' {
				to++
			} else if strings.HasPrefix(text[to:], a.Close) {
				break
			}
		}
	default:
		if to = strings.Index(text[from:line], a.Close); to < 0 {
			return -1, line
		}
		to += from
	}
	if to >= line {
		return -1, line
	}
	to += len(a.Close)
	if strings.HasPrefix(text[to:], a.And) {
		to += len(a.And)
	}
	return to, 0
}

// Statements makes parts of the statements at a depth of brackets. One ends with one of the characters of end at that
// depth, a line end too if it is one of them. What stands apart has no brackets and no ends.
func Statements(depth int, end string, apart ...Apart) Cutter {
	var begins [256]bool
	for _, a := range apart {
		begins[a.Open[0]] = true
	}
	return func(text string) Pieces {
		s := statements{depth: depth, end: end, from: -1}
		without := make([]int, len(apart)) // where each may be closed again
	next:
		for at := 0; at < len(text); {
			if begins[text[at]] {
				for k := range apart {
					if at < without[k] || !strings.HasPrefix(text[at:], apart[k].Open) {
						continue
					}
					var to int
					if to, without[k] = apart[k].end(text, at); to >= 0 {
						s.apart(text, at, to, apart[k].Remark)
						at = to
						continue next
					}
				}
			}
			s.read(text[at], at)
			at++
		}
		if s.reached == depth {
			s.finish()
		}
		return cutAt(text, s.places)
	}
}

// apart passes over what stands apart.
func (s *statements) apart(text string, from, to int, remark bool) {
	if !remark {
		s.within(from, to)
	} else if n := len(s.places); n > 0 && s.from < 0 && strings.Trim(text[s.places[n-1].to:from], " \t") == "" {
		s.places[n-1].to = to // on the line of the statement
	}
}

// statements are those of a text that have been read so far.
type statements struct {
	depth, reached int // the depth of statements, and of what is being read
	end            string
	from, to       int // of the statement that is open, which has begun if from is not -1
	places         []place
}

// within makes something a part of the statement that is open, or begins one with it.
func (s *statements) within(from, to int) {
	if s.from < 0 && s.reached == s.depth {
		s.from = from
	}
	s.to = to
}

// read reads the next character.
func (s *statements) read(c byte, at int) {
	ends := s.reached == s.depth && strings.IndexByte(s.end, c) >= 0
	switch {
	case ends && c != '\n':
		s.to = at + 1
		fallthrough
	case ends:
		s.finish()
	case strings.IndexByte("([{", c) >= 0:
		s.within(at, at+1)
		s.reached++
	case strings.IndexByte(")]}", c) >= 0:
		s.reached--
		if s.reached < s.depth {
			s.finish()
			break
		}
		s.to = at + 1
	case strings.IndexByte(" \t\r\n", c) < 0:
		s.within(at, at+1)
	}
}

// finish ends the statement that is open, if one is.
func (s *statements) finish() {
	if s.from >= 0 {
		s.places = append(s.places, place{s.from, s.to})
	}
	s.from = -1
}
