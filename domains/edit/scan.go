package edit

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"

	"agentd/internal/lazyregexp"
)

// Inline cuts where a pattern matches, in a line too. What over matches is passed over, and what
// comes from the first match of stop after a part on is no part. Of patterns that match at the
// same place over counts first, then stop; an empty one matches nothing.
func Inline(start, over, stop string) Cutter {
	pattern := "(?m)"
	for _, group := range []struct{ name, pattern string }{{"over", over}, {"stop", stop}, {"start", start}} {
		if group.pattern != "" {
			pattern += "(?P<" + group.name + ">" + group.pattern + ")|"
		}
	}
	find := lazyregexp.New(strings.TrimSuffix(pattern, "|"))
	matches := func(name string, at []int) bool {
		k := find.SubexpIndex(name)
		return k > 0 && at[2*k] >= 0
	}
	return func(text string) Pieces {
		var starts []int
		end := len(text)
		for _, at := range find.FindAllStringSubmatchIndex(text, -1) {
			if matches("stop", at) && len(starts) > 0 {
				end = at[0]
				break
			}
			if matches("start", at) {
				starts = append(starts, at[0])
			}
		}
		return Begun(text, starts, end)
	}
}

// Begun cuts a text before each of the places at which parts begin, in order. What stands from end
// on comes after the last one.
func Begun(text string, starts []int, end int) Pieces {
	places := make([]place, len(starts))
	for i, from := range starts {
		next := end
		if i+1 < len(starts) {
			next = starts[i+1]
		}
		places[i] = place{from, from + len(strings.TrimRight(text[from:next], " \t\r\n"))}
	}
	return cutAt(text, places)
}

// Separated makes parts of what stands between the matches of a pattern, which may be in a line.
// White space around a match belongs to it.
func Separated(by string) Cutter {
	find := lazyregexp.New("(?m)" + by)
	return func(text string) Pieces {
		var p Pieces
		from := 0 // of the part
		add := func(to int) {
			part := strings.TrimSpace(text[from:to])
			if part == "" {
				return
			}
			at := from + strings.Index(text[from:to], part)
			if end := len(text) - len(p.After); len(p.Parts) == 0 {
				p.Before = text[:at]
			} else {
				p.Between = append(p.Between, text[end:at])
			}
			p.Parts = append(p.Parts, part)
			p.After = text[at+len(part):]
		}
		for _, at := range find.FindAllStringIndex(text, -1) {
			add(at[0])
			from = at[1]
		}
		add(len(text))
		if len(p.Parts) == 0 {
			return Pieces{Before: text}
		}
		return p
	}
}

// XML makes parts of the elements of one of the names that are children of the same element, where that has the most of
// them. Prefixes of names are not looked at. A text that is broken has none.
func XML(names ...string) Cutter {
	return elements(names, false, func(l, best level) bool { return len(l.children) > len(best.children) })
}

// Outer makes parts of the elements of one of the names that are children of the same element:
// the first in the text that has any. Prefixes of names are not looked at.
func Outer(names ...string) Cutter {
	return elements(names, true, func(l, best level) bool { return len(l.children) > 0 && l.from < best.from })
}

// level is an element in XML, with its children of the names that are looked for.
type level struct {
	from     int
	name     string
	children []place
}

// elements makes parts of the children of the best element. Of a text that breaks off, what
// comes before that counts; of one that is broken in another way only if that is allowed.
func elements(names []string, evenBroken bool, better func(l, best level) bool) Cutter {
	return func(text string) Pieces {
		decoder := xml.NewDecoder(strings.NewReader(text))
		decoder.Strict = false
		decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
		open, best := []level{{}}, level{from: len(text)}
		leave := func(l level) {
			if better(l, best) {
				best = l
			}
		}
		for {
			from := int(decoder.InputOffset())
			token, err := decoder.RawToken()
			if err != nil {
				if err != io.EOF && !evenBroken {
					return Pieces{Before: text}
				}
				for _, l := range open {
					leave(l)
				}
				return cutAt(text, best.children)
			}
			switch t := token.(type) {
			case xml.StartElement:
				open = append(open, level{from: from, name: t.Name.Local})
			case xml.EndElement:
				if len(open) == 1 {
					return Pieces{Before: text}
				}
				last := open[len(open)-1]
				open = open[:len(open)-1]
				leave(last)
				if slices.Contains(names, last.name) {
					above := &open[len(open)-1]
					above.children = append(above.children, place{last.from, int(decoder.InputOffset())})
				}
			}
		}
	}
}
