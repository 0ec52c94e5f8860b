package logs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal returns a pseudo-terminal.
func terminal(t *testing.T) *os.File {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatalf("no terminal: %v", err)
	}
	t.Cleanup(func() { screen.Close() })
	if err := unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	end, err := os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end.Close() })
	return end
}

// A person reads warnings as text, amid the text of the command; a program reads them as JSON. Either can be asked for.
func TestWarningsOnATerminalAreText(t *testing.T) {
	t.Parallel()
	person := terminal(t)
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for name, c := range map[string]struct {
		end    *os.File
		format string
		json   bool
	}{
		"a terminal":                  {person, Auto, false},
		"a file":                      {file, Auto, true},
		"a terminal, JSON asked for":  {person, JSON, true},
		"a file, where text is asked": {file, Text, false},
	} {
		var written bytes.Buffer
		log := New(&written, c.end, c.format)
		log.Warn().Str("model", "m").Msg("no price is known")
		if is := json.Valid(written.Bytes()); is != c.json || strings.Contains(written.String(), "{") != c.json {
			t.Errorf("%s: %s", name, &written)
		}
		if !strings.Contains(written.String(), "no price is known") {
			t.Errorf("%s: %s", name, &written)
		}
	}
}
