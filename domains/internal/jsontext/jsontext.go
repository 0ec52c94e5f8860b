// Package jsontext reads JSON, valid or damaged, and writes its texts and numbers. What it reads it hands to a Maker:
// each of its users has values of its own.
package jsontext

import (
	"fmt"
	"strings"
)

// Deepest is how many lists and objects of valid JSON may stand in each other.
const Deepest = 1024

// Kind is what a scalar is.
type Kind uint8

// The kinds of scalars.
const (
	Null Kind = iota
	Bool
	Number
	Text
)

// Maker makes values of what is read.
type Maker[V any] interface {
	// Scalar makes a value of a text, a number as it is written, true or false.
	Scalar(kind Kind, text string) V
	List(items []V) V
	Object() V
	// Member adds a member to an object. Names may repeat.
	Member(object V, name string, value V)
}

// Collector makes values of damaged text, and takes in what is no value.
type Collector[V any] interface {
	Maker[V]
	// Outside takes in the name of a member without a colon.
	Outside(name string)
	// Comment takes in a comment, with the mark that begins it.
	Comment(text string)
}

// Rules are how readers differ.
type Rules struct {
	// Halves keeps an escaped half of a surrogate pair, as three bytes that are no
	// UTF-8. Otherwise U+FFFD stands for it.
	Halves bool
	// Scripts takes two things of other languages where JSON is damaged: comments after #, and an escaped single quote.
	Scripts bool
}

// Quote quotes a text, escaping only what JSON does not take as it is.
func Quote(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 2)
	b.WriteByte('"')
	plain := 0 // from here on nothing was written yet
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b.WriteString(text[plain:i])
		plain = i + 1
		switch c {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		default:
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	b.WriteString(text[plain:])
	b.WriteByte('"')
	return b.String()
}
