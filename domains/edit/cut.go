package edit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentd/internal/lazyregexp"
)

// Cutter cuts a text into parts. A text in which it finds none has no parts.
type Cutter func(text string) Pieces

// place is where a part stands in a text.
type place = span

// cutAt makes pieces of places. White space between two parts separates them; anything more
// that stands there belongs to the part above it.
func cutAt(text string, places []place) Pieces {
	if len(places) == 0 {
		return Pieces{Before: text}
	}
	p := Pieces{Before: text[:places[0].from]}
	for i, at := range places {
		end := at.to
		if i+1 == len(places) {
			p.Parts = append(p.Parts, text[at.from:end])
			p.After = text[end:]
			break
		}
		next := places[i+1].from
		if gap := strings.TrimRight(text[end:next], " \t\r\n"); !separates(gap) {
			end += len(gap)
		}
		p.Parts = append(p.Parts, text[at.from:end])
		p.Between = append(p.Between, text[end:next])
	}
	return p
}

// separates reports whether what stands between two parts is no part of either.
func separates(gap string) bool {
	gap = strings.TrimSpace(gap)
	return gap == "" || gap == "," || rule.MatchString(gap)
}

// rule is a line drawn between two parts.
var rule = lazyregexp.New(`^\s*(?:-{3,}|={3,}|_{3,}|\*{3,})\s*$`)

// lines returns where the lines of a text stand, without their ends.
func lines(text string) []place {
	var all []place
	for from := 0; from < len(text); {
		to := strings.IndexByte(text[from:], '\n')
		if to < 0 {
			to = len(text) - from
		}
		end := from + to
		all = append(all, place{from, from + len(strings.TrimSuffix(text[from:end], "\r"))})
		from = end + 1
	}
	return all
}

// Starting cuts before each line that matches. The lines from the first that matches stop on
// come after the last part; an empty stop matches none. A rule before the next part is in neither.
func Starting(start, stop string) Cutter {
	begins := lazyregexp.New(start)
	ends := matching(stop)
	return func(text string) Pieces {
		var places []place
		for _, line := range lines(text) {
			switch s := text[line.from:line.to]; {
			case len(places) > 0 && ends(s):
				return cutAt(text, places)
			case begins.MatchString(s):
				places = append(places, line)
			case len(places) > 0 && strings.TrimSpace(s) != "" && !rule.MatchString(s):
				places[len(places)-1].to = line.to
			}
		}
		return cutAt(text, places)
	}
}

// matching matches a pattern; an empty one matches nothing.
func matching(pattern string) func(string) bool {
	if pattern == "" {
		return func(string) bool { return false }
	}
	return lazyregexp.New(pattern).MatchString
}

// Enclosed makes parts of the lines from one that matches start to the next that matches end.
// One that is not closed is no part.
func Enclosed(start, end string) Cutter {
	begins, ends := lazyregexp.New(start), lazyregexp.New(end)
	return func(text string) Pieces {
		var places []place
		open := -1
		for _, line := range lines(text) {
			s := text[line.from:line.to]
			if open < 0 && begins.MatchString(s) {
				open = line.from
			}
			if open >= 0 && ends.MatchString(s) {
				places = append(places, place{open, line.to})
				open = -1
			}
		}
		return cutAt(text, places)
	}
}

// Records makes a part of all lines up to one that matches, blank ones included. What comes
// after the last such line is no part.
func Records(end string) Cutter { return Enclosed("", end) }

// Blocks makes a part of the lines between two blank ones. The blocks before the first that
// has a line which matches first come before the parts; an empty first matches any.
func Blocks(first string) Cutter {
	begins := lazyregexp.New(first)
	return func(text string) Pieces {
		var places []place
		blank := true
		for _, line := range lines(text) {
			s := text[line.from:line.to]
			empty := strings.TrimSpace(s) == ""
			switch {
			case empty:
			case blank && (len(places) > 0 || begins.MatchString(s)):
				places = append(places, line)
			case len(places) > 0:
				places[len(places)-1].to = line.to
			}
			blank = empty
		}
		return cutAt(text, places)
	}
}

