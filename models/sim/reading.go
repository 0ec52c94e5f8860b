package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/models/wire"
)

// What tools say that a stand-in must understand to know what a file holds.
const (
	emptyFile = "(the file is empty)"
	openEnd   = "(no newline at the end)\n"
)

// marks are arguments that each of our tools has, by which it is told from another one of
// the same name. A tool of an agent's own may be called read_file, too.
func marks() map[string][]string {
	return map[string][]string{
		"read_file": {`"path"`, `"filename"`}, "write_file": {`"path"`, `"filename"`}, "delete_file": {`"path"`, `"filename"`},
		"view": {`"path"`}, "str_replace": {`"old"`}, "insert": {`"text"`}, "copy": {`"from"`}, "run_python": {`"code"`}, "finish": {},
	}
}

// ownTools finds our tools in a request, also where a client has put its name for the
// server before theirs: mcp__agentd__read_file.
func ownTools(r *request) map[string]*wire.Tool {
	own := map[string]*wire.Tool{}
	for name, arguments := range marks() {
		for i := range r.Tools {
			f := &r.Tools[i]
			before, ok := strings.CutSuffix(f.Name, name)
			prefixed := before == "" || strings.ContainsAny(before[len(before)-1:], "_-.:/")
			bare := !bytes.Contains(f.Parameters, []byte(`"properties"`)) // nothing is said of its arguments
			fits := bare || len(arguments) == 0 || slices.ContainsFunc(arguments, func(a string) bool { return bytes.Contains(f.Parameters, []byte(a)) })
			if ok && fits && prefixed {
				own[name] = f
			}
		}
	}
	return own
}

// offers reports whether the request has our tool of that name.
func (s *scene) offers(name string) bool { return s.own[name] != nil }

// ours is our name for a tool of the request; "" if it is none of ours.
func (s *scene) ours(name string) string {
	for known, tool := range s.own {
		if tool.Name == name {
			return known
		}
	}
	return ""
}

// call calls our tools by the names that the request has for them.
func (s *scene) call(functions ...toolCall) message {
	for i := range functions {
		if own := s.own[functions[i].Name]; own != nil {
			functions[i].Name = own.Name
		}
	}
	return call(functions...)
}

// reading is the call that reads a file, or goes on reading it, with what tools
// there are.
func (s *scene) reading(name string) toolCall {
	switch {
	case s.offers("read_file"):
		return function("read_file", s.fileArgument("read_file"), name)
	case s.offers("view"):
		return function("view", "path", name)
	}
	return function("run_python", "code", readingScript(name, utf8.RuneCountInString(s.partly[name]), false))
}

// unnumbered is the content of a file that view has shown.
func unnumbered(shown string) string {
	if shown == emptyFile {
		return ""
	}
	shown, open := strings.CutSuffix(shown, openEnd)
	var b strings.Builder
	for line := range strings.Lines(shown) {
		_, text, _ := strings.Cut(line, "\t")
		b.WriteString(text)
	}
	if open {
		return strings.TrimSuffix(b.String(), "\n")
	}
	return b.String()
}

// readingMark begins scripts that only read.
const readingMark = "# reads\n"

// readingScript returns a program that prints a piece of a file as JSON, as much
// as the output of a script has room for. It escapes what a terminal would not
// show. If told so it says where it was run and from which character the piece is.
func readingScript(name string, from int, place bool) string {
	where := ""
	if place {
		where = fmt.Sprintf(", 'cwd': os.getcwd(), 'from': %d", from)
	}
	return readingMark + fmt.Sprintf(`import json, os, re
with open(%s, encoding='utf-8', newline='') as f:
    text = f.read()
size = 9000
while True:
    piece = text[%d:%[2]d + size]
    shown = json.dumps({'name': f.name, 'text': piece, 'whole': %[2]d + len(piece) == len(text)%[3]s}, ensure_ascii=False)
    shown = re.sub('[\x7f-\x9f\u2028\u2029]', lambda c: '\\u%%04x' %% ord(c[0]), shown)
    if len(shown) < 9900:
        break
    size //= 2
print(shown)
`, literal(name), from, where)
}

