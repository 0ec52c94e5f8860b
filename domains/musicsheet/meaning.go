package musicsheet

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"

	published "agentd/domains/published/musicsheet"
)

// inField is the first field of what stands in a variable or a score block, and names it.
const inField = "in"

// elements flattens files by the rules of the notation: notes, rests, chords, commands and syllables with the variable
// that they stand in, in its order; fields of headers, settings, comments, and lines that are no part of the format.
func elements(files vfs.Files) []domains.Element {
	f := flattener{files: files, numbers: map[string]int{}, lengths: map[published.Fraction]string{}}
	c := newContext()
	for _, name := range files.Names() {
		f.in, f.open = "", f.open[:0]
		f.tokens = tokenize(strings.Join(plain.Lines(files[name]), "\n"), c)
		f.all = slices.Grow(f.all, len(f.tokens))
		f.flatten()
	}
	return f.all
}

type flattener struct {
	files   vfs.Files
	tokens  []token
	all     []domains.Element
	in      string         // the variable or block that is open
	open    []string       // what is said where a bracket closes; empty if nothing
	numbers map[string]int // of the elements so far, by kind and place, and of blocks
	lengths map[published.Fraction]string
	last    noteSeen
	before  string // the command in front of the next bracket
}

// noteSeen is a note without marks, of which the fields are used again for the next that is the same.
type noteSeen struct {
	pitch  published.Pitch
	length published.Fraction
	in     string
	fields []domains.Field
}

func (f *flattener) flatten() {
	for i := 0; i < len(f.tokens); {
		k := &f.tokens[i]
		if k.depth == 0 {
			f.outermost(i)
		}
		i += f.one(i)
		if k.kind == closeToken && k.depth == 0 {
			f.in = ""
		}
	}
}

// outermost notes which variable or block a token opens.
func (f *flattener) outermost(i int) {
	k := &f.tokens[i]
	switch name := commandName(k.text); {
	case k.kind == nameToken:
		f.in = variableName(k.text)
		f.before = ""
	case k.kind == markToken && (name == `\score` || name == `\book` || name == `\bookpart`):
		f.numbers[name]++
		f.in = name[1:] + " " + strconv.Itoa(f.numbers[name])
		f.before = ""
	case name == `\alternative` && len(f.all) > 0: // after the braces of \repeat
		f.in = within(&f.all[len(f.all)-1])
	}
}

// within is the variable or block that an element stands in, empty for others.
func within(e *domains.Element) string {
	if len(e.Fields) > 0 && e.Fields[0].Name == inField {
		return e.Fields[0].Value
	}
	return ""
}

// variableName is that of name =.
func variableName(text string) string { return text[:published.NameLength(text)] }

// commandName is the command that a text begins with, with its backslash.
func commandName(text string) string {
	if text == "" || text[0] != '\\' {
		return ""
	}
	return text[:1+published.NameLength(text[1:])]
}

// one flattens the token at a place and the marks that belong to it. It returns how many tokens these are.
func (f *flattener) one(i int) int {
	k := &f.tokens[i]
	switch k.kind {
	case noteToken:
		return f.note(i, false)
	case restToken:
		return f.withPosts(i, restKind, f.restFields(k))
	case chordOpenToken:
		return f.chord(i)
	case repeatToken:
		return f.withPosts(i, chordKind, f.fields("notes", "q", "duration", f.length(k.real)))
	case syllableToken:
		return f.syllable(i)
	case openToken:
		f.bracket(k.text)
	case closeToken:
		f.closing()
	case markToken:
		f.command(i)
	case postToken, joinToken:
		f.add("mark", f.fields("mark", k.text))
	case commentToken:
		f.comment(k.text)
	case blockToken, schemeToken:
		f.block(i)
	case foreignToken:
		f.foreign(k)
	}
	return 1
}

func (f *flattener) where() string {
	if f.in == "" {
		return "the outermost level"
	}
	return f.in
}

// fields are those of an element of music: where it stands, and pairs of names and values.
func (f *flattener) fields(pairs ...string) []domains.Field {
	fields := make([]domains.Field, 1, 1+len(pairs))
	fields[0] = domains.Field{Name: inField, Value: f.where()}
	for pair := range slices.Chunk(pairs, 2) {
		fields = append(fields, domains.Field{Name: pair[0], Value: pair[1]})
	}
	return fields
}

// add appends an element of music, numbered in its variable.
func (f *flattener) add(kind string, fields []domains.Field) {
	id := kind + " " + f.in
	f.numbers[id]++
	f.all = plain.Append(f.all, domains.Element{
		Kind: kind, Key: f.where() + ", " + kind + " " + strconv.Itoa(f.numbers[id]), Fields: fields, Position: len(f.all) + 1,
	})
}

