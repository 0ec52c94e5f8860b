package datafile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"agentd/vfs"
)

// zipOf makes an archive of names and contents in turn. spoil changes the headers of entries.
func zipOf(t testing.TB, spoil func(*zip.FileHeader), entries ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(entries); i += 2 {
		header := &zip.FileHeader{Name: entries[i], Method: zip.Deflate}
		if spoil != nil {
			spoil(header)
		}
		f, err := w.CreateHeader(header)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(entries[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAnArchiveIsAFolder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		entries []string
		want    vfs.Files
	}{
		"files":                   {[]string{"stops.txt", "a", "sub/x.txt", "b"}, vfs.Files{"stops.txt": "a", "sub/x.txt": "b"}},
		"in a folder":             {[]string{"feed/", "", "feed/stops.txt", "a", "feed/routes.txt", "b"}, vfs.Files{"stops.txt": "a", "routes.txt": "b"}},
		"with what macOS adds":    {[]string{"feed/stops.txt", "a", "feed/.DS_Store", "x", "__MACOSX/feed/._stops.txt", "\x00"}, vfs.Files{"stops.txt": "a"}},
		"with a picture":          {[]string{"stops.txt", "a", "logo.png", "\x89PNG"}, vfs.Files{"stops.txt": "a", "logo.png": "\x89PNG"}},
		"a folder beside a file":  {[]string{"feed/stops.txt", "a", "feeds.txt", "b"}, vfs.Files{"feed/stops.txt": "a", "feeds.txt": "b"}},
		"a name that is no ASCII": {[]string{"Fahrplan ü.txt", "a"}, vfs.Files{"Fahrplan ü.txt": "a"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "feed.zip")
			write(t, file, string(zipOf(t, nil, c.entries...)))
			got, err := new(Reader).Read(file, vfs.MaxFileBytes)
			if err != nil || !got.Equal(c.want) {
				t.Errorf("%v, %v; want %v", got, err, c.want)
			}
		})
	}
}

func TestAnArchiveMayMeanHarm(t *testing.T) {
	t.Parallel()
	small := Limits{FileBytes: 1 << 10, Bytes: 3 << 10, Entries: 5, Levels: 32}
	k := strings.Repeat("x", 1<<10)
	whole := zipOf(t, nil, "a.txt", k)
	liar := bytes.Clone(whole)
	directory := bytes.LastIndex(liar, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(liar[directory+24:], 10) // the size that it says it has
	for name, c := range map[string]struct {
		archive []byte
		is      error  // of errors.Is; nil for any
		says    string // part of the message
	}{
		"a path that leads out":     {zipOf(t, nil, "../a.txt", "x"), vfs.ErrPath, `".." is not allowed`},
		"a path that does so later": {zipOf(t, nil, "a/../../b.txt", "x"), vfs.ErrPath, `".." is not allowed`},
		"an absolute path":          {zipOf(t, nil, "/etc/passwd", "x"), vfs.ErrPath, "absolute paths"},
		"a control character":       {zipOf(t, nil, "a\x1b[2J.txt", "x"), vfs.ErrPath, "control character"},
		"a name that is no text":    {zipOf(t, func(h *zip.FileHeader) { h.NonUTF8 = true }, "a\xff.txt", "x"), vfs.ErrPath, "UTF-8"},
		"a link":                    {zipOf(t, func(h *zip.FileHeader) { h.SetMode(fs.ModeSymlink | 0o777) }, "a.txt", "/etc/passwd"), ErrKind, "a link"},
		"a device":                  {zipOf(t, func(h *zip.FileHeader) { h.SetMode(fs.ModeDevice | 0o666) }, "a.txt", ""), ErrKind, "a device"},
		"a file twice":              {zipOf(t, nil, "a.txt", "x", "./a.txt", "y"), nil, "feed.zip/a.txt is in the archive twice"},
		"an encrypted file":         {zipOf(t, func(h *zip.FileHeader) { h.Flags |= 1 }, "a.txt", "x"), nil, "encrypted"},
		"a method that is unknown":  {zipOf(t, nil, "a.txt", "x"), nil, ""},
		"a large file":              {zipOf(t, nil, "a.txt", k+"x"), ErrTooLarge, "feed.zip/a.txt"},
		"a size that is a lie":      {liar, nil, ""},
		"much together":             {zipOf(t, nil, "a", k, "b", k, "c", k, "d", "x"), ErrTooLarge, "together"},
		"many files":                {zipOf(t, nil, "a", "", "b", "", "c", "", "d", "", "e", "", "f", ""), ErrTooLarge, "more than 5 files"},
		"nothing":                   {zipOf(t, nil), nil, "without files"},
		"folders alone":             {zipOf(t, nil, "a/", ""), nil, "without files"},
		"half an archive":           {whole[:len(whole)/2], nil, "reading the archive"},
		"one whose content is cut":  {append(bytes.Clone(whole[:40]), whole[45:]...), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "a method that is unknown" {
				at := bytes.LastIndex(c.archive, []byte("PK\x01\x02"))
				binary.LittleEndian.PutUint16(c.archive[at+10:], 99)
			}
			files, err := Unzip("feed.zip", c.archive, small)
			if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "feed.zip") {
				t.Errorf("%v, %v", files, err)
			}
		})
	}
}

