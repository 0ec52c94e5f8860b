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
	get     func() *regexp.Regexp
}

// inTest says that the program is a test, in which every expression is compiled at once so that a wrong one is seen.
var inTest = strings.HasSuffix(os.Args[0], ".test")

// New returns a regular expression for a package's variable. Using it panics if the pattern is wrong.
func New(pattern string) *Regexp {
	r := &Regexp{pattern, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })}
	if inTest {
		r.get()
	}
	return r
}

// String returns the pattern.
func (r *Regexp) String() string { return r.pattern }

// The methods of regexp.Regexp that the program uses.

func (r *Regexp) MatchString(s string) bool { return r.get().MatchString(s) }

func (r *Regexp) Match(b []byte) bool { return r.get().Match(b) }

func (r *Regexp) FindString(s string) string { return r.get().FindString(s) }

func (r *Regexp) FindStringIndex(s string) []int { return r.get().FindStringIndex(s) }

func (r *Regexp) FindStringSubmatch(s string) []string { return r.get().FindStringSubmatch(s) }

func (r *Regexp) FindStringSubmatchIndex(s string) []int { return r.get().FindStringSubmatchIndex(s) }

func (r *Regexp) FindSubmatch(b []byte) [][]byte { return r.get().FindSubmatch(b) }

func (r *Regexp) FindSubmatchIndex(b []byte) []int { return r.get().FindSubmatchIndex(b) }

func (r *Regexp) FindAllString(s string, n int) []string { return r.get().FindAllString(s, n) }

func (r *Regexp) FindAllStringIndex(s string, n int) [][]int { return r.get().FindAllStringIndex(s, n) }

func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.get().FindAllStringSubmatch(s, n)
}

func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.get().FindAllStringSubmatchIndex(s, n)
}

func (r *Regexp) ReplaceAll(b, by []byte) []byte { return r.get().ReplaceAll(b, by) }

func (r *Regexp) ReplaceAllFunc(b []byte, by func([]byte) []byte) []byte {
	return r.get().ReplaceAllFunc(b, by)
}

func (r *Regexp) ReplaceAllString(s, by string) string { return r.get().ReplaceAllString(s, by) }

func (r *Regexp) ReplaceAllLiteralString(s, by string) string {
	return r.get().ReplaceAllLiteralString(s, by)
}

func (r *Regexp) ReplaceAllStringFunc(s string, by func(string) string) string {
	return r.get().ReplaceAllStringFunc(s, by)
}

func (r *Regexp) Split(s string, n int) []string { return r.get().Split(s, n) }

func (r *Regexp) SubexpNames() []string { return r.get().SubexpNames() }

func (r *Regexp) SubexpIndex(name string) int { return r.get().SubexpIndex(name) }
