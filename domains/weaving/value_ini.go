package weaving

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// option is an entry of a section as Python's configparser has it.
type option struct{ name, value string }

// ini are the options of a file by section, in their order. Those of the
// section DEFAULT appear in every other one.
type ini struct {
	sections map[string]*options
	defaults options
}

type options struct {
	list    []option
	largest string          // of the ascending numbers
	met     map[string]bool // the names, nil as long as they are ascending numbers
}

// add reports whether there is no option of that name yet.
func (o *options) add(added option) bool {
	if o.met == nil {
		if isPlain(added.name) && compareNumbers(o.largest, added.name) < 0 {
			o.largest = added.name
			o.list = plain.Append(o.list, added)
			return true
		}
		o.met = o.names()
	}
	before := len(o.met)
	o.met[added.name] = true
	o.list = plain.Append(o.list, added)
	return len(o.met) > before
}

func (o *options) names() map[string]bool {
	names := make(map[string]bool, len(o.list))
	for i := range o.list {
		names[o.list[i].name] = true
	}
	return names
}

const defaultSection = "DEFAULT"

// of returns the options of a section, first its own.
func (c *ini) of(section string) []option {
	own := c.sections[section]
	if own == nil {
		return nil
	}
	switch {
	case len(c.defaults.list) == 0:
		return own.list
	case len(own.list) == 0:
		return c.defaults.list
	}
	hidden := own.names()
	all := slices.Clip(own.list)
	for _, o := range c.defaults.list {
		if !hidden[o.name] {
			all = append(all, o)
		}
	}
	return all
}

// readINI reads a file as configparser does when it is strict, does not
// interpolate and keeps the case of names.
func readINI(text string) (*ini, error) {
	r := iniReader{ini: ini{sections: map[string]*options{}}}
	for number := 1; text != ""; number++ {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		if err := r.take(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	r.endOption()
	return &r.ini, nil
}

type iniReader struct {
	ini
	section *options        // nil before the first
	indent  int             // of the line that began the option or section
	option  bool            // there is one that may go on
	more    strings.Builder // the lines of its value after the first
}

func (r *iniReader) take(line string) error {
	content := pytext.Strip(line)
	switch {
	case content == "":
		if r.option {
			r.more.WriteByte('\n')
		}
		return nil
	case content[0] == '#' || content[0] == ';':
		return nil
	}
	indent := 0
	if pytext.IsSpace(firstRune(line)) {
		indent = utf8.RuneCountInString(line) - utf8.RuneCountInString(pytext.StripLeft(line))
	}
	if r.option && indent > r.indent {
		r.more.WriteString("\n" + content)
		return nil
	}
	r.endOption()
	r.indent = indent
	if end := strings.LastIndexByte(content, ']'); content[0] == '[' && end > 1 {
		return r.begin(content[1:end])
	}
	return r.add(content)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func (r *iniReader) begin(name string) error {
	if name == defaultSection {
		r.section = &r.defaults
		return nil
	}
	if r.sections[name] != nil {
		return fmt.Errorf("the section [%s] occurs twice", shortened(name))
	}
	r.section = &options{}
	r.sections[name] = r.section
	return nil
}

func (r *iniReader) add(content string) error {
	if r.section == nil {
		return errors.New("text before the first section")
	}
	at := strings.IndexAny(content, "=:")
	if at < 0 {
		return errors.New("neither a section nor an entry")
	}
	name := pytext.StripRight(content[:at])
	if name == "" {
		return errors.New("an entry without a name")
	}
	if !r.section.add(option{name, pytext.StripLeft(content[at+1:])}) {
		return fmt.Errorf("%q occurs twice in its section", shortened(name))
	}
	r.option = true
	return nil
}

// endOption joins the lines of a value. Blank ones at its end are none of it.
func (r *iniReader) endOption() {
	if r.option && r.more.Len() > 0 {
		last := &r.section.list[len(r.section.list)-1]
		last.value = pytext.StripRight(last.value + r.more.String())
	}
	r.option = false
	r.more.Reset()
}