// A small archive of very large files costs no more than the limits allow.
func TestAZipBombIsRefused(t *testing.T) {
	t.Parallel()
	bomb := zipOf(t, nil, "a.txt", strings.Repeat("\x00", vfs.MaxFileBytes+1))
	if len(bomb) > 1<<16 {
		t.Fatalf("the bomb has %d bytes", len(bomb))
	}
	file := filepath.Join(t.TempDir(), "feed.zip")
	write(t, file, string(bomb))
	if _, err := new(Reader).Read(file, vfs.MaxFileBytes); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}

func TestForeignFilesAreToldAsWhatTheyAre(t *testing.T) {
	t.Parallel()
	for says, content := range map[string][]byte{
		"a PDF; ":                        []byte("%PDF-1.7\nplain"),
		"a Word document (docx); ":       zipOf(t, nil, "[Content_Types].xml", "", "word/document.xml", ""),
		"an Excel workbook (xlsx); save": zipOf(t, nil, "[Content_Types].xml", "", "xl/workbook.xml", ""),
		"a PowerPoint presentation":      zipOf(t, nil, "[Content_Types].xml", "", "ppt/presentation.xml", ""),
		"an OpenDocument file; ":         zipOf(t, nil, "mimetype", "", "META-INF/manifest.xml", ""),
		"an EPUB book; ":                 zipOf(t, nil, "mimetype", "", "META-INF/container.xml", ""),
		"a Java archive; ":               zipOf(t, nil, "META-INF/MANIFEST.MF", ""),
		"(doc, xls, ppt); ":              []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest"),
		"gzip; unpack it":                []byte("\x1f\x8b\x08"),
		"SQLite database; ":              []byte("SQLite format 3\x00"),
		"not a text file; ":              []byte("\xffbytes"),
		"not a text file; convert":       []byte("\xff\xfe\x00"),
	} {
		t.Run(says, func(t *testing.T) {
			t.Parallel()
			for _, name := range []string{"report.txt", "report"} { // its name does not matter
				file := filepath.Join(t.TempDir(), name)
				write(t, file, string(content))
				if _, err := new(Reader).Read(file, vfs.MaxFileBytes); err == nil || !strings.Contains(err.Error(), file+" is ") || !strings.Contains(err.Error(), says) {
					t.Errorf("%v, want %q", err, says)
				}
			}
		})
	}
}

func FuzzUnzip(f *testing.F) {
	f.Add(zipOf(f, nil, "a/b.txt", "x", "a/c.txt", "y"))
	f.Add(zipOf(f, func(h *zip.FileHeader) { h.SetMode(fs.ModeSymlink) }, "../a", "x"))
	f.Fuzz(func(t *testing.T, content []byte) {
		limits := Limits{FileBytes: 1 << 12, Bytes: 1 << 14, Entries: 100, Levels: 8}
		files, err := Unzip("f.zip", content, limits)
		if err != nil {
			return
		}
		if len(files) == 0 || int64(files.Bytes()) > limits.Bytes {
			t.Errorf("%d files of %d bytes", len(files), files.Bytes())
		}
		for name := range files {
			if clean, err := vfs.Clean(name); err != nil || clean != name {
				t.Errorf("the name %q: %v", name, err)
			}
		}
	})
}
