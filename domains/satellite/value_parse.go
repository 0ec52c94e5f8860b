package satellite

import (
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// listing is a catalogue as the published evaluator reads it.
type listing struct {
	sets  []elementSet
	files int
}

// elementSet is an entry of a listing.
type elementSet struct {
	name string
	fields
}

// parse reads the files of a document, under any name.
func parse(files vfs.Files) (listing, error) {
	l := listing{files: len(files)}
	for _, name := range files.Names() {
		l.read(files[name])
	}
	return l, nil
}

// read adds the entries of a text. Where lines 1 and 2 follow each other there
// is one, with what stands before them as its name, but for a comment or a
// name that begins as one of the lines does.
func (l *listing) read(text string) {
	lines := lists.Map(strings.Split(pytext.Strip(text), "\n"), pytext.StripRight)
	starts := func(at int, with string) bool { return at < len(lines) && strings.HasPrefix(lines[at], with) }
	for at := 0; at < len(lines); {
		name := pytext.Strip(lines[at])
		switch {
		case name == "" || strings.HasPrefix(name, "#"):
			at++
		case !starts(at, "1 ") && !starts(at, "2 ") && starts(at+1, "1 ") && starts(at+2, "2 "):
			l.add(name, lines[at+1], lines[at+2])
			at += 3
		case starts(at, "1 ") && starts(at+1, "2 "):
			l.add("", lines[at], lines[at+1])
			at += 2
		default:
			at++
		}
	}
}

// add keeps an entry if its lines are long enough.
func (l *listing) add(name, one, two string) {
	const leastOne, leastTwo = 62, 63
	if utf8.RuneCountInString(one) >= leastOne && utf8.RuneCountInString(two) >= leastTwo {
		l.sets = plain.Append(l.sets, elementSet{name, readFields(one, two)})
	}
}