// note flattens a note with its marks.
func (f *flattener) note(i int, inChord bool) int {
	k := &f.tokens[i]
	p := k.tone.sounding()
	n := f.posts(i + 1)
	isPlain := n == 0 && k.grace == "" && !inChord
	if seen := &f.last; isPlain && seen.fields != nil && seen.pitch == p && seen.length == k.real && seen.in == f.in {
		f.add(counted, seen.fields)
		return 1
	}
	fields := f.fields("pitch", nameOf(p), "octave", strconv.Itoa(p.Octave), "duration", f.length(k.real))
	if k.grace != "" {
		fields = append(fields, domains.Field{Name: "grace", Value: k.grace})
	}
	if inChord {
		fields = append(fields, domains.Field{Name: "chord", Value: "yes"})
	}
	fields = appendPosts(fields, f.tokens[i+1:i+1+n])
	if isPlain {
		f.last = noteSeen{p, k.real, f.in, fields}
	}
	f.add(counted, fields)
	return 1 + n
}

// posts is how many tokens from a place on are marks of what stands before.
func (f *flattener) posts(i int) int {
	n := 0
	for i+n < len(f.tokens) && f.tokens[i+n].kind == postToken {
		n++
	}
	return min(n, mostPosts)
}

// mostPosts bounds the marks of one note, of which the matcher compares each with each.
const mostPosts = 100

// withPosts flattens a token with the marks after it.
func (f *flattener) withPosts(i int, kind string, fields []domains.Field) int {
	n := f.posts(i + 1)
	f.add(kind, appendPosts(fields, f.tokens[i+1:i+1+n]))
	return 1 + n
}

func (f *flattener) restFields(k *token) []domains.Field {
	length := f.length(k.real)
	if name := k.tone.name; name == "r" || name == "R" || name == "s" {
		return f.fields("kind", name, "duration", length)
	}
	p := k.tone.sounding()
	return f.fields("kind", "r", "pitch", nameOf(p)+octaveMarks(p.Octave), "duration", length)
}

// chord flattens the notes of a chord, which have no order, then what belongs to all of them.
func (f *flattener) chord(i int) int {
	var notes []int
	n := 1
	for i+n < len(f.tokens) {
		switch f.tokens[i+n].kind {
		case noteToken:
			notes = append(notes, i+n)
			n += 1 + f.posts(i+n+1)
			continue
		case postToken, commentToken, foreignToken:
			n += f.one(i + n)
			continue
		}
		break
	}
	slices.SortStableFunc(notes, func(a, b int) int {
		p, q := f.tokens[a].tone.pitch, f.tokens[b].tone.pitch
		return cmp.Or(cmp.Compare(p.Height(), q.Height()), cmp.Compare(p.Place(), q.Place()))
	})
	first := len(f.all) + 1
	for _, at := range notes {
		f.note(at, true)
		f.all[len(f.all)-1].Position = first
	}
	if i+n < len(f.tokens) && f.tokens[i+n].kind == chordCloseToken {
		n += f.withPosts(i+n, chordKind, f.fields("notes", "<>", "duration", f.length(f.tokens[i+n].real)))
	}
	return n
}

func (f *flattener) syllable(i int) int {
	text := f.tokens[i].text
	if text[0] == '"' {
		text = published.Unquoted(text)
	}
	fields := f.fields("text", squeezed(text))
	n := 1
	for i+n < len(f.tokens) && n <= mostPosts {
		name := map[tokenKind]string{joinToken: "join", postToken: "duration"}[f.tokens[i+n].kind]
		if name == "" {
			break
		}
		fields = append(fields, domains.Field{Name: name, Value: f.tokens[i+n].text})
		n++
	}
	f.add(syllableKind, fields)
	return n
}

// length writes a duration; that of each is written once.
func (f *flattener) length(l published.Fraction) string {
	text, known := f.lengths[l]
	if !known {
		text = l.String()
		f.lengths[l] = text
	}
	return text
}

// bracket notes what is to be said where it closes: braces mean something after a
// command and where things sound together.
func (f *flattener) bracket(text string) {
	say := ""
	switch {
	case text == "<<":
		f.mark("<<", "")
		say = ">>"
	case f.before != "":
		say = "end of " + f.before
	case len(f.open) > 0 && f.open[len(f.open)-1] == ">>":
		f.mark("{", "")
		say = "}"
	}
	f.open = append(f.open, say)
	f.before = ""
}

func (f *flattener) closing() {
	if n := len(f.open); n > 0 {
		if say := f.open[n-1]; say != "" {
			f.mark(say, "")
		}
		f.open = f.open[:n-1]
	}
	f.before = ""
}

