package makefile

import (
	"errors"
	"fmt"
	"strings"
)

// origin is where a variable comes from; the larger overrules.
type origin uint8

const (
	builtIn origin = iota
	fromEnvironment
	fromFile
	fromOverride
)

type variable struct {
	value     string // raw if it is recursive, otherwise expanded
	recursive bool
	origin    origin
	expanding bool
}

// maker reads makefiles as GNU Make 4.3 does before it updates anything. It
// executes nothing: what a shell or the file system would say is empty.
type maker struct {
	variables  map[string]*variable
	names      []string // of the variables that a file has set, in order
	table      table
	patterns   []patternRule
	targets    int    // explicit ones
	goal       string // the default one
	git        bool   // whether $(shell) asked git
	noSuffixes bool   // whether the suffixes were cleared
	budget     int    // of bytes that expansions may still make
	depth      int    // of expansions
	err        error  // the first fatal error
}

// The bounds of expansion: a makefile that wants more is taken for one that Make refuses.
const (
	leastBudget = 4 << 20 // bytes, and four more for each of the file
	deepest     = 200
)

var errTooMuch = errors.New("expansions that make too much")

func newMaker(size int) *maker {
	m := &maker{variables: map[string]*variable{}, table: newTable(), budget: leastBudget + 4*size}
	for name, value := range defaultVariables {
		m.variables[name] = &variable{value: value, recursive: true}
	}
	for name, value := range environment {
		m.variables[name] = &variable{value: value, origin: fromEnvironment}
	}
	return m
}

func (m *maker) fail(format string, args ...any) {
	if m.err == nil {
		m.err = fmt.Errorf(format, args...)
	}
}

// spend takes bytes or steps from the budget and reports whether it sufficed.
func (m *maker) spend(bytes int) bool {
	if m.budget -= bytes; m.budget < 0 && m.err == nil {
		m.err = errTooMuch
	}
	return m.err == nil
}

// define carries out an assignment.
func (m *maker) define(name, operator, value string, from origin) {
	if name = trimBlanks(m.expand(name)); name == "" {
		m.fail("empty variable name")
		return
	}
	old := m.variables[name]
	recursive := true
	switch operator {
	case "?=":
		if old != nil {
			return
		}
	case ":=", "::=":
		value, recursive = m.expand(value), false
	case "!=":
		m.shell(m.expand(value))
		value = ""
	case "+=":
		if old == nil || old.origin == builtIn && old.value == "" {
			break
		}
		if recursive = old.recursive; !recursive {
			value = m.expand(value)
		}
		if !m.spend(len(old.value)) {
			return
		}
		value = old.value + " " + value
	}
	m.set(name, value, recursive, from)
}

func (m *maker) set(name, value string, recursive bool, from origin) {
	v := m.variables[name]
	if v == nil {
		v = &variable{}
		m.variables[name] = v
	}
	if v.origin > from {
		return
	}
	if v.origin < fromFile {
		m.names = append(m.names, name)
	}
	v.value, v.recursive, v.origin = value, recursive, from
}

// value is the expanded value of a variable.
func (m *maker) value(name string) string {
	v := m.variables[name]
	switch {
	case v == nil || !m.spend(4+len(v.value)):
		return ""
	case !v.recursive:
		return v.value
	case v.expanding:
		m.fail("variable %s references itself", name)
		return ""
	}
	v.expanding = true
	defer func() { v.expanding = false }()
	return m.expand(v.value)
}

// expand replaces the references in a text.
func (m *maker) expand(text string) string {
	at := strings.IndexByte(text, '$')
	if at < 0 || m.err != nil {
		return text
	}
	if m.depth++; m.depth > deepest {
		m.fail("references too deep")
	}
	defer func() { m.depth-- }()
	var b strings.Builder
	for at >= 0 && m.spend(1) {
		b.WriteString(text[:at])
		if at+1 == len(text) {
			text = ""
			break
		}
		inside := text[at+1 : at+2]
		end := at + 2
		if inside == "(" || inside == "{" {
			last := closing(text, at+1)
			if last < 0 {
				m.fail("unterminated reference")
				break
			}
			if end = last + 1; !m.spend(end - at) {
				break
			}
			inside = m.reference(text[at+2:last], inside[0])
		} else if inside != "$" {
			inside = m.value(inside)
		}
		if !m.spend(at + len(inside)) {
			break
		}
		b.WriteString(inside)
		text = text[end:]
		at = strings.IndexByte(text, '$')
	}
	b.WriteString(text)
	return b.String()
}

// reference expands what stands inside of a reference's brackets.
func (m *maker) reference(text string, open byte) string {
	name, rest := text, ""
	if at := strings.IndexAny(text, " \t"); at >= 0 {
		name, rest = text[:at], text[at:]
	}
	if f, known := functions[name]; known && (rest != "" || f.least == 0) {
		return m.invoke(name, f, strings.TrimLeft(rest, " \t"), open)
	}
	if strings.Contains(text, "$") {
		text = m.expand(text)
	}
	name, substitution, ok := strings.Cut(text, ":")
	from, to, isSubstitution := strings.Cut(substitution, "=")
	if !ok || !isSubstitution {
		return m.value(text)
	}
	if !strings.Contains(from, "%") {
		from, to = "%"+from, "%"+to
	}
	return m.patsubst(from, to, m.value(name))
}

// environment is what the published program was most likely started with.
var environment = map[string]string{
	"HOME": "/root", "PATH": "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin", "PWD": "/tmp",
	"HOSTNAME": "localhost", "LANG": "C.UTF-8", "SHLVL": "1", "TERM": "xterm", "USER": "root",
}

// defaultVariables are Make's own. Those with a dot in their names only matter to built-in rules.
var defaultVariables = map[string]string{
	"AR": "ar", "ARFLAGS": "rv", "AS": "as", "CC": "cc", "CO": "co", "CPP": "$(CC) -E", "CTANGLE": "ctangle",
	"CURDIR": "/tmp", "CWEAVE": "cweave", "CXX": "g++", "F77": "$(FC)", "F77FLAGS": "$(FFLAGS)", "FC": "f77",
	"GET": "get", "GNUMAKE": "YES", "LD": "ld", "LEX": "lex", "LINT": "lint", "M2C": "m2c", "MAKE": "$(MAKE_COMMAND)",
	"MAKEFILES": "", "MAKEFILE_LIST": " makefile.mk", "MAKEFLAGS": "pq", "MAKEINFO": "makeinfo", "MAKELEVEL": "0",
	"MAKE_COMMAND": "make", "MAKE_HOST": "x86_64-pc-linux-gnu", "MAKE_VERSION": "4.3", "MFLAGS": "-pq", "OBJC": "cc",
	"OUTPUT_OPTION": "-o $@", "PC": "pc", "RM": "rm -f", "SHELL": "/bin/sh", "SUFFIXES": strings.Join(defaultSuffixes, " "),
	"TANGLE": "tangle", "TEX": "tex", "TEXI2DVI": "texi2dvi", "WEAVE": "weave", "YACC": "yacc",
	".SHELLFLAGS": "-c", ".DEFAULT_GOAL": "", ".RECIPEPREFIX": "", ".LIBPATTERNS": "lib%.so lib%.a",
}
