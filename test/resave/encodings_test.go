package resave_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agentd/internal/charset"
	"agentd/internal/datafile"
	"agentd/vfs"
)

// Files that iconv wrote are read as the text that it was given, and are written back as its bytes.
func TestEncodingsAreThoseOfIconv(t *testing.T) {
	t.Parallel()
	const (
		french  = "date,payee,amount\n2024-03-01,Café Zoë,12.50\n2024-03-02,Crêperie à l'œuf,9.00 €\n"
		polish  = "date,payee,amount\n2024-03-01,Zażółć gęślą jaźń,12.50\n"
		russian = "date,payee,amount\n2024-03-01,Съешь ещё этих мягких булок,12.50\n"
		greek   = "date,payee,amount\n2024-03-01,Ξεσκεπάζω την ψυχοφθόρα βδελυγμία,12.50\n"
		turkish = "date,payee,amount\n2024-03-01,Pijamalı hasta yağız şoföre çabucak güvendi,12.50\n"
	)
	declared := func(encoding, text string) string {
		return `<?xml version="1.0" encoding="` + encoding + `"?><a>` + text + "</a>\n"
	}
	for encoding, text := range map[string]string{
		"UTF-8": french, "UTF-16": polish, "UTF-32": russian,
		"WINDOWS-1252": french, "WINDOWS-1250": polish, "WINDOWS-1251": russian, "WINDOWS-1253": greek, "WINDOWS-1254": turkish, "KOI8-R": russian,
		"ISO-8859-2": declared("ISO-8859-2", polish), "ISO-8859-5": declared("ISO-8859-5", russian), "ISO-8859-15": declared("ISO-8859-15", french),
		"SHIFT_JIS": declared("Shift_JIS", "東京の港"), "EUC-JP": declared("EUC-JP", "東京の港"), "GB18030": declared("GB18030", "港口"), "EUC-KR": declared("EUC-KR", "항구"), "BIG5": declared("Big5", "台北"),
	} {
		t.Run(encoding, func(t *testing.T) {
			t.Parallel()
			iconv := exec.Command("iconv", "-f", "UTF-8", "-t", encoding)
			iconv.Stdin = strings.NewReader(text)
			written, err := iconv.Output()
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "a.txt")
			if err := os.WriteFile(file, written, 0o600); err != nil {
				t.Fatal(err)
			}
			var reader datafile.Reader
			documents, err := reader.Read(file, vfs.MaxFileBytes)
			if err != nil || documents["a.txt"] != text {
				t.Fatalf("read as %q, %v", documents, err)
			}
			var as charset.Encodings = reader.Encodings
			back, err := as.Bytes(documents)
			if err != nil || !bytes.Equal([]byte(back["a.txt"]), written) {
				t.Errorf("iconv wrote %q, and we %q, %v", written, back, err)
			}
		})
	}
}
