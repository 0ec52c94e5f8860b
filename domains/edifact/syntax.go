package edifact

import (
	"cmp"
	"strconv"
	"strings"

	published "agentd/domains/published/edifact"
	"agentd/vfs"
)

// set writes a component that is there.
func set(s *published.Segment, element, component int, value string) {
	if element <= len(s.Elements) && component <= len(s.Elements[element-1]) {
		s.Elements[element-1][component-1] = value
	}
}

// write prints a segment with its terminator.
func write(m published.Marks, b *strings.Builder, s *published.Segment) {
	if s.Tag == "" || s.Tag == published.Service {
		b.WriteString(s.Text)
		return
	}
	b.WriteString(s.Tag)
	for _, components := range s.Elements {
		b.WriteRune(m.Element)
		for i, c := range components {
			if i > 0 {
				b.WriteRune(m.Component)
			}
			writeReleased(m, b, c)
		}
	}
	b.WriteRune(m.Terminator)
}

func writeReleased(m published.Marks, b *strings.Builder, component string) {
	for _, r := range component {
		switch r {
		case m.Component, m.Element, m.Release, m.Terminator:
			if m.Release != unreleasable {
				b.WriteRune(m.Release)
			}
		}
		b.WriteRune(r)
	}
}

// unreleasable stands for the release character where a UNA has a blank for it.
const unreleasable = -1

// validTag reports whether a text is three capital letters or digits, at least one of them a letter.
func validTag(tag string) bool {
	letters := 0
	for i := range len(tag) {
		switch c := tag[i]; {
		case c >= 'A' && c <= 'Z':
			letters++
		case c < '0' || c > '9':
			return false
		}
	}
	return len(tag) == 3 && letters > 0
}

// exchange is what several files hold together: messages with the envelopes they are in, and text that is no segment.
// An interchange may run on from one file to the next, even if the file with its UNB does not come first.
type exchange struct {
	service              *published.Segment // the first UNA, nil if there is none
	interchanges, groups []*envelope
	messages             []*enveloped
	strays               []string
}

// enveloped is a message in its envelopes, nil where it is in none.
type enveloped struct {
	*message
	interchange, group *envelope
}

// envelope is an interchange, from UNB to UNZ, or a group, from UNG to UNE.
type envelope struct {
	opening, closing *published.Segment // nil if missing
	text             string             // of the opening, as it is compared
	file             string             // with the opening
	holds            int                // groups, or if there are none messages
}

func readAll(files vfs.Files) exchange {
	var x exchange
	var interchange, group *envelope
	for _, name := range files.Names() {
		t := read(files[name])
		for i := range t.parts {
			p := &t.parts[i]
			s := &p.outside
			switch {
			case p.message != nil:
				x.messages = append(x.messages, &enveloped{p.message, interchange, group})
			case s.Tag == published.Service:
				if x.service == nil {
					x.service = s
				}
			case s.Tag == "UNB":
				interchange, group = &envelope{opening: s, text: normal(s), file: name}, nil
				x.interchanges = append(x.interchanges, interchange)
			case s.Tag == "UNG":
				group = &envelope{opening: s, text: normal(s), file: name}
				x.groups = append(x.groups, group)
			case s.Tag == "UNE":
				x.groups = closed(x.groups, group, s)
				group = nil
			case s.Tag == "UNZ":
				x.interchanges = closed(x.interchanges, interchange, s)
				interchange, group = nil, nil
			default:
				x.strays = append(x.strays, s.Text)
			}
		}
	}
	x.unite()
	x.count()
	return x
}

// closed closes the open envelope, or adds one that has no opening.
func closed(all []*envelope, open *envelope, s *published.Segment) []*envelope {
	if open == nil {
		return append(all, &envelope{closing: s})
	}
	open.closing = s
	return all
}

// unite makes one interchange of all there is if it has one UNB and one UNZ.
func (x *exchange) unite() {
	var whole envelope
	for _, e := range x.interchanges {
		if e.opening != nil && whole.opening != nil || e.closing != nil && whole.closing != nil {
			return
		}
		if e.opening != nil {
			whole.opening, whole.text, whole.file = e.opening, e.text, e.file
		}
		if e.closing != nil {
			whole.closing = e.closing
		}
	}
	if len(x.interchanges) == 0 {
		return
	}
	x.interchanges = []*envelope{&whole}
	for _, m := range x.messages {
		m.interchange = &whole
	}
}

// count counts what the envelopes hold.
func (x *exchange) count() {
	groups, messages := map[*envelope]int{}, map[*envelope]int{}
	met := map[[2]*envelope]bool{}
	for _, m := range x.messages {
		if m.find("UNH") == nil {
			continue // the rest of a message that lost its beginning
		}
		messages[m.interchange]++
		if m.group == nil {
			continue
		}
		m.group.holds++
		if both := [2]*envelope{m.interchange, m.group}; !met[both] {
			met[both] = true
			groups[m.interchange]++
		}
	}
	for _, e := range x.interchanges {
		e.holds = cmp.Or(groups[e], messages[e])
	}
}

// reference is the control reference: UNB 5, UNG 5.
func (e *envelope) reference() string {
	if e == nil || e.opening == nil {
		return ""
	}
	return e.opening.At(5, 1)
}

// agrees reports whether the closing states what the envelope holds and its reference.
func (e *envelope) agrees() bool {
	return e.opening != nil && e.closing != nil &&
		normalNumber(e.closing.At(1, 1)) == strconv.Itoa(e.holds) && e.closing.At(2, 1) == e.reference()
}