// Lines makes a part of each line, blank ones included.
func Lines() Cutter {
	return func(text string) Pieces { return cutAt(text, lines(text)) }
}

// Headed cuts as another cutter does, and gives each part the lines directly above it that
// match, such as comments, as far up as they do. The first line of the part above is never one.
func Headed(head string, cut Cutter) Cutter {
	heads := lazyregexp.New(head)
	return func(text string) Pieces {
		p := cut(text)
		above, keep := p.Before, 0 // what a head is taken from, and where it may begin
		for i, part := range p.Parts {
			at := len(above)
			if i == 0 || strings.TrimPrefix(p.Between[i-1], "\r") == "\n" {
				at = headAt(above, keep, heads)
			}
			p.Parts[i] = above[at:] + part
			if i == 0 {
				p.Before = above[:at]
			} else if at < len(above) {
				p.Parts[i-1] = strings.TrimRight(above[:at], " \t\r\n")
				p.Between[i-1] = above[len(p.Parts[i-1]):at]
			} else {
				p.Parts[i] = part
			}
			if i+1 < len(p.Parts) {
				keep = len(p.Parts[i]) - len(part) + len(strings.SplitAfterN(part, "\n", 2)[0])
				above = p.Parts[i] + p.Between[i]
			}
		}
		return p
	}
}

// headAt is where the last lines of a text that match begin, from a place on.
func headAt(text string, from int, heads *lazyregexp.Regexp) int {
	at := len(text)
	if !strings.HasSuffix(text, "\n") {
		return at
	}
	for _, line := range slices.Backward(lines(text)) {
		if line.from < from || !heads.MatchString(text[line.from:line.to]) {
			break
		}
		at = line.from
	}
	return at
}

// Whole cuts as another cutter does, and leaves the blank lines below a part in it, so that one
// end of line separates all parts. It is for texts in which their number differs and matters.
func Whole(cut Cutter) Cutter {
	return func(text string) Pieces {
		p := cut(text)
		for i := range p.Parts {
			below := &p.After
			if i < len(p.Between) {
				below = &p.Between[i]
			}
			blank := len(*below) - len(strings.TrimLeft(*below, " \t\r\n"))
			if at := strings.LastIndexByte((*below)[:blank], '\n'); at > 0 {
				p.Parts[i] += (*below)[:at]
				*below = (*below)[at:]
			}
		}
		return p
	}
}

// Within cuts only what stands between the first line that matches start and the next one that
// matches stop, or the end. A text without a start has no parts.
func Within(start, stop string, cut Cutter) Cutter {
	begins, ends := lazyregexp.New(start), matching(stop)
	return func(text string) Pieces {
		from, to := -1, len(text)
		for _, line := range lines(text) {
			s := text[line.from:line.to]
			if from >= 0 && ends(s) {
				to = line.from
				break
			}
			if from < 0 && begins.MatchString(s) {
				from = min(line.to+1, len(text))
			}
		}
		if from < 0 {
			return Pieces{Before: text}
		}
		p := cut(text[from:to])
		p.Before = text[:from] + p.Before
		p.After += text[to:]
		return p
	}
}

// Rows makes a part of each record of a table with a header, whose quoted cells may have several lines.
func Rows() Cutter {
	return func(text string) Pieces {
		var places []place
		open := false
		for _, line := range lines(text) {
			s := text[line.from:line.to]
			switch {
			case open:
				places[len(places)-1].to = line.to
			case strings.TrimSpace(s) == "":
				continue
			default:
				places = append(places, line)
			}
			if strings.Count(s, `"`)%2 == 1 {
				open = !open
			}
		}
		if len(places) < 2 {
			return Pieces{Before: text}
		}
		return cutAt(text, places[1:])
	}
}

