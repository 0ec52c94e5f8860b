package compare_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"agentd/documents/compare"
	"agentd/internal/charset"
	"agentd/vfs"
)

const meeting = "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:1@x\nDTSTART:20240302T100000Z\nSUMMARY:Déjeuner à Orléans\nEND:VEVENT\nEND:VCALENDAR\n"

// latin1 is a text in Windows' encoding of Western Europe.
func latin1(t *testing.T, text string) string {
	t.Helper()
	content, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestTheBytesOfADocumentAreSaidApartFromItsMeaning(t *testing.T) {
	t.Parallel()
	crlf := strings.ReplaceAll(meeting, "\n", "\r\n")
	for name, c := range map[string]struct {
		before, after string
		status        compare.Status
		note, bytes   string
	}{
		"as it was":                          {crlf, crlf, compare.Same, "", ""},
		"mark and last newline":              {"\ufeff" + meeting, strings.TrimSpace(meeting), compare.Same, "", "byte order mark lost, no newline at the end"},
		"line ends and mark":                 {"\ufeff" + crlf, meeting, compare.Same, "", "byte order mark lost, CRLF -> LF"},
		"an edit, and line ends":             {crlf, strings.Replace(meeting, "10", "11", 1), compare.Changed, "", "CRLF -> LF"},
		"an edit alone":                      {crlf, strings.Replace(crlf, "10", "11", 1), compare.Changed, "", ""},
		"another encoding":                   {latin1(t, meeting), meeting, compare.Same, "read as windows-1252", "windows-1252 -> UTF-8"},
		"an edit in the same encoding":       {latin1(t, meeting), latin1(t, strings.Replace(meeting, "Orl", "Bel", 1)), compare.Changed, "read as windows-1252", ""},
		"an edit, and letters that are lost": {latin1(t, meeting), strings.ReplaceAll(meeting, "é", "\ufffd"), compare.Changed, "", "windows-1252 -> UTF-8"},
	} {
		r := compare.Compare(vfs.Files{"a.ics": c.before}, vfs.Files{"a.ics": c.after}, nil)
		d := r.Documents[0]
		if d.Status != c.status || d.Domain != "calendar" || !strings.HasPrefix(d.Note, c.note) || d.Bytes.Words() != c.bytes || (d.Bytes == nil) != (c.bytes == "") {
			t.Errorf("%s: %s, note %q, bytes %q, %v", name, d.Status, d.Note, d.Bytes.Words(), d.Differences)
		}
		for _, format := range compare.Formats() {
			var b strings.Builder
			if err := r.Write(&b, format, false); err != nil {
				t.Fatal(err)
			}
			if said := strings.Contains(b.String(), "bytes"); said != (c.bytes != "") {
				t.Errorf("%s: %s says the bytes: %v\n%s", name, format, said, &b)
			}
		}
	}
}

func TestAnEncodingCanBeGiven(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	names := map[string]string{"before.srt": "caf\xe9", "after.srt": "cafй"}
	for name, word := range names {
		names[name] = filepath.Join(dir, name)
		if err := os.WriteFile(names[name], []byte("1\n00:00:01,000 --> 00:00:02,000\n"+word+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cyrillic, err := charset.Lookup("windows-1251")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		encoding charset.Encoding
		status   compare.Status
	}{{charset.Encoding{}, compare.Changed}, {cyrillic, compare.Same}} {
		r, err := compare.ComparePaths(names["before.srt"], names["after.srt"], compare.Options{Encoding: c.encoding})
		if err != nil || r.Documents[0].Status != c.status {
			t.Errorf("read as %s: %+v, %v", c.encoding, r.Documents, err)
		}
	}
}

func TestTheExecutableBitIsSeenInFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"a/run.py": 0o755, "b/run.py": 0o644} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("print(1)\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	r, err := compare.ComparePaths(filepath.Join(dir, "a"), filepath.Join(dir, "b"), compare.Options{})
	if err != nil || !r.Same || r.Documents[0].Bytes.Words() != "executable bit lost" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestLettersThatLookAlikeAreTold(t *testing.T) {
	t.Parallel()
	r := compare.Compare(vfs.Files{"a.csv": "id,name\n1,Café\n"}, vfs.Files{"a.csv": "id,name\n1,Cafe\u0301\n"}, nil)
	if d := r.Documents[0]; len(d.Differences) != 1 || !strings.HasSuffix(d.Differences[0].String(), "(the same letters, composed or decomposed)") {
		t.Errorf("%v", d.Differences)
	}
}

func TestQuotationMarksAreShownAsWritten(t *testing.T) {
	t.Parallel()
	r := compare.Compare(vfs.Files{"a.md": "# A\n\nSay \"yes\" & go.\n"}, vfs.Files{"a.md": "# A\n\nSay \"no\" & go.\n"}, nil)
	if said := r.Documents[0].Differences[0].String(); !strings.Contains(said, `"yes"`) || strings.Contains(said, "&#") {
		t.Errorf("%s", said)
	}
}

func bucket(name string) string {
	return "resource \"aws_s3_bucket\" \"" + name + "\" {\n  bucket = \"harbour-" + name + "\"\n}\n"
}
