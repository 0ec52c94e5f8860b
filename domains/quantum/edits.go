package quantum

import (
	"errors"
	"fmt"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// listing is a file as a list of units.
type listing struct {
	*file
	units []unit
	tail  string // what stands after the last statement
}

func readListing(text string) listing {
	p := listing{file: readFile("", text)}
	p.units, p.tail = p.file.units()
	return p
}

func (p listing) print() string {
	var b strings.Builder
	for _, u := range p.units {
		b.WriteString(u.lead + u.code)
	}
	return b.String() + p.tail
}

// programs says how programs are taken apart and put together.
var programs = exact.Format[listing, unit]{
	Patterns: []string{"*.qasm"},
	Read:     readListing,
	Print:    listing.print,
	Parts:    func(p *listing) *[]unit { return &p.units },
	Join: func(all []listing) listing {
		if len(all) == 1 {
			return all[0]
		}
		var b strings.Builder
		for _, p := range all {
			b.WriteString(p.print())
		}
		return readListing(b.String())
	},
	Empty:  errors.New("no OpenQASM program"),
	Counts: func(u *unit) bool { return u.first.form != foreign },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_modules", splitModules),
		domains.Taking("notebook", inNotebook),
		domains.Taking("sort_routines", sortRoutines),
		domains.Taking("camel_case", inCamelCase),
		domains.Taking("name_angles", nameAngles),
		domains.Taking("unite_registers", uniteRegisters),
		domains.Taking("resolve_constants", resolveConstants),
	}
}

// rewrite changes the text of a program, and back. forward makes all files.
func rewrite(
	document, to string, forward func(*file) (vfs.Files, error), restore func(*file, vfs.Files) (string, error),
) exact.Steps {
	return programs.Whole(document, func(p listing) (vfs.Files, error) { return forward(p.file) },
		func(files vfs.Files) (listing, error) {
			p, err := programs.Named(files, to)
			if err != nil {
				return p, err
			}
			text, err := restore(p.file, files)
			return readListing(text), err
		})
}

// top calls do for the statements at top level.
func (f *file) top(do func(n int32, s *statement)) {
	for n := int32(0); n < int32(len(f.statements)); n = f.statements[n].last {
		do(n, &f.statements[n])
	}
}

// partsOf are the parts of a statement.
func (f *file) partsOf(s *statement) []part {
	var p parts
	p.formOf(&f.source, s.from, s.to)
	return p.list
}

// nameOf is the name that a declaration or definition gives.
func (f *file) nameOf(s *statement) string {
	for _, part := range f.partsOf(s) {
		if part.name == "name" {
			return f.of(part.from)
		}
	}
	return ""
}

// splice is a text in place of a part of another.
type splice struct {
	start, end int32
	text       string
}

// spliced puts texts in place of parts, which do not overlap.
func (f *file) spliced(changes []splice) string {
	return plain.Splice(f.text, changes, func(c splice) (int, int, string) { return int(c.start), int(c.end), c.text })
}

func (f *file) token(at int32, text string) splice {
	return splice{f.tokens[at].start, f.tokens[at].end, text}
}

// lineStart is where the line begins on which a place is.
func (f *file) lineStart(at int32) int32 {
	return int32(strings.LastIndexByte(f.text[:at], '\n') + 1)
}

// lineEnd is where the next line begins.
func (f *file) lineEnd(at int32) int32 {
	if n := strings.IndexByte(f.text[at:], '\n'); n >= 0 {
		return at + int32(n) + 1
	}
	return int32(len(f.text))
}

// span is where a statement begins and ends.
func (f *file) span(s *statement) (start, end int32) {
	return f.tokens[s.from].start, f.tokens[s.end-1].end
}

// unused makes sure that a name is free.
func (f *file) unused(name string) error {
	for at := range f.tokens {
		if f.tokens[at].kind == wordToken && f.of(int32(at)) == name {
			return fmt.Errorf("the name %s is in use", name)
		}
	}
	return nil
}

// unit is a stretch of whole lines: the statements at top level that share a line,
// and what stands before them.
type unit struct {
	first *statement
	lead  string // the lines before, such as comments
	code  string
	line  int // on which the code begins, from 1
}

// units divides a program. The tail is what stands after the last statement.
func (f *file) units() (units []unit, tail string) {
	at := int32(0)
	c := 0
	f.top(func(_ int32, s *statement) {
		start, end := f.span(s)
		for c < len(f.comments) && f.comments[c].start < end {
			c++
		}
		end = f.lineEnd(end)
		for c < len(f.comments) && f.comments[c].start < end {
			end = f.lineEnd(f.comments[c].end)
			c++
		}
		if start < at { // on the last line of the one before
			last := &units[len(units)-1]
			last.code += f.text[at:max(at, end)]
			at = max(at, end)
			return
		}
		begin := max(at, f.lineStart(start))
		units = append(units, unit{s, f.text[at:begin], f.text[begin:end], int(f.tokens[s.from].line) + 1})
		at = end
	})
	return units, f.text[at:]
}
