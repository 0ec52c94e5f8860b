package printable

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
	"unicode"
	"unicode/utf8"
)

func TestWhatACharacterIsShownAs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ line, text string }{
		"plain, ünïcode, 世界, 👩‍💻": {"plain, ünïcode, 世界, 👩‍💻", "plain, ünïcode, 世界, 👩‍💻"},
		"a\x1b[2Jb":               {"a␛[2Jb", "a␛[2Jb"},
		"\x1b]0;title\x07":        {"␛]0;title␇", "␛]0;title␇"},
		"\x1b]52;c;Y2F0\x1b\\":    {"␛]52;c;Y2F0␛\\", "␛]52;c;Y2F0␛\\"},
		"\x9b2J \x90q":            {"�2J �q", "�2J �q"}, // bytes that are no UTF-8
		"\u009b2J":                {"\ufffd2J", "\ufffd2J"},
		"del\x7f\x08\x08":         {"del␡␈␈", "del␡␈␈"},
		"a\r\nb\rc":               {"a␍␊b␍c", "a␍\nb␍c"},
		"a\n\tb":                  {"a␊␉b", "a\n\tb"},
		"\u202egnp.exe\u2066x":    {"\ufffdgnp.exe\ufffdx", "\ufffdgnp.exe\ufffdx"},
		"a\u2028b\u0085c":         {"a\ufffdb\ufffdc", "a\ufffdb\ufffdc"},
		"\x00":                    {"␀", "␀"},
		"":                        {"", ""},
	} {
		if got := Line(text); got != want.line {
			t.Errorf("Line(%q) = %q, want %q", text, got, want.line)
		}
		if got := Text(text); got != want.text {
			t.Errorf("Text(%q) = %q, want %q", text, got, want.text)
		}
	}
}

type named string

func (n named) String() string { return "named " + string(n) }

func TestArgumentsStayOnTheirLine(t *testing.T) {
	t.Parallel()
	bad := "x\x1b[2J\ny"
	for name, c := range map[string]struct {
		format string
		args   []any
		want   string
	}{
		"a text":            {"%s|\n", []any{bad}, "x␛[2J␊y|\n"},
		"an error":          {"%v", []any{fmt.Errorf("no: %w", errors.New(bad))}, "no: x␛[2J␊y"},
		"a Stringer":        {"%s", []any{named(bad)}, "named x␛[2J␊y"},
		"a list":            {"%v", []any{[]string{bad, "z"}}, "[x␛[2J␊y z]"},
		"bytes":             {"%s", []any{[]byte(bad)}, "x␛[2J␊y"},
		"a struct":          {"%+v", []any{struct{ A string }{bad}}, "{A:x␛[2J␊y}"},
		"quoted":            {"%q", []any{"a\x1b"}, `"a\x1b"`},
		"a width":           {"[%-4s][%*d]", []any{"a\x1b", 3, 7}, "[a␛  ][  7]"},
		"numbers":           {"%d %.2f %6d %v", []any{-1, 2.5, int64(3), time.Second}, "-1 2.50      3 1s"},
		"a block":           {"%s", []any{Block(bad)}, "x␛[2J\ny"},
		"the format itself": {"\x1b[1m%s\n", []any{"a"}, "\x1b[1ma\n"},
	} {
		if got := Sprintf(c.format, c.args...); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		var b strings.Builder
		if _, err := Fprintf(&b, c.format, c.args...); b.String() != c.want || err != nil {
			t.Errorf("%s: %q, %v, want %q", name, &b, err, c.want)
		}
	}
}

func TestWritersShowWhatComesInPieces(t *testing.T) {
	t.Parallel()
	text := "a é世👩\x1b[2J\u009b\u202e\x7f\n\t\xff.\n"
	var b bytes.Buffer
	if _, err := io.Copy(NewText(&b), iotest.OneByteReader(strings.NewReader(text))); err != nil || b.String() != Text(text) {
		t.Errorf("%q, %v, want %q", b.String(), err, Text(text))
	}
	want := map[string]string{"k": "é世\u009b\u202e\u2028\x7f\x1b\\u"}
	raw, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	b.Reset()
	if _, err := io.Copy(NewJSON(&b), iotest.OneByteReader(bytes.NewReader(raw))); err != nil {
		t.Fatal(err)
	}
	var got map[string]string
	if err := json.Unmarshal(b.Bytes(), &got); err != nil || got["k"] != want["k"] || Line(b.String()) != b.String() {
		t.Errorf("%q means %q, %v, want %q", &b, got, err, want)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestAWriterTellsThatNothingWasWritten(t *testing.T) {
	t.Parallel()
	for _, w := range []io.Writer{NewText(full{}), NewJSON(full{})} {
		if n, err := w.Write([]byte("x")); n != 0 || err == nil {
			t.Errorf("%d, %v", n, err)
		}
	}
}

func TestCellsThatSpreadsheetsWouldCalculate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\rx": "'\rx", "\tx": "'\tx", " =1": "' =1", "\n=1": "'\n=1",
		"＝1": "'＝1", "": "", "a=1": "a=1", "1-1": "1-1", "sim:weak": "sim:weak", "'": "'", "\ufffd": "\ufffd",
	} {
		if got := Cell(text); got != want {
			t.Errorf("Cell(%q) = %q, want %q", text, got, want)
		}
	}
}

// Nothing that is shown does anything on a terminal, and what is harmless stays.
func FuzzShown(f *testing.F) {
	f.Add("a\x1b[2J\u009b\u202e\xff\n", 2)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		line, shown := Line(text), Text(text)
		for _, r := range shown {
			if unicode.IsControl(r) && r != '\n' && r != '\t' || isDangerous(r) {
				t.Fatalf("Text(%q) = %q", text, shown)
			}
		}
		if strings.ContainsAny(line, "\n\t") || !utf8.ValidString(line) || utf8.RuneCountInString(line) != utf8.RuneCountInString(text) {
			t.Fatalf("Line(%q) = %q", text, line)
		}
		if Text(shown) != shown || Line(line) != line {
			t.Fatalf("%q is shown otherwise the second time", text)
		}
		var b bytes.Buffer
		w := NewText(&b)
		cut = max(0, min(cut, len(text)))
		_, _ = io.WriteString(w, text[:cut])
		_, _ = io.WriteString(w, text[cut:]+"\n") // the newline ends a character that was not whole
		if b.String() != Text(text+"\n") {
			t.Fatalf("%q cut at %d is written as %q, want %q", text, cut, &b, Text(text+"\n"))
		}
		if cell := Cell(text); cell != text && cell != "'"+text || strings.HasPrefix(cell, "=") {
			t.Fatalf("Cell(%q) = %q", text, cell)
		}
	})
}

// Lines that several goroutines log at once each stay whole.
func TestWritersMayBeUsedConcurrently(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(io.Writer) io.Writer{"text": NewText, "JSON": NewJSON} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			w := make(&out)
			var writers sync.WaitGroup
			for range 8 {
				writers.Go(func() {
					for range 200 {
						fmt.Fprintln(w, `{"level":"warn","message":"the café is closed"}`)
					}
				})
			}
			writers.Wait()
			if want := strings.Repeat(`{"level":"warn","message":"the café is closed"}`+"\n", 1600); out.String() != want {
				t.Error("lines are mixed")
			}
		})
	}
}
