package edit

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Place is where a note stands.
type Place string

// The places.
const (
	Below  Place = "below"  // a line after the last of the part
	Above  Place = "above"  // a line before its first
	Inside Place = "inside" // a line before its last
	End    Place = "end"    // at the end of its first line
	Column Place = "column" // a last cell of its row; the header has the attribute's name there
)

var places = []Place{Below, Above, Inside, End, Column}

func (v Verb) checkNote() error {
	switch {
	case v.Note == "":
		return nil
	case strings.Count(v.As, hole) != 1 || strings.ContainsAny(v.As, "\r\n"):
		return fmt.Errorf("as must be one line with %s where the value belongs", hole)
	case v.Place == Column && strings.TrimSpace(v.As) != v.As:
		return errors.New("as must begin with what stands between two cells")
	case v.Place != "" && !slices.Contains(places, v.Place):
		return fmt.Errorf("place must be below, above, inside, end or column, not %q", v.Place)
	}
	return nil
}

// note writes the value of an attribute into each part that has it.
func (s *step) note() (vfs.Files, error) {
	if s.verb.Place == Column {
		s.Before = insert(s.Before, End, strings.Count(strings.TrimRight(s.Before, "\r\n"), "\n"), s.verb.noteOf(s.by.Name))
	}
	for i, part := range s.Parts {
		value := s.by.value(part)
		if value == "" && s.verb.Place != Column {
			continue
		}
		s.Parts[i] = insert(part, s.verb.Place, 0, s.verb.noteOf(value))
	}
	return s.document.with(vfs.Files{s.name: s.Text()}), nil
}

func (v Verb) noteOf(value string) string { return strings.Replace(v.As, hole, value, 1) }

// insert puts a note into a part, or at the end of a line of it. Line ends are those of the part.
func insert(part string, at Place, line int, note string) string {
	end := "\n"
	if strings.Contains(part, "\r\n") {
		end = "\r\n"
	}
	lines := strings.Split(part, end)
	switch at {
	case Above:
		lines = slices.Insert(lines, 0, note)
	case Inside:
		lines = slices.Insert(lines, len(lines)-1, note)
	case End, Column:
		lines[line] += note
	default:
		lines = append(lines, note)
	}
	return strings.Join(lines, end)
}

// unnote removes the notes: each line or end of a line that is like one.
func (p *Program) unnote(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, p.verb.Document)
	if err != nil {
		return nil, err
	}
	before, after, _ := strings.Cut(p.verb.As, hole)
	value := `.*`
	if p.verb.Place == Column { // of the last cell
		value = `[^` + regexp.QuoteMeta(before[:1]) + `\r\n]*`
	}
	like := regexp.QuoteMeta(before) + value + regexp.QuoteMeta(after)
	switch p.verb.Place {
	case End, Column:
		text = lazyregexp.New(`(?m)`+strings.Replace(like, `.*`, `.*?`, 1)+`(\r?)$`).ReplaceAllString(text, "$1")
	default:
		line := lazyregexp.New(`^` + like + `\r?\n?$`)
		var kept strings.Builder
		for _, l := range strings.SplitAfter(text, "\n") {
			if !line.MatchString(l) {
				kept.WriteString(l)
			} else if !strings.HasSuffix(l, "\n") { // the document does not end with a line end
				last := strings.TrimSuffix(strings.TrimSuffix(kept.String(), "\n"), "\r")
				kept.Reset()
				kept.WriteString(last)
			}
		}
		text = kept.String()
	}
	d := p.to(files, "")
	return d.with(vfs.Files{d.name: text}), nil
}
