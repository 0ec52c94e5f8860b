package edit

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"
)

// Whole cuts as another cutter does, and leaves the blank lines below a part in it, so that one
// end of line separates all parts. It is for texts in which their number differs and matters.
func Whole(cut Cutter) Cutter {
	return func(text string) Pieces {
		p := cut(text)
		for i := range p.Parts {
			below := &p.After
			if i < len(p.Between) {
				below = &p.Between[i]
			}
			blank := len(*below) - len(strings.TrimLeft(*below, " \t\r\n"))
			if at := strings.LastIndexByte((*below)[:blank], '\n'); at > 0 {
				p.Parts[i] += (*below)[:at]
				*below = (*below)[at:]
			}
		}
		return p
	}
}

// Outer makes parts of the elements of one of the names that are children of the same element:
// the first in the text that has any. Prefixes of names are not looked at.
func Outer(names ...string) Cutter {
	type level struct {
		from     int
		name     string
		children []place
	}
	return func(text string) Pieces {
		decoder := xml.NewDecoder(strings.NewReader(text))
		decoder.Strict = false
		decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
		open := []level{{}}
		best := level{from: len(text)}
		leave := func(l level) {
			if len(l.children) > 0 && l.from < best.from {
				best = l
			}
		}
		for {
			from := int(decoder.InputOffset())
			token, err := decoder.RawToken()
			if err != nil {
				for _, l := range open { // of a text that breaks off
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