func (f *flattener) mark(name, arguments string) {
	if arguments == "" {
		f.add("mark", f.fields("command", name))
		return
	}
	f.add("mark", f.fields("command", name, "arguments", arguments))
}

// bareArguments are those of a command without quotes, and with blanks around =.
var bareArguments = strings.NewReplacer(`"`, "", "=", " = ")

// command flattens a command, unless all that it says is in the notes.
func (f *flattener) command(i int) {
	k := &f.tokens[i]
	name := commandName(k.text)
	rest := strings.TrimSpace(k.text[len(name):])
	f.before = ""
	switch name {
	case `\version`, `\language`, `\relative`, `\absolute`, `\fixed`, `\transpose`, `\grace`, `\acciaccatura`, `\appoggiatura`,
		`\slashedGrace`, `\lyricmode`, `\lyrics`, `\octaveCheck`, `\notemode`:
		return
	case `\include`:
		if _, here := f.files[published.Unquoted(rest)]; here {
			return
		}
	case `\times`, `\scaleDurations`:
		if num, den, ok := strings.Cut(rest, "/"); ok && name == `\times` {
			name, rest = `\tuplet`, den+"/"+num
		}
	case `\key`:
		if k.tone.name != "" { // in Dutch, with the transpositions around it
			rest = nameOf(k.tone.sounding()) + " " + rest[strings.LastIndexByte(rest, '\\')+1:]
		}
	}
	f.mark(name, squeezed(bareArguments.Replace(withoutComments(rest))))
	if isPrefix[name] || name == `\score` || name == `\addlyrics` {
		f.before = name
	}
}

// appendPosts adds the marks after a note, each under the name of its kind.
func appendPosts(fields []domains.Field, posts []token) []domains.Field {
	for i := range posts {
		text := posts[i].text
		if side, sign := text[:1], text[1:]; strings.Contains("-^_", side) {
			if name, known := abbreviations[sign]; known {
				sign = `\` + name
			}
			text = strings.TrimPrefix(side, "-") + sign
		}
		if name := postKind(text); name != "" {
			fields = append(fields, domains.Field{Name: name, Value: squeezed(text)})
		}
	}
	return fields
}

var abbreviations = map[string]string{
	".": "staccato", "-": "tenuto", ">": "accent", "^": "marcato", "+": "stopped", "!": "staccatissimo", "_": "portato",
}

func postKind(text string) string {
	switch bare := strings.TrimLeft(text, "^_"); {
	case bare == "" || bare == `\rest`:
		return ""
	case bare == "(" || bare == ")" || bare == `\(` || bare == `\)`:
		return "slur"
	case bare == "~":
		return "tie"
	case bare == "[" || bare == "]":
		return "beam"
	case bare[0] == ':':
		return "tremolo"
	case published.IsDigit(bare[0]):
		return "fingering"
	case bare[0] == '"' || strings.HasPrefix(bare, `\markup`):
		return "text"
	case bare == `\<` || bare == `\>` || bare == `\!` || bare[0] == '\\' && published.IsDynamic[bare[1:]]:
		return "dynamic"
	}
	return "articulation"
}

func (f *flattener) comment(text string) {
	if text = commentText(text); text != "" {
		f.all = plain.Append(f.all, domains.Element{Kind: commentKind, Key: commentKind, Fields: []domains.Field{{Value: text}}})
	}
}

// commentText is what a comment says; rulers say nothing.
func commentText(text string) string {
	if strings.HasPrefix(text, "%{") {
		text = strings.TrimSuffix(text[2:], "%}")
	}
	return strings.Trim(squeezed(text), "% -=*")
}

func squeezed(text string) string {
	const longest = 1 << 16
	isSqueezed := !strings.ContainsAny(text, "\n\t\r") && !strings.Contains(text, "  ") && text == strings.TrimSpace(text)
	if len(text) > longest || isSqueezed {
		return text
	}
	return plain.SingleBlanks(text)
}

// withoutComments drops comments from a command's arguments.
func withoutComments(text string) string {
	text, _ = partedComments(text)
	return text
}

// partedComments parts the comments in a command's arguments from the rest.
func partedComments(text string) (rest string, comments []string) {
	if !strings.Contains(text, "%") {
		return text, nil
	}
	var b strings.Builder
	for s := (scanner{published.Scanner{Text: text}}); !s.AtEnd(); {
		switch s.Peek() {
		case '%':
			start := s.Pos
			s.Comment()
			comments = append(comments, s.Text[start:s.Pos])
		case '"':
			b.WriteString(s.Quoted())
		default:
			b.WriteString(s.Take(1))
		}
	}
	return b.String(), comments
}
