package datafile

import (
	"archive/zip"
	"bytes"
	"slices"
	"strings"
)

// Foreign is a kind of file whose documents cannot be read, however its name ends.
type Foreign struct {
	What string // as in "a PDF"
	Do   string // what to do instead
}

// The kinds that are told apart.
var (
	pdf          = Foreign{"a PDF", "use the file it was made from, or extract its text (pdftotext)"}
	word         = Foreign{"a Word document (docx)", "convert it to text, as with pandoc FILE.docx -o FILE.md"}
	excel        = Foreign{"an Excel workbook (xlsx)", "save each sheet as CSV"}
	powerPoint   = Foreign{"a PowerPoint presentation (pptx)", "save its outline as text"}
	openDocument = Foreign{"an OpenDocument file", "save it as text, or each sheet as CSV"}
	oldOffice    = Foreign{"an Office document of the kind before 2007 (doc, xls, ppt)", "save it as text, or each sheet as CSV"}
	epub         = Foreign{"an EPUB book", "convert it to text, as with pandoc FILE.epub -o FILE.md"}
	java         = Foreign{"a Java archive", "leave it out"}
	gzip         = Foreign{"compressed with gzip", "unpack it (gunzip, or tar xzf)"}
	sqlite       = Foreign{"an SQLite database", "write it as SQL, as with sqlite3 FILE .dump"}
	parquet      = Foreign{"a Parquet file", "write its rows as CSV"}
)

// magic are the bytes that files of a kind begin with.
var magic = []struct {
	begin string
	kind  Foreign
}{
	{"%PDF-", pdf},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", oldOffice},
	{"\x1f\x8b", gzip},
	{"SQLite format 3\x00", sqlite},
	{"PAR1", parquet},
}

// Recognise says of which foreign kind a file is, by its content; false if it is none that is
// known. An archive of documents is none: Unzip reads it.
func Recognise(content []byte) (Foreign, bool) {
	for _, m := range magic {
		if bytes.HasPrefix(content, []byte(m.begin)) {
			return m.kind, true
		}
	}
	if !zipped(content) {
		return Foreign{}, false
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return Foreign{}, false
	}
	has := func(prefix string) bool {
		return slices.ContainsFunc(archive.File, func(f *zip.File) bool { return strings.HasPrefix(f.Name, prefix) })
	}
	switch office := has("[Content_Types].xml"); {
	case office && has("word/"):
		return word, true
	case office && has("xl/"):
		return excel, true
	case office && has("ppt/"):
		return powerPoint, true
	case has("mimetype") && has("META-INF/container.xml"):
		return epub, true
	case has("mimetype") && has("META-INF/manifest.xml"):
		return openDocument, true
	case has("META-INF/MANIFEST.MF"):
		return java, true
	}
	return Foreign{}, false
}

// zipped reports whether a file begins as a zip archive does.
func zipped(content []byte) bool {
	return bytes.HasPrefix(content, []byte("PK\x03\x04")) || bytes.HasPrefix(content, []byte("PK\x05\x06"))
}

// IsArchive reports whether a file is a zip archive that stands for the files in it. Office
// documents are archives too, and are not meant.
func IsArchive(content []byte) bool {
	_, foreign := Recognise(content)
	return zipped(content) && !foreign
}
