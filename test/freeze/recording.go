package main

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"unicode/utf8"
)

// entry is one thing that was found of a row: a list of texts.
type entry struct {
	Row   string // as in "fuzz dns-fuzz-11-3"
	Field string // as in "RS", or "elements of the candidate"
	texts []int  // places in recording.texts
}

// recording is what was found of a domain. Each text is in it once, since most of a document is also in
// the one that it was made of.
type recording struct {
	entries []entry
	texts   []string
	places  map[string]int
}

func newRecording() *recording { return &recording{places: map[string]int{}} }

// add makes an entry.
func (r *recording) add(row, field string, texts []string) {
	e := entry{Row: row, Field: field, texts: make([]int, len(texts))}
	for i, text := range texts {
		text = storable(text)
		place, known := r.places[text]
		if !known {
			place = len(r.texts)
			r.places[text] = place
			r.texts = append(r.texts, text)
		}
		e.texts[i] = place
	}
	r.entries = append(r.entries, e)
}

// longest is how much of a text is kept, in bytes. Of longer ones there is a hash, too.
const longest = 2000

// storable returns a text that JSON keeps as it is, and that is another one for another text.
func storable(text string) string {
	if len(text) > longest {
		text = fmt.Sprintf("%s… %d bytes, SHA-256 %x", text[:longest], len(text), sha256.Sum256([]byte(text)))
	}
	if !utf8.ValidString(text) {
		text = strconv.QuoteToASCII(text)
	}
	return text
}

// of returns the texts of an entry.
func (r *recording) of(e entry) []string {
	texts := make([]string, len(e.texts))
	for i, place := range e.texts {
		texts[i] = r.texts[place]
	}
	return texts
}

// line is one of the file of a recording: a text, or an entry.
type line struct {
	Text  *string `json:"text,omitempty"`
	Row   string  `json:"row,omitempty"`
	Field string  `json:"field,omitempty"`
	Texts []int   `json:"texts,omitempty"`
}

// save writes a recording, all texts first.
func (r *recording) save(name string) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("writing a recording: %w", err)
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			err = fmt.Errorf("writing %s: %w", name, err)
		}
	}()
	packed, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(packed)
	encoder := json.NewEncoder(buffered)
	for i := range r.texts {
		if err := encoder.Encode(line{Text: &r.texts[i]}); err != nil {
			return err
		}
	}
	for _, e := range r.entries {
		if err := encoder.Encode(line{Row: e.Row, Field: e.Field, Texts: e.texts}); err != nil {
			return err
		}
	}
	return errors.Join(buffered.Flush(), packed.Close())
}

// load reads a recording.
func load(name string) (*recording, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading a recording: %w", err)
	}
	defer f.Close()
	packed, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	r := newRecording()
	for decoder := json.NewDecoder(packed); ; {
		var l line
		switch err := decoder.Decode(&l); {
		case errors.Is(err, io.EOF):
			return r, nil
		case err != nil:
			return nil, fmt.Errorf("reading %s: %w", name, err)
		case l.Text != nil:
			r.texts = append(r.texts, *l.Text)
		default:
			r.entries = append(r.entries, entry{l.Row, l.Field, l.Texts})
		}
	}
}
