// Package yamlsafe reads YAML that somebody else wrote. All YAML goes through it.
//
// A few bytes of YAML can stand for gigabytes: aliases repeat what their anchors
// hold, and lists can be nested without end. So the size of a text and the number
// of its values are bounded before it is parsed. How deep it is nested, and what its
// aliases stand for, is bounded before anything is decoded.
package yamlsafe

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ErrTooMuch marks YAML that is over a limit.
var ErrTooMuch = errors.New("too much YAML")

// Node is a value as the library parses it.
type Node = yaml.Node

// Scalar is the Kind of a Node that is one text, number or the like.
const Scalar = yaml.ScalarNode

// Limits bound a text and what it decodes to.
type Limits struct {
	Bytes  int // of the text
	Values int // scalars, lists, mappings; each use of an alias counts what it stands for
	Levels int // lists and mappings in each other
	// Expanded is how many bytes all scalars may have, with each use of an alias
	// counted.
	Expanded int
}

// DefaultLimits hold for files that people write: experiments, environments, prices.
// The largest built-in environment has 12 kB in 200 values.
func DefaultLimits() Limits {
	return Limits{Bytes: 1 << 20, Values: 100_000, Levels: 32, Expanded: 4 << 20}
}

// Unmarshal decodes a text of one document within DefaultLimits. A key that the
// value has no field for is an error. Errors say the line. Of an empty text nothing
// is decoded.
func Unmarshal(text []byte, into any) error {
	limits := DefaultLimits()
	documents, err := limits.Parse(text)
	if err != nil || len(documents) == 0 {
		return err
	}
	if len(documents) > 1 {
		return fmt.Errorf("line %d: a second document begins; one is read", documents[1].Line)
	}
	if err := limits.check(documents[0]); err != nil {
		return err
	}
	return Decode(documents[0], into)
}

// Decode decodes a part of a text that Unmarshal reads, for the UnmarshalYAML methods
// of its types. A key that the value has no field for is an error.
func Decode(n *Node, into any) error {
	if err := knownKeys(n, into); err != nil {
		return err
	}
	return plainly(n.Decode(into))
}

// Parse returns the documents of a text. Of the limits it keeps Bytes and Values as
// they are written: a value of one's own for each alias and a bound on nesting are
// for those who follow aliases.
func (l Limits) Parse(text []byte) (documents []*Node, err error) {
	if err := l.checkText(text); err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil { // the library is made for well-meant input
			documents, err = nil, fmt.Errorf("the YAML reader gave up: %v", r)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		n := &Node{}
		if err := decoder.Decode(n); errors.Is(err, io.EOF) {
			return documents, nil
		} else if err != nil {
			return nil, plainly(err)
		}
		documents = append(documents, n)
	}
}

// checkText bounds the number of values before there are any. Each begins in a new
// line, or after one of these characters.
func (l Limits) checkText(text []byte) error {
	if len(text) > l.Bytes {
		return fmt.Errorf("%w: it has more than %d bytes", ErrTooMuch, l.Bytes)
	}
	marks := 1
	for _, c := range text {
		switch c {
		case '\n', '\r', ',', '[', '{', ':', '-', '?':
			marks++
		}
	}
	if marks > l.Values {
		return fmt.Errorf("%w: it may have more than %d values", ErrTooMuch, l.Values)
	}
	return nil
}

// check bounds what a document stands for.
func (l Limits) check(document *Node) error {
	m := measuring{limits: l, known: map[*Node]size{}}
	of, err := m.size(document, 0)
	switch {
	case err != nil:
		return err
	case of.values > l.Values:
		return fmt.Errorf("%w: with its aliases it stands for more than %d values", ErrTooMuch, l.Values)
	case of.bytes > l.Expanded:
		return fmt.Errorf("%w: with its aliases it stands for more than %d bytes", ErrTooMuch, l.Expanded)
	}
	return nil
}

// size is what a value stands for. Its numbers stop at a little above the limits.
type size struct{ values, bytes, levels int }

type measuring struct {
	limits Limits
	known  map[*Node]size // of what aliases stand for; levels -1 while it is measured
}

// size measures a value that is so many levels deep. What an alias stands for is
// measured once.
func (m *measuring) size(n *Node, depth int) (size, error) {
	if n.Kind == yaml.AliasNode {
		of, seen := m.known[n.Alias]
		if !seen {
			m.known[n.Alias] = size{levels: -1}
			var err error
			if of, err = m.size(n.Alias, depth); err != nil {
				return size{}, err
			}
			m.known[n.Alias] = of
		}
		if of.levels < 0 {
			return size{}, fmt.Errorf("line %d: the alias %s stands in what it stands for", n.Line, shorten(n.Value))
		}
		return of, m.checkLevels(n, depth+of.levels)
	}
	of := size{values: 1, bytes: len(n.Value)}
	for _, inner := range n.Content {
		part, err := m.size(inner, depth+1)
		if err != nil {
			return size{}, err
		}
		of.values = min(of.values+part.values, m.limits.Values+1)
		of.bytes = min(of.bytes+part.bytes, m.limits.Expanded+1)
		of.levels = max(of.levels, part.levels)
	}
	if n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode {
		of.levels++
	}
	return of, m.checkLevels(n, depth+of.levels)
}

func (m *measuring) checkLevels(n *Node, levels int) error {
	if levels > m.limits.Levels+1 { // the document itself is a level
		return fmt.Errorf("line %d: %w: more than %d lists and mappings in each other", n.Line, ErrTooMuch, m.limits.Levels)
	}
	return nil
}

// plainly is an error of the library in one line.
func plainly(err error) error {
	if err == nil {
		return nil
	}
	var types *yaml.TypeError
	if errors.As(err, &types) {
		return errors.New(shorten(strings.Join(types.Errors, "; ")))
	}
	if text, ok := strings.CutPrefix(err.Error(), "yaml: "); ok {
		return errors.New(shorten(text))
	}
	return err
}

// shorten keeps what a message quotes of a text within bounds.
func shorten(text string) string {
	const most = 500
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
