package filesystem

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// object is a line of the listing in JSON. Size and path are those of an entry, text that of
// any other line.
type object struct {
	Line int             `json:"line"`
	Kind string          `json:"kind"`
	Mode string          `json:"mode,omitempty"`
	Size json.RawMessage `json:"size,omitempty"` // a number, null, or as it is written
	Path string          `json:"path,omitempty"`
	Text string          `json:"text,omitempty"`

	bytes int64 // -1 without a size
}

// inJSON makes an array with an object for each line, the largest entry first. What has no size
// comes last.
func inJSON(p struct{ Document, To string }) exact.Steps {
	return listings.Whole(p.Document, func(l listing) (vfs.Files, error) {
		objects := make([]object, len(l))
		for n := range l {
			objects[n] = l[n].object()
			objects[n].Line = n + 1
		}
		slices.SortStableFunc(objects, func(a, b object) int { return cmp.Compare(b.bytes, a.bytes) })
		array, err := plain.JSONArray(objects)
		return vfs.Files{p.To: strings.ReplaceAll(array, "\n  ", "\n")}, err // texts have no line break in JSON
	}, func(files vfs.Files) (listing, error) {
		var objects []object
		err := plain.JSON(files, p.To, &objects)
		slices.SortStableFunc(objects, func(a, b object) int { return cmp.Compare(a.Line, b.Line) })
		l := make(listing, len(objects))
		for n, o := range objects {
			if o.Path != "" {
				l[n].entry = &entry{o.Mode, sizeOf(o.Size), o.Path}
			} else {
				l[n].text = o.Text
			}
		}
		return l, err
	})
}

func (l line) object() object {
	if e := l.entry; e != nil {
		o := object{Kind: e.kind(), Mode: e.mode, Size: jsonSize(e.size), Path: e.path, bytes: -1}
		if e.normalSize() != "-" {
			o.bytes = int64(e.bytes())
		}
		return o
	}
	switch {
	case l.text == "":
		return object{Kind: "blank", bytes: -1}
	case l.text[0] == '#':
		return object{Kind: comment, Text: l.text, bytes: -1}
	}
	return object{Kind: "other", Text: l.text, bytes: -1}
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

// symbolic are the modes that ls prints in letters.
var symbolic = map[string]string{
	"040000": "drwxr-xr-x",
	"100644": "-rw-r--r--",
	"100755": "-rwxr-xr-x",
	"120000": "lrwxrwxrwx",
}

// listRecursively makes a block of each directory, in the order of their paths, as ls -lR does.
// On the way back the entries of all blocks are sorted by path.
func listRecursively(p struct{ Document, To, Notes string }) exact.Steps {
	return withNotes(p.Document, p.Notes, func(l listing) vfs.Files {
		blocks := map[string][]entry{}
		for e := range l.all() {
			head, name := ".", e.path
			if at := strings.LastIndex(e.path, "/"); at >= 0 {
				head, name = "./"+e.path[:at], e.path[at+1:]
			}
			blocks[head] = append(blocks[head], entry{e.mode, e.size, name})
		}
		var b strings.Builder
		for n, head := range slices.Sorted(maps.Keys(blocks)) {
			if n > 0 {
				b.WriteByte('\n')
			}
			_, total := sum(blocks[head])
			fmt.Fprintf(&b, "%s:\ntotal %d\n", head, total)
			for _, e := range blocks[head] {
				fmt.Fprintf(&b, "%s %s %s\n", cmp.Or(symbolic[e.mode], e.mode), e.size, e.path)
			}
		}
		return vfs.Files{p.To: b.String()}
	}, func(files vfs.Files) ([]entry, error) {
		text, err := plain.File(files, p.To)
		entries := readBlocks(text)
		slices.SortStableFunc(entries, byPath)
		return entries, err
	})
}

// readBlocks reads what ls -lR printed.
func readBlocks(text string) (entries []entry) {
	octal := map[string]string{}
	for mode, letters := range symbolic {
		octal[letters] = mode
	}
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
	return entries
}

// reported is an entry with the number of its line.
type reported struct {
	line int
	entry
}

// reportByExtension makes a table of each file name extension in Markdown. The tables, and the
// rows of each, are ordered by size, the largest first.
func reportByExtension(p struct{ Document, To, Notes string }) exact.Steps {
	return withNotes(p.Document, p.Notes, func(l listing) vfs.Files {
		sections, totals := map[string][]reported{}, map[string]uint64{}
		for n := range l {
			if e := l[n].entry; e != nil {
				title := e.extension()
				sections[title] = append(sections[title], reported{n + 1, *e})
				totals[title] += e.bytes()
			}
		}
		titles := slices.SortedFunc(maps.Keys(sections), func(a, b string) int {
			return cmp.Or(cmp.Compare(totals[b], totals[a]), cmp.Compare(a, b))
		})
		var b strings.Builder
		for n, title := range titles {
			if n > 0 {
				b.WriteByte('\n')
			}
			writeSection(&b, title, sections[title], totals[title])
		}
		return vfs.Files{p.To: b.String()}
	}, func(files vfs.Files) ([]entry, error) {
		text, err := plain.File(files, p.To)
		rows := lists.Found(plain.Lines(text), func(text *string) (reported, bool) { return readRow(*text) })
		slices.SortStableFunc(rows, func(a, b reported) int { return cmp.Compare(a.line, b.line) })
		return lists.Map(rows, func(r reported) entry { return r.entry }), err
	})
}

func writeSection(b *strings.Builder, title string, rows []reported, total uint64) {
	slices.SortStableFunc(rows, func(a, b reported) int { return cmp.Compare(b.bytes(), a.bytes()) })
	fmt.Fprintf(b, "## %s (%d entries, %d bytes)\n\n", title, len(rows), total)
	b.WriteString("| line | mode | bytes | KiB | path |\n| ---: | --- | ---: | ---: | --- |\n")
	for _, r := range rows {
		fmt.Fprintf(b, "| %d | %s | %s | %s | %s |\n", r.line, r.mode, r.size, r.kibibytes(), strings.ReplaceAll(r.path, "|", `\|`))
	}
}

// extension is what the last dot of the name begins, in lower case.
func (e *entry) extension() string {
	if e.isDirectory() {
		return "directories"
	}
	name := e.path[strings.LastIndex(e.path, "/")+1:]
	if ext := path.Ext(name); ext != name && ext != "" {
		return strings.ToLower(ext)
	}
	return "no extension"
}

// kibibytes is the size to one decimal, half up.
func (e *entry) kibibytes() string {
	if e.normalSize() == "-" {
		return "-"
	}
	tenths := math.Floor(float64(e.bytes())*10/1024 + 0.5)
	return strconv.FormatFloat(tenths/10, 'f', 1, 64)
}

func readRow(text string) (reported, bool) {
	cells := lists.Map(strings.SplitN(strings.TrimSuffix(pytext.Strip(text), "|"), "|", 6), pytext.Strip)
	if len(cells) < 6 {
		return reported{}, false
	}
	number, err := strconv.Atoi(cells[1])
	return reported{number, entry{cells[2], cells[3], strings.ReplaceAll(cells[5], `\|`, "|")}}, err == nil
}
