package compare_test

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"agentd/documents/compare"
	"agentd/domains/catalog"
	"agentd/internal/picture"
	"agentd/vfs"
)

// grey is a picture of a size with some pixels that are lighter than the others.
func grey(t *testing.T, width, height int, lighter ...int) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range m.Pix {
		m.Pix[i] = 100
		if i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	for _, at := range lighter {
		m.Pix[4*at] = 110
	}
	content, err := picture.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// withText adds a comment to a PNG, as a chunk after the first one, which is of 25 bytes.
func withText(content string) string {
	chunk := "tEXtComment\x00by hand"
	const first = 8 + 25
	sized := binary.BigEndian.AppendUint32(nil, uint32(len(chunk)-4))
	sized = append(sized, chunk...)
	sized = binary.BigEndian.AppendUint32(sized, crc32.ChecksumIEEE([]byte(chunk)))
	return content[:first] + string(sized) + content[first:]
}

const ledger = "2024-03-02 * Harbour Cafe\n    Expenses:Food  12 EUR\n    Assets:Cash\n\n2024-03-09 * Rent\n    Expenses:Rent  900 EUR\n    Assets:Bank\n"

func TestWhatBecameOfADocument(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after vfs.Files
		status        compare.Status
		domain, note  string
		kinds         string // of the changes, in their order
	}{
		"the same to the letter":        {vfs.Files{"a.ledger": ledger}, vfs.Files{"a.ledger": ledger}, compare.Same, "accounting", "", ""},
		"written otherwise":             {vfs.Files{"a.ledger": ledger}, vfs.Files{"a.ledger": strings.ReplaceAll(ledger, "  12", "      12")}, compare.Same, "accounting", "", ""},
		"a transaction less":            {vfs.Files{"a.ledger": ledger}, vfs.Files{"a.ledger": ledger[strings.Index(ledger, "2024-03-09"):]}, compare.Changed, "accounting", "", "lost"},
		"another amount":                {vfs.Files{"a.ledger": ledger}, vfs.Files{"a.ledger": strings.Replace(ledger, "12", "21", 1)}, compare.Changed, "accounting", "", "changed"},
		"a new document":                {nil, vfs.Files{"a.ledger": ledger}, compare.Added, "accounting", "", "added added"},
		"a removed document":            {vfs.Files{"a.ledger": ledger}, nil, compare.Removed, "accounting", "", "lost lost"},
		"emptied":                       {vfs.Files{"a.ledger": ledger}, vfs.Files{"a.ledger": ""}, compare.Unreadable, "accounting", "no transaction found in a.ledger", "lost lost"},
		"JSON cut in the middle":        {vfs.Files{"a.json": `{"a": 1, "b": [1, 2]}`}, vfs.Files{"a.json": `{"a": 1, "b": [1,`}, compare.Unreadable, "json", "", "*"},
		"a file that nothing reads":     {vfs.Files{"Notes": "one\ntwo\n"}, vfs.Files{"Notes": "one\n2\n"}, compare.Changed, "text", "no domain reads it", "*"},
		"blanks in it":                  {vfs.Files{"Notes": "one\ntwo\n"}, vfs.Files{"Notes": "one  \r\ntwo"}, compare.Same, "text", "no domain reads it", ""},
		"a new paragraph in it":         {vfs.Files{"Notes": "one\ntwo\n"}, vfs.Files{"Notes": "one\n\ntwo\n"}, compare.Changed, "text", "no domain reads it", "changed"},
		"a ledger under another name":   {vfs.Files{"a.journal": ledger}, vfs.Files{"a.journal": strings.Replace(ledger, "12", "21", 1)}, compare.Changed, "accounting", "", "changed"},
		"the same, emptied":             {vfs.Files{"a.journal": ledger}, vfs.Files{"a.journal": ""}, compare.Unreadable, "accounting", "no transaction found in a.journal", "lost lost"},
		"bytes":                         {vfs.Files{"x": "a\x00b"}, vfs.Files{"x": "a\x00c"}, compare.Changed, "", "not a text", "changed"},
		"a text that became bytes":      {vfs.Files{"a.json": `{"a": 1}`}, vfs.Files{"a.json": "\xff\x00"}, compare.Unreadable, "json", "not a text", "changed"},
		"bytes that became a text":      {vfs.Files{"a.json": "\xff\x00"}, vfs.Files{"a.json": `{"a": 1}`}, compare.Unreadable, "json", "not a text", "changed"},
		"broken before and after":       {vfs.Files{"a.json": `{"a": [`}, vfs.Files{"a.json": `{"b": [`}, compare.Changed, "json", "", "*"},
		"mended":                        {vfs.Files{"a.json": `{"a": [`}, vfs.Files{"a.json": `{"a": 1}`}, compare.Changed, "json", "", "*"},
		"a picture":                     {vfs.Files{"a.png": grey(t, 9, 8)}, vfs.Files{"a.png": grey(t, 9, 8, 3)}, compare.Changed, "image", "", "changed"},
		"a picture of another size":     {vfs.Files{"a.png": grey(t, 9, 8)}, vfs.Files{"a.png": grey(t, 8, 8)}, compare.Changed, "image", "", "changed"},
		"a picture with other metadata": {vfs.Files{"a.png": grey(t, 9, 8)}, vfs.Files{"a.png": withText(grey(t, 9, 8))}, compare.Same, "image", "", ""},
		"a new picture":                 {nil, vfs.Files{"a.png": grey(t, 9, 8)}, compare.Added, "image", "", "added"},
		"a removed picture":             {vfs.Files{"a.png": grey(t, 9, 8)}, nil, compare.Removed, "image", "", "lost"},
		"a picture that was cut off":    {vfs.Files{"a.png": grey(t, 9, 8)}, vfs.Files{"a.png": grey(t, 9, 8)[:50]}, compare.Unreadable, "image", "a.png", "changed"},
		"bytes with a picture's name":   {vfs.Files{"a.png": "\x89PNG\x00"}, vfs.Files{"a.png": grey(t, 9, 8)}, compare.Changed, "", "not a text", "changed"},
		"a line of prose in a new file": {nil, vfs.Files{"Notes": "one\n"}, compare.Added, "text", "no domain reads it", "added"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := compare.Compare(c.before, c.after, nil)
			if len(r.Documents) != 1 {
				t.Fatalf("%d documents", len(r.Documents))
			}
			d := r.Documents[0]
			if d.Status != c.status || d.Domain != c.domain || !strings.Contains(d.Note, c.note) || c.note == "" && c.kinds != "*" && d.Note != "" {
				t.Errorf("%+v", d)
			}
			var kinds []string
			for _, change := range d.Differences {
				kinds = append(kinds, change.Kind)
			}
			if got := strings.Join(kinds, " "); got != c.kinds && (c.kinds != "*" || got == "") {
				t.Errorf("changes %s, want %s: %v", got, c.kinds, d.Differences)
			}
			if same := d.Status == compare.Same; same != (d.Strict == 1) || same != r.Same || same != (len(d.Differences) == 0) {
				t.Errorf("status %s, strict %v, report %v, %d changes", d.Status, d.Strict, r.Same, len(d.Differences))
			}
		})
	}
}

