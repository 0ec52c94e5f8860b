package datafile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// MostLineBytes is what a line of a data set, or of pairs of documents, may have.
// A line of the released data set has 82 kB on average.
const MostLineBytes = 32 << 20

// Line is a line of a file.
type Line struct {
	Number int    // from 1
	Text   []byte // without the newline; valid until the next line
	Err    error  // why there is no text; then it is the last line
}

// Lines goes through the lines of a reader, each of which may have so many bytes.
// One that is longer is an error, and the end: it is not known where it would end.
func Lines(r io.Reader, most int) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		buffered := bufio.NewReaderSize(r, 64<<10)
		var line []byte
		for number := 1; ; number++ {
			var err error
			line, err = readLine(buffered, line[:0], most)
			ended := errors.Is(err, io.EOF)
			if ended && len(line) == 0 {
				return
			}
			if err != nil && !ended {
				yield(Line{Number: number, Err: err})
				return
			}
			if !yield(Line{Number: number, Text: bytes.TrimSuffix(line, []byte{'\n'})}) || ended {
				return
			}
		}
	}
}

// readLine appends a line to into; io.EOF says that it is the last.
func readLine(r *bufio.Reader, into []byte, most int) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(into)+len(part) > most {
			return nil, fmt.Errorf("%w: the line has more than %d MiB; split it, or leave it out", ErrTooLarge, most>>20)
		}
		into = append(into, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return into, err
		}
	}
}
