package filesystem

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const manifestFile = "manifest.json"

// manifestLine is a line of the listing. Size and path are those of an entry,
// text that of any other line.
type manifestLine struct {
	Line int             `json:"line"`
	Kind string          `json:"kind"`
	Mode string          `json:"mode,omitempty"`
	Size json.RawMessage `json:"size,omitempty"` // a number, null, or as it is written
	Path string          `json:"path,omitempty"`
	Text string          `json:"text,omitempty"`
}

// toManifest orders entries by size, the largest first, and puts what has none
// after them.
func toManifest(files vfs.Files) (vfs.Files, error) {
	l, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	lines := make([]manifestLine, len(l))
	bytesOf := make([]int64, len(l)+1) // by line, -1 without a size
	for n := range l {
		lines[n] = l[n].manifest()
		lines[n].Line = n + 1
		bytesOf[n+1] = -1
		if e := l[n].entry; e != nil && e.normalSize() != "-" {
			bytesOf[n+1] = int64(e.bytes())
		}
	}
	slices.SortStableFunc(lines, func(a, b manifestLine) int {
		return cmp.Compare(bytesOf[b.Line], bytesOf[a.Line])
	})
	return vfs.Files{manifestFile: jsonArray(lines)}, nil
}

func (l line) manifest() manifestLine {
	if e := l.entry; e != nil {
		return manifestLine{Kind: e.kind(), Mode: e.mode, Size: jsonSize(e.size), Path: e.path}
	}
	switch {
	case l.text == "":
		return manifestLine{Kind: "blank"}
	case l.text[0] == '#':
		return manifestLine{Kind: comment, Text: l.text}
	}
	return manifestLine{Kind: "other", Text: l.text}
}

// jsonSize is a number where a JSON number has the same digits.
func jsonSize(size string) json.RawMessage {
	switch {
	case size == "-":
		return json.RawMessage("null")
	case strings.Trim(size, digits) == "" && (size[0] != '0' || size == "0"):
		return json.RawMessage(size)
	}
	quoted, _ := json.Marshal(size) // a text cannot fail
	return quoted
}

func sizeOf(raw json.RawMessage) string {
	var text string
	switch err := json.Unmarshal(raw, &text); {
	case string(raw) == "null" || len(raw) == 0:
		return "-"
	case err == nil:
		return text
	}
	return string(raw)
}

func fromManifest(files vfs.Files) (vfs.Files, error) {
	var lines []manifestLine
	if err := plain.JSON(files, manifestFile, &lines); err != nil {
		return nil, err
	}
	slices.SortStableFunc(lines, func(a, b manifestLine) int { return cmp.Compare(a.Line, b.Line) })
	l := make(listing, len(lines))
	for n, m := range lines {
		if m.Path != "" {
			l[n].entry = &entry{m.Mode, sizeOf(m.Size), m.Path}
		} else {
			l[n].text = m.Text
		}
	}
	return asDocument(l), nil
}

// jsonArray prints an entry a line, with & and the like readable.
func jsonArray[T any](entries []T) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	b.WriteString("[\n")
	for n, entry := range entries {
		_ = encoder.Encode(entry) // structs of texts and numbers cannot fail
		if n < len(entries)-1 {
			b.Truncate(b.Len() - 1)
			b.WriteString(",\n")
		}
	}
	b.WriteString("]\n")
	return b.String()
}

// lsFile has the listing as ls -lR prints one.
const lsFile = "ls-lR"

// symbolic are the modes that ls prints in letters.
var symbolic = map[string]string{
	"040000": "drwxr-xr-x",
	"100644": "-rw-r--r--",
	"100755": "-rwxr-xr-x",
	"120000": "lrwxrwxrwx",
}

// toRecursiveLS makes a block of each directory, in the order of their paths.
func toRecursiveLS(files vfs.Files) (vfs.Files, error) {
	l, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	blocks := map[string][]entry{}
	var heads []string
	for _, e := range l.entries() {
		head, name := ".", e.path
		if at := strings.LastIndex(e.path, "/"); at >= 0 {
			head, name = "./"+e.path[:at], e.path[at+1:]
		}
		if blocks[head] == nil {
			heads = append(heads, head)
		}
		blocks[head] = append(blocks[head], entry{e.mode, e.size, name})
	}
	slices.Sort(heads)
	var b strings.Builder
	for n, head := range heads {
		if n > 0 {
			b.WriteByte('\n')
		}
		writeBlock(&b, head, blocks[head])
	}
	return vfs.Files{lsFile: b.String(), notesFile: l.notes()}, nil
}

func writeBlock(b *strings.Builder, head string, entries []entry) {
	_, total := sum(entries)
	fmt.Fprintf(b, "%s:\ntotal %d\n", head, total)
	for _, e := range entries {
		fmt.Fprintf(b, "%s %s %s\n", cmp.Or(symbolic[e.mode], e.mode), e.size, e.path)
	}
}

// fromRecursiveLS sorts the entries of all blocks by path.
func fromRecursiveLS(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, lsFile)
	if err != nil {
		return nil, err
	}
	octal := map[string]string{}
	for mode, letters := range symbolic {
		octal[letters] = mode
	}
	var entries []entry
	head := "."
	for _, row := range plain.Lines(text) {
		if text, ok := strings.CutSuffix(row, ":"); ok && strings.HasPrefix(text, ".") {
			head = text
			continue
		}
		mode, size, name := columns(pytext.StripLeft(row))
		if mode = cmp.Or(octal[mode], mode); !isMode(mode) || !isSize(size) {
			continue
		}
		if directory, inside := strings.CutPrefix(head, "./"); inside {
			name = directory + "/" + name
		}
		entries = append(entries, entry{mode, size, name})
	}
	slices.SortStableFunc(entries, byPath)
	return withNotes(entries, files)
}