func TestFilesOfAFolderCanBeOneDocument(t *testing.T) {
	t.Parallel()
	bucket := func(name string) string {
		return "resource \"aws_s3_bucket\" \"" + name + "\" {\n  bucket = \"harbour-" + name + "\"\n}\n"
	}
	before := vfs.Files{"net/main.tf": bucket("logs") + bucket("maps"), "net/more.tf": bucket("tides"), "net/README": "About.\n"}
	after := vfs.Files{"net/main.tf": bucket("logs"), "net/more.tf": bucket("tides"), "net/new.tf": bucket("maps"), "net/README": "About.\n"}
	r := compare.Compare(before, after, nil)
	if len(r.Documents) != 2 || r.Documents[0].Name != "net" || r.Documents[0].Domain != "infra" || !r.Same {
		t.Errorf("a resource in another file of the module: %+v", r.Documents)
	}
	infra, _ := catalog.Lookup("infra")
	if r := compare.Compare(before, nil, infra); len(r.Documents) != 2 || r.Documents[0].Status != compare.Removed {
		t.Errorf("a module removed: %+v", r.Documents)
	}
}

// What documents say is shown, and does nothing.
func TestReportsAreHarmless(t *testing.T) {
	t.Parallel()
	r := compare.Compare(vfs.Files{"No\x1b[2Jtes": "one\n"}, vfs.Files{"No\x1b[2Jtes": "<script>|@everyone\x1b]0;title\x07\n"}, nil)
	for _, format := range compare.Formats() {
		var b strings.Builder
		if err := r.Write(&b, format, false); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "\x1b") || format != "text" && format != "json" && strings.Contains(b.String(), "<script") || format == "markdown" && strings.Contains(b.String(), "@") {
			t.Errorf("%s: %q", format, b.String())
		}
	}
}

