// Package jsonsafe decodes JSON that somebody else wrote. The text is looked at
// first, in one pass that takes no memory: three bytes of text, {}, can become
// hundreds of bytes of a decoded value, so the number of values is bounded before
// any of them is made.
package jsonsafe

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ErrTooMuch marks JSON that is over a limit.
var ErrTooMuch = errors.New("too much JSON")

// Limits bound what a text may decode to.
type Limits struct {
	Values int // values, the names of members included
	Levels int // lists and objects in each other
}

// DefaultLimits hold for a line of a data set and what a database keeps of it: a
// hundred times what the released environments have, and at most some 50 MB
// decoded.
func DefaultLimits() Limits { return Limits{Values: 200_000, Levels: 64} }

// Unmarshal is json.Unmarshal for a text within the limits.
func Unmarshal(text []byte, into any, limits Limits) error {
	if err := limits.Check(text); err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// Check refuses a text that decodes to more than the limits, with an error that
// wraps ErrTooMuch. It does not look whether the text is JSON at all.
func (l Limits) Check(text []byte) error {
	values, level, inString := 1, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++ // what follows does not end the string
		case c == '"':
			inString = !inString
		case inString:
		case c == '[' || c == '{':
			level++
			values++
		case c == ']' || c == '}':
			level--
		case c == ',' || c == ':':
			values++
		}
		if level > l.Levels {
			return fmt.Errorf("%w: more than %d lists and objects in each other", ErrTooMuch, l.Levels)
		}
		if values > l.Values {
			return fmt.Errorf("%w: more than %d values", ErrTooMuch, l.Values)
		}
	}
	return nil
}