// takePiece takes what a readingScript has printed: a line of JSON, within any text that tools
// and agents put around it. Some agents put all of it into JSON again, or show a piece twice.
func (s *scene) takePiece(answer string) {
	const start, escaped = `{"name": `, `{\"name\": `
	if at := strings.Index(answer, start); at >= 0 {
		answer = answer[at:]
	} else if at := strings.Index(answer, escaped); at < 0 || json.NewDecoder(strings.NewReader(`"`+answer[at:])).Decode(&answer) != nil {
		return
	}
	var piece struct {
		Name, Text, Cwd string
		From            *int
		Whole           bool
	}
	if json.NewDecoder(strings.NewReader(answer)).Decode(&piece) != nil {
		return
	}
	if s.folder = piece.Cwd; piece.From == nil || *piece.From == utf8.RuneCountInString(s.partly[piece.Name]) {
		s.partly[piece.Name] += piece.Text
	}
	if piece.Whole {
		s.read[piece.Name] = s.partly[piece.Name]
	}
}

// change is how a file comes out of one that is there: a copy, in which some lines
// give way to others.
type change struct {
	from       string // the document
	at         int    // line after which it differs
	old, fresh string // what gives way, whole lines, and what comes
}

// mostChanged is the share of a document beyond which it is rewritten as a whole.
const mostChanged = 0.5

// changeOf finds the document from which the file comes with the least writing;
// false if none is near enough.
func changeOf(content string, documents map[string]string) (best change, ok bool) {
	for _, name := range sortedNames(documents) {
		was := strings.SplitAfter(documents[name], "\n")
		is := strings.SplitAfter(content, "\n")
		start := 0
		for start < min(len(was), len(is)) && was[start] == is[start] {
			start++
		}
		end := 0
		for end < min(len(was), len(is))-start && was[len(was)-1-end] == is[len(is)-1-end] {
			end++
		}
		c := change{name, start, strings.Join(was[start:len(was)-end], ""), strings.Join(is[start:len(is)-end], "")}
		near := float64(len(c.old)+len(c.fresh)) <= mostChanged*float64(len(documents[name])+len(content))
		if near && (!ok || len(c.old)+len(c.fresh) < len(best.old)+len(best.fresh)) {
			best, ok = c, true
		}
	}
	return best, ok
}

// calls are what makes the change at the given path. What is replaced must occur
// once in the document.
func (c change) calls(path string, documents map[string]string) []toolCall {
	var calls []toolCall
	if c.from != path {
		calls = append(calls, function("copy", "from", c.from, "to", path))
	}
	switch {
	case c.old == "" && c.fresh == "":
	case c.old == "" && strings.HasSuffix(c.fresh, "\n"):
		calls = append(calls, function("insert", "path", path, "line", strconv.Itoa(c.at), "text", c.fresh))
	case c.old != "" && strings.Count(documents[c.from], c.old) == 1:
		calls = append(calls, function("str_replace", "path", path, "old", c.old, "new", c.fresh))
	default:
		return nil
	}
	return calls
}

// edits are the calls of an editor for the files still to be made: first new ones,
// which may be copies of documents, then the documents themselves.
func (s *scene) edits(documents, result map[string]string) []toolCall {
	var calls []toolCall
	order := func(name string) int {
		if _, there := documents[name]; there {
			return 1
		}
		return 0
	}
	names := sortedNames(result)
	slices.SortStableFunc(names, func(a, b string) int { return order(a) - order(b) })
	for _, name := range names {
		if s.written[name] || len(calls) >= atATime {
			continue
		}
		var found []toolCall
		if c, ok := changeOf(result[name], documents); ok && !s.refused[name] {
			if c.from == name || order(name) == 0 {
				found = c.calls(name, documents)
			}
		}
		if found == nil {
			found = []toolCall{function("write_file", s.fileArgument("write_file"), name, "content", result[name])}
		}
		calls = append(calls, found...)
	}
	return calls
}
