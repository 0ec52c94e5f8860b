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
	list []option
	met  map[string]bool // their names
}

const defaultSection = "DEFAULT"

// of returns the options of a section, first its own.
func (c *ini) of(section string) []option {
	own := c.sections[section]
	if own == nil {
		return nil
	}
	all := slices.Clip(own.list)
	for _, o := range c.defaults.list {
		if !own.met[o.name] {
			all = append(all, o)
		}
	}
	return all
}

// readINI reads a file as configparser does when it is strict, does not
// interpolate and keeps the case of names.
func readINI(text string) (*ini, error) {
	r := iniReader{ini: ini{map[string]*options{}, options{met: map[string]bool{}}}}
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
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
		r.more.WriteByte('\n')
		return nil
	case content[0] == '#' || content[0] == ';':
		return nil
	}
	indent := utf8.RuneCountInString(line[:len(line)-len(pytext.StripLeft(line))])
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

func (r *iniReader) begin(name string) error {
	if name == defaultSection {
		r.section = &r.defaults
		return nil
	}
	if r.sections[name] != nil {
		return fmt.Errorf("the section [%s] occurs twice", shortened(name))
	}
	r.section = &options{met: map[string]bool{}}
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
	if r.section.met[name] {
		return fmt.Errorf("%q occurs twice in its section", shortened(name))
	}
	r.section.met[name], r.option = true, true
	r.section.list = plain.Append(r.section.list, option{name, pytext.StripLeft(content[at+1:])})
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