// What a change made dangerous is said before what changed, in every form.
func TestWarningsComeFirst(t *testing.T) {
	t.Parallel()
	group := func(from string) vfs.Files {
		return vfs.Files{"main.tf": "resource \"aws_security_group\" \"web\" {\n  ingress {\n    cidr_blocks = [\"" + from + "\"]\n  }\n}\n"}
	}
	r := compare.Compare(group("10.0.0.0/8"), group("0.0.0.0/0"), nil)
	const warning = "ingress from everywhere"
	for _, format := range compare.Formats() {
		var b strings.Builder
		if err := r.Write(&b, format, false); err != nil {
			t.Fatal(err)
		}
		if at := strings.Index(b.String(), warning); at < 0 || at > strings.Index(b.String(), "10.0.0.0") {
			t.Errorf("%s: %s", format, &b)
		}
	}
	if r := compare.Compare(group("0.0.0.0/0"), group("0.0.0.0/0"), nil); len(r.Documents[0].Warnings) != 0 {
		t.Errorf("%q of a document that did not change", r.Documents[0].Warnings)
	}
}

func TestGitArguments(t *testing.T) {
	t.Parallel()
	r, err := compare.CompareGit([]string{"x.ledger", os.DevNull, ".", ".", os.DevNull, ".", "."}, compare.Options{})
	if err != nil || len(r.Documents) != 0 || !r.Same {
		t.Errorf("nothing on both sides: %+v, %v", r, err)
	}
	if _, err := compare.CompareGit([]string{"a", "b"}, compare.Options{}); err == nil {
		t.Error("two arguments are taken for git's")
	}
}

// What is said of a picture has its format, its size, how many pixels differ, where, and how
// similar it still is; its bytes are on no terminal.
func TestWhatIsSaidOfPictures(t *testing.T) {
	t.Parallel()
	before, after := filepath.Join(t.TempDir(), "before.png"), filepath.Join(t.TempDir(), "after.png")
	if err := errors.Join(os.WriteFile(before, []byte(grey(t, 9, 8)), 0o600), os.WriteFile(after, []byte(grey(t, 9, 8, 10, 12, 20)), 0o600)); err != nil {
		t.Fatal(err)
	}
	r, err := compare.ComparePaths(before, after, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range compare.Formats() {
		var b strings.Builder
		if err := r.Write(&b, format, false); err != nil {
			t.Fatal(err)
		}
		said := strings.NewReplacer("&#40;", "(", "&#41;", ")", "-&gt;", "->").Replace(b.String())
		for _, want := range []string{"PNG, RGB, 9x8 pixels", "3 of 72 pixels changed (4.17 %) within 1,1 to 3,2, the largest connected area has 1, within 1,1 to 1,1, SSIM 0.9"} {
			if !strings.Contains(said, want) {
				t.Errorf("%s lacks %q:\n%s", format, want, said)
			}
		}
		if strings.ContainsAny(said, "\x00\x1b\ufffd") || !utf8.ValidString(said) {
			t.Errorf("%s has bytes of the picture: %q", format, said)
		}
	}
	listed, err := compare.Listing(before, nil)
	if err != nil || !strings.HasPrefix(listed, "before.png: PNG picture, 9 × 8 pixels, ") || strings.Count(listed, "\n") != 1 || !utf8.ValidString(listed) {
		t.Errorf("listed as %q, %v", listed, err)
	}
}