// JSON makes parts of the elements of the list at a path of names. Without a path it is the outermost list of objects,
// or else of anything, and the longest of these; the members of the outermost object where there is no list with two
// elements. Of a text that breaks off, the elements before that count if there are two.
func JSON(path ...string) Cutter {
	return func(text string) Pieces {
		w := newJSONWalk(text, path)
		switch broken := w.value(nil) != nil; {
		case len(w.best) < 2 && broken:
			return Pieces{Before: text}
		case len(w.best) < 2 && len(path) == 0:
			return cutAt(text, w.members)
		}
		return cutAt(text, w.best)
	}
}

// jsonWalk reads a JSON text and remembers where its longest list has its elements.
type jsonWalk struct {
	text    string
	decoder *json.Decoder
	path    []string
	best    []place
	at      []string // the path of the best list
	members []place  // of the outermost object
}

func newJSONWalk(text string, path []string) *jsonWalk {
	return &jsonWalk{text: text, decoder: json.NewDecoder(strings.NewReader(text)), path: path}
}

// deepestJSON is how many lists and objects may stand in each other. Each has a path of its own, so
// memory grows with the square of the depth.
const deepestJSON = 500

var errTooDeep = fmt.Errorf("more than %d lists and objects in each other", deepestJSON)

// value reads the next value, which stands at a path.
func (w *jsonWalk) value(at []string) error {
	if len(at) > deepestJSON {
		return errTooDeep
	}
	token, err := w.decoder.Token()
	if err != nil {
		return err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	var found []place
	for w.decoder.More() {
		from := w.skip(int(w.decoder.InputOffset()))
		below := append(slices.Clip(at), "*")
		if delim == '{' {
			name, err := w.decoder.Token()
			if err != nil {
				return err
			}
			below[len(at)], _ = name.(string)
		}
		if err := w.value(below); err != nil {
			w.list(delim, at, found)
			return err
		}
		found = append(found, place{from, int(w.decoder.InputOffset())})
	}
	if _, err := w.decoder.Token(); err != nil {
		return err
	}
	if delim == '{' && len(at) == 0 {
		w.members = found
	}
	w.list(delim, at, found)
	return nil
}

// list remembers a list if it is better than the best so far.
func (w *jsonWalk) list(delim json.Delim, at []string, found []place) {
	if delim == '[' && w.wanted(at) && w.better(found, len(at)) {
		w.best, w.at = found, slices.Clone(at)
	}
}

// better reports whether a list is to be taken in place of the best so far: one of objects
// rather than of anything else, then the outer, then the longer one.
func (w *jsonWalk) better(found []place, depth int) bool {
	if len(found) == 0 || len(w.best) == 0 {
		return len(found) > 0
	}
	if is, was := w.text[found[0].from] == '{', w.text[w.best[0].from] == '{'; is != was {
		return is
	}
	return depth < len(w.at) || depth == len(w.at) && len(found) > len(w.best)
}

// wanted reports whether the list at a path may be the one.
func (w *jsonWalk) wanted(at []string) bool { return len(w.path) == 0 || slices.Equal(w.path, at) }

// skip passes over what stands before a value: white space and a comma.
func (w *jsonWalk) skip(at int) int {
	for at < len(w.text) && strings.IndexByte(" \t\r\n,", w.text[at]) >= 0 {
		at++
	}
	return at
}

// First cuts with the first of several cutters that finds at least two parts, or else with the first that finds one.
func First(cutters ...Cutter) Cutter {
	some := Either(cutters...)
	return func(text string) Pieces {
		for _, cut := range cutters {
			if p := cut(text); len(p.Parts) > 1 {
				return p
			}
		}
		return some(text)
	}
}

// Either cuts with the first of several cutters that finds any part, so that it cuts a document
// and what a split makes of it alike.
func Either(cutters ...Cutter) Cutter {
	return func(text string) Pieces {
		for _, cut := range cutters {
			if p := cut(text); len(p.Parts) > 0 {
				return p
			}
		}
		return Pieces{Before: text}
	}
}
