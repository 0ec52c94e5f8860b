// Package lazyregexp has regular expressions that are compiled when they are first used, so that the program does not
// compile hundreds of them each time it starts: an agent starts it twice for each tool call.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Regexp is a regular expression. Its methods are those of regexp.Regexp, and may be called concurrently.
type Regexp struct {
	pattern string
	get     func() compiled
}

type compiled struct {
	*regexp.Regexp
	required string // stands in whatever it matches
}

// in reports whether a text has what stands in every match. Where it has not, there is none, which is seen much sooner so.
func (r *Regexp) in(s string) (compiled, bool) {
	c := r.get()
	return c, strings.Contains(s, c.required)
}

// inTest says that the program is a test, in which every expression is compiled at once so that a wrong one is seen.
var inTest = strings.HasSuffix(os.Args[0], ".test")

// New returns a regular expression for a package's variable. Using it panics if the pattern is wrong.
func New(pattern string) *Regexp {
	r := &Regexp{pattern, sync.OnceValue(func() compiled { return compiled{regexp.MustCompile(pattern), required(pattern)} })}
	if inTest {
		r.get()
	}
	return r
}

// String returns the pattern.
func (r *Regexp) String() string { return r.pattern }

// The methods of regexp.Regexp that the program uses.

func (r *Regexp) MatchString(s string) bool {
	c, ok := r.in(s)
	return ok && c.MatchString(s)
}

func (r *Regexp) Match(b []byte) bool { return r.get().Match(b) }

func (r *Regexp) FindString(s string) string {
	if c, ok := r.in(s); ok {
		return c.FindString(s)
	}
	return ""
}

func (r *Regexp) FindStringIndex(s string) []int {
	if c, ok := r.in(s); ok {
		return c.FindStringIndex(s)
	}
	return nil
}

func (r *Regexp) FindStringSubmatch(s string) []string {
	if c, ok := r.in(s); ok {
		return c.FindStringSubmatch(s)
	}
	return nil
}

func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	if c, ok := r.in(s); ok {
		return c.FindStringSubmatchIndex(s)
	}
	return nil
}

func (r *Regexp) FindSubmatch(b []byte) [][]byte { return r.get().FindSubmatch(b) }

func (r *Regexp) FindSubmatchIndex(b []byte) []int { return r.get().FindSubmatchIndex(b) }

func (r *Regexp) FindAllString(s string, n int) []string {
	if c, ok := r.in(s); ok {
		return c.FindAllString(s, n)
	}
	return nil
}

func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	if c, ok := r.in(s); ok {
		return c.FindAllStringIndex(s, n)
	}
	return nil
}

func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	if c, ok := r.in(s); ok {
		return c.FindAllStringSubmatch(s, n)
	}
	return nil
}

func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	if c, ok := r.in(s); ok {
		return c.FindAllStringSubmatchIndex(s, n)
	}
	return nil
}

func (r *Regexp) ReplaceAll(b, by []byte) []byte { return r.get().ReplaceAll(b, by) }

func (r *Regexp) ReplaceAllFunc(b []byte, by func([]byte) []byte) []byte {
	return r.get().ReplaceAllFunc(b, by)
}

func (r *Regexp) ReplaceAllString(s, by string) string {
	if c, ok := r.in(s); ok {
		return c.ReplaceAllString(s, by)
	}
	return s
}

func (r *Regexp) ReplaceAllLiteralString(s, by string) string {
	if c, ok := r.in(s); ok {
		return c.ReplaceAllLiteralString(s, by)
	}
	return s
}

func (r *Regexp) ReplaceAllStringFunc(s string, by func(string) string) string {
	if c, ok := r.in(s); ok {
		return c.ReplaceAllStringFunc(s, by)
	}
	return s
}

func (r *Regexp) Split(s string, n int) []string { return r.get().Split(s, n) }

func (r *Regexp) SubexpNames() []string { return r.get().SubexpNames() }

func (r *Regexp) SubexpIndex(name string) int { return r.get().SubexpIndex(name) }
