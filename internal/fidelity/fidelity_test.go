package fidelity_test

import (
	"slices"
	"strings"
	"testing"

	"agentd/internal/charset"
	"agentd/internal/fidelity"
	"agentd/vfs"
)

func TestWhatBecameOfTheBytes(t *testing.T) {
	t.Parallel()
	const three = "one 1\ntwo 2\nthree 3\n"
	crlf := strings.ReplaceAll(three, "\n", "\r\n")
	for name, c := range map[string]struct {
		was, is, changed string
		want             string
		rest             float64
	}{
		"nothing":                       {three, three, "", "", 0},
		"a changed word":                {three, "one 1\ntwo 22\nthree 3\n", "2 22", "", 0},
		"line ends":                     {crlf, three, "", "CRLF -> LF", 1},
		"line ends and a changed word":  {crlf, "one 1\ntwo 22\nthree 3\n", "2 22", "CRLF -> LF", 1},
		"mixed line ends":               {"a\r\nb\nc\n", "a\nb\nc\n", "", "2 LF and 1 CRLF -> LF", 3. / 7},
		"line ends that are mixed now":  {"a\nb\nc\n", "a\r\nb\nc\n", "", "LF -> 2 LF and 1 CRLF", 1. / 3},
		"fewer lines of mixed ends":     {"a\r\nb\nc\n", "a\r\nb\n", "c", "", 0},
		"a line end doubled":            {crlf, strings.ReplaceAll(crlf, "\r\n", "\r\r\n"), "", "CRLF -> CR CRLF", 1},
		"old ends of blank lines":       {"a\n\n\nb\n", "a\r\r\rb\r", "", "LF -> CR", 1},
		"old line ends":                 {three, strings.ReplaceAll(three, "\n", "\r"), "", "LF -> CR", 1},
		"the last newline":              {three, strings.TrimSpace(three), "", "no newline at the end", .4},
		"a last newline that is new":    {"a", "a\n", "", "a newline at the end", 1},
		"a mark lost":                   {"\ufeff" + three, three, "", "byte order mark lost", 0},
		"a mark added":                  {three, "\ufeff" + three, "", "byte order mark added", 0},
		"trailing blanks lost":          {"a  \nb\n", "a\nb\n", "", "trailing blanks: 1 line -> 0 lines", 4. / 6},
		"trailing blanks added":         {"a\nb\n", "a\t\nb \n", "", "trailing blanks: 0 lines -> 2 lines", 1},
		"other blanks":                  {"a  b\nc\n", "a b\nc\n", "", "71.43 % written otherwise", 5. / 7},
		"blanks next to a changed word": {"x  b\nc 1\n", "x b\nc 2\n", "1 2 x", "100.00 % written otherwise", 1},
		"quotes, and another change":    {"a: \"x\"\nb: y\nc: 1\n", "a: 'x'\nb: y\nc: 2\n", "1 2", "58.33 % written otherwise", 7. / 12},
		"lines joined, another change":  {"a b\nc d\ne 1\n", "a b c d\ne 2\n", "1 2", "100.00 % written otherwise", 1},
		"a number said in another way":  {"a\nb 20240101\n", "a\nb 20240102\n", "2024-01-01 2024-01-02", "", 0},
		"a moved line":                  {"a\nb\n", "b\na\n", "", "", 0},
		"decomposed letters":            {"café\n", "cafe\u0301\n", "", "composed letters (NFC) -> decomposed letters (NFD)", 1},
		"an encoding":                   {"caf\xe9 cr\xe8me\n", "café crème\n", "", "windows-1252 -> UTF-8", 1},
		"an encoding and quotes":        {"caf\xe9 a\nb 'x'\n", "café a\nb \"x\"\n", "", "windows-1252 -> UTF-8, 100.00 % written otherwise", 1},
		"an encoding, few lines":        {"caf\xe9 a\nbcd efg\n", "café a\nbcd efg\n", "", "windows-1252 -> UTF-8", .5},
		"UTF-16":                        {"\xff\xfea\x00\n\x00", "a\n", "", "UTF-16LE -> UTF-8, byte order mark lost", 1},
		"a blank line more":             {"a\nb\n", "a\n\nb\n", "", "25.00 % written otherwise", .25},
		"an element with a blank line":  {"a 1\n\nb 2\n", "a 1\n", "b 2", "", 0},
		"emptied":                       {three, "", "one two three 1 2 3", "", 0},
		"bytes that are no text":        {"\x00\x01", "\x00\x02", "", "100.00 % written otherwise", 1},
		"all on one line":               {"{\n\"a\": 1\n}\n", "{\"a\":1}\n", "", "100.00 % written otherwise", 1},
	} {
		var changed []string
		if c.changed != "" {
			changed = strings.Fields(c.changed)
		}
		kept := fidelity.Of(vfs.Files{"a": c.was}, vfs.Files{"a": c.is}, charset.Encoding{}, changed)
		if got := kept.Words(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if kept != nil && (kept.Rest < c.rest-1e-9 || kept.Rest > c.rest+1e-9) {
			t.Errorf("%s: the rest is %v, want %v", name, kept.Rest, c.rest)
		}
	}
}

func TestSeveralFilesAndTheExecutableBit(t *testing.T) {
	t.Parallel()
	kept := fidelity.Of(vfs.Files{"a": "1\n", "b": "2\n", "c": "3\n"}, vfs.Files{"a": "1\r\n", "b": "2", "d": "4\n"}, charset.Encoding{}, nil)
	kept = fidelity.Add(fidelity.Add(kept, "c", true, true), "b", true, false)
	const want = "a: LF -> CRLF, b: no newline at the end, executable bit lost"
	if got := kept.Words(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, c := range kept.Changes {
		if !slices.Contains(fidelity.Properties(), c.What) {
			t.Errorf("%q is no property", c.What)
		}
	}
	if kept := fidelity.Add(nil, "a", false, true); kept.Words() != "executable bit added" {
		t.Errorf("%q", kept.Words())
	}
}
