package download

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"agentd/internal/printable"
)

// Bar shows how far a download is: one line that is drawn again and again on a
// terminal, a line every minute elsewhere.
type Bar struct {
	out      io.Writer
	terminal bool
	shown    time.Time
	open     bool // a line to be drawn over
}

// NewBar returns a Bar that writes to a file.
func NewBar(out *os.File) *Bar { return &Bar{out: out, terminal: term.IsTerminal(int(out.Fd()))} }

const (
	redrawEvery = 500 * time.Millisecond // on a terminal
	reportEvery = time.Minute            // elsewhere
)

// Show draws how many bytes of a download have come; total is -1 if that is unknown.
func (b *Bar) Show(have, total int64) {
	every := reportEvery
	if b.terminal {
		every = redrawEvery
	}
	if have != total && time.Since(b.shown) < every {
		return
	}
	b.shown = time.Now()
	line := barLine(have, total)
	if b.terminal {
		printable.Fprintf(b.out, "\r\x1b[2K%s", line)
		b.open = true
		return
	}
	printable.Fprintf(b.out, "%s\n", line)
}

// End ends the line.
func (b *Bar) End() {
	if b.open {
		printable.Fprintf(b.out, "\n")
	}
}

func barLine(have, total int64) string {
	const megabyte, width = 1e6, 30
	if total <= 0 {
		return fmt.Sprintf("%.1f MB", float64(have)/megabyte)
	}
	share := min(1, float64(have)/float64(total))
	full := int(share * width)
	return fmt.Sprintf("[%s%s] %3.0f %%, %.1f of %.1f MB", strings.Repeat("=", full), strings.Repeat(" ", width-full),
		100*share, float64(have)/megabyte, float64(total)/megabyte)
}
