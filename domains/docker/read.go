package docker

import (
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/docker"
	"agentd/internal/lazyregexp"
)

// script is a Dockerfile as Docker itself reads it, in parts that print puts together again without loss.
type script struct{ parts []part }

type partKind uint8

const (
	blankLine partKind = iota
	directive          // such as "# syntax=docker/dockerfile:1", at the top
	commentLine
	instructionPart
	foreignText // what Docker would refuse to read
)

// part is a line of a script or, for an instruction, all of its lines.
type part struct {
	kind  partKind
	lines []string
	// text is that of a comment or directive after "#"; of an instruction it is
	// what follows the keyword, continuation lines joined.
	text     string
	keyword  string   // of an instruction, in upper case
	inside   []string // the comments between its lines
	heredocs []heredoc
}

type heredoc struct {
	name  string
	lines []string
}

// mostParts is the number of parts up to which a file is read; the rest of it
// is foreign text. A Dockerfile of 50,000 tokens has about 3,000.
const mostParts = 1 << 14

// read takes in any text.
func read(text string) script {
	r := reader{lines: plain.Lines(text), escape: '\\'}
	r.directives()
	for r.at < len(r.lines) && len(r.parts) < mostParts {
		switch line := strings.TrimSpace(r.lines[r.at]); {
		case line == "":
			r.add(part{kind: blankLine}, 1)
		case line[0] == '#':
			r.add(part{kind: commentLine, text: strings.TrimSpace(line[1:])}, 1)
		default:
			r.instruction()
		}
	}
	if r.at < len(r.lines) {
		r.add(part{kind: foreignText}, len(r.lines)-r.at)
	}
	return script{r.parts}
}

type reader struct {
	script
	lines  []string
	at     int
	escape byte
	// ends are the places of lines that could close a heredoc, by their text; nil until one is looked for.
	ends map[string][]int
}

func (r *reader) add(p part, lines int) {
	p.lines = slices.Clone(r.lines[r.at : r.at+lines])
	r.at += lines
	r.parts = append(r.parts, p)
}

// directives reads those that open a file; any other line ends them.
func (r *reader) directives() {
	for r.at < len(r.lines) {
		text, ok := strings.CutPrefix(strings.TrimSpace(r.lines[r.at]), "#")
		name, value, assigned := strings.Cut(text, "=")
		name = strings.ToLower(strings.TrimSpace(name))
		if !ok || !assigned || !slices.Contains([]string{"syntax", "escape", "check"}, name) {
			return
		}
		value = strings.TrimSpace(value)
		if name == "escape" && value == "`" {
			r.escape = '`'
		}
		r.add(part{kind: directive, text: name + "=" + value}, 1)
	}
}

func (r *reader) instruction() {
	first, _ := cutBlank(strings.TrimSpace(r.lines[r.at]))
	keyword := strings.ToUpper(strings.TrimSuffix(first, string(r.escape)))
	if !slices.Contains(published.Keywords, keyword) {
		r.add(part{kind: foreignText}, 1)
		return
	}
	text, inside, lines := r.joined()
	p := part{kind: instructionPart, keyword: keyword, inside: inside}
	_, p.text = cutBlank(strings.TrimSpace(text))
	if keyword == "RUN" || keyword == "COPY" || keyword == "ADD" {
		for _, mark := range heredocMarks(p.text) {
			h, n := r.heredoc(mark, r.at+lines)
			if n == 0 {
				break // it never ends, so it is none
			}
			p.heredocs = append(p.heredocs, h)
			lines += n
		}
	}
	r.add(p, lines)
}

// joined joins the line at hand with those that continue it. Docker passes over
// comments and blank lines in between; inside has the comments.
func (r *reader) joined() (text string, inside []string, lines int) {
	var b strings.Builder
	var passed []string
	for at := r.at; at < len(r.lines); at++ {
		line := strings.TrimRight(r.lines[at], " \t")
		if trimmed := strings.TrimSpace(line); at > r.at && (trimmed == "" || trimmed[0] == '#') {
			if trimmed != "" {
				passed = append(passed, strings.TrimSpace(trimmed[1:]))
			}
			continue
		}
		lines = at - r.at + 1
		inside = append(inside, passed...)
		passed = nil
		if line[len(line)-1] != r.escape {
			b.WriteString(line)
			break
		}
		b.WriteString(line[:len(line)-1])
	}
	return b.String(), inside, lines
}

// heredoc reads the lines from a place on, up to and with the one that ends it; n is 0 if there is no such line.
func (r *reader) heredoc(mark heredocMark, from int) (h heredoc, n int) {
	if r.ends == nil {
		r.ends = map[string][]int{}
		for at, line := range r.lines {
			r.ends[line] = append(r.ends[line], at)
			if bare := strings.TrimLeft(line, "\t"); bare != line {
				r.ends["-"+bare] = append(r.ends["-"+bare], at)
			}
		}
	}
	end := len(r.lines)
	for _, name := range []string{mark.name, "-" + mark.name} {
		places := r.ends[name]
		if k, _ := slices.BinarySearch(places, from); k < len(places) && (mark.chomp || name == mark.name) {
			end = min(end, places[k])
		}
	}
	if end == len(r.lines) {
		return heredoc{}, 0
	}
	h = heredoc{name: mark.name, lines: slices.Clone(r.lines[from:end])}
	if mark.chomp {
		for i := range h.lines {
			h.lines[i] = strings.TrimLeft(h.lines[i], "\t")
		}
	}
	return h, end - from + 1
}

// heredocMark is what announces a heredoc: <<EOF, <<-EOF or <<"EOF".
type heredocMark struct {
	name  string
	chomp bool // tabs before lines are no part of them
}

func heredocMarks(text string) []heredocMark {
	if !strings.Contains(text, "<<") {
		return nil
	}
	var marks []heredocMark
	for _, word := range strings.Fields(text) {
		name, ok := strings.CutPrefix(strings.TrimLeft(word, "0123456789"), "<<")
		if !ok {
			continue
		}
		name, chomp := strings.CutPrefix(name, "-")
		name = strings.Trim(name, `"'`)
		if name != "" && !strings.ContainsAny(name, "<>&|;()") {
			marks = append(marks, heredocMark{name, chomp})
		}
	}
	return marks
}

// cutBlank splits off the first word and the blanks after it.
func cutBlank(text string) (word, rest string) {
	at := strings.IndexAny(text, " \t")
	if at < 0 {
		return text, ""
	}
	return text[:at], strings.TrimLeft(text[at:], " \t")
}

// print is the reverse of read.
func (s script) print() string { return plain.Text(s.lines()) }

func (s script) lines() []string {
	return slices.Concat(lists.Each(s.parts, func(p *part) []string { return p.lines })...)
}

// mostWords is the number of words, or commands, that a text is divided into; the last one has what follows them.
const mostWords = 1 << 12

// quoting follows the quotes of a text; open is the one that a place stands in, 0 outside of all.
type quoting struct{ open byte }

// next is the length of the character that a text begins with, an escaped one with its backslash,
// and whether it is neither quoted nor escaped.
func (q *quoting) next(text string) (length int, plain bool) {
	switch c := text[0]; {
	case c == '\\' && q.open != '\'' && len(text) > 1:
		return 2, false
	case c == q.open:
		q.open = 0
	case q.open == 0 && (c == '"' || c == '\''):
		q.open = c
	case q.open == 0:
		return 1, true
	}
	return 1, false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// words splits a text at blanks that are not quoted or escaped, as Docker does
// with the text of ENV, LABEL, ARG and the like. Quotes stay.
func words(text string) []string {
	var all []string
	var q quoting
	start := -1
	for at := 0; at < len(text); {
		length, plain := q.next(text[at:])
		if !plain || !isBlank(text[at]) {
			if start < 0 {
				start = at
			}
		} else if start >= 0 && len(all) < mostWords {
			all = append(all, text[start:at])
			start = -1
		}
		at += length
	}
	if start >= 0 {
		all = append(all, text[start:])
	}
	return all
}

// bare is a word or text without its quotes, by Docker's rules. A dollar sign that names no variable, and a backslash
// that is one, are written with a backslash before them, so that words are equal exactly if they mean the same.
func bare(text string) string {
	if !strings.ContainsAny(text, `"'\`) {
		return text
	}
	var b strings.Builder
	literal := func(r rune) {
		if r == '$' || r == '\\' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	quote := rune(0)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case r == quote:
			quote = 0
		case quote == '\'':
			literal(r)
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		case r == '\\' && i < len(text):
			next, size := utf8.DecodeRuneInString(text[i:])
			if quote == '"' && !strings.ContainsRune(`"$\`, next) {
				literal(r)
				continue
			}
			i += size
			literal(next)
		default:
			b.WriteRune(r)
		}
	}
	if quote != 0 {
		return text // a quote is missing, so none is taken off
	}
	return b.String()
}

// flag is an option before the arguments of an instruction, as in
// --chown=www-data.
type flag struct{ name, value string }

// cutFlags splits the options off an instruction's text.
func cutFlags(text string) (flags []flag, rest string) {
	for strings.HasPrefix(text, "--") {
		var word string
		word, text = cutBlank(text)
		if word == "--" {
			break
		}
		name, value, _ := strings.Cut(word, "=")
		flags = append(flags, flag{name, value})
	}
	return flags, text
}

// commands divides a shell text where one command ends and the next begins, with the operator at the end of the former.
// Blanks are made one except in quotes.
func commands(text string) []string {
	var all []string
	var b strings.Builder
	var q quoting
	blank := false
	end := func() {
		if b.Len() > 0 {
			all = append(all, b.String())
		}
		b.Reset()
		blank = false
	}
	for at := 0; at < len(text); {
		length, plain := q.next(text[at:])
		op := ""
		if plain {
			op = operator(text[at:])
		}
		if plain && isBlank(text[at]) {
			blank = true
		} else {
			length = max(length, len(op))
			if (blank || op != "") && b.Len() > 0 {
				b.WriteByte(' ')
			}
			blank = false
			b.WriteString(text[at : at+length])
			if op != "" && len(all) < mostWords {
				end()
			}
		}
		at += length
	}
	end()
	if q.open != 0 { // a quote is missing, so it is not known what is quoted
		return []string{plain.SingleBlanks(text)}
	}
	return all
}

// operator returns what ends a command at the start of a text: "&&", "||", "|", ";" or ";;".
func operator(text string) string {
	for _, op := range []string{"&&", "||", ";;", "|", ";"} {
		if strings.HasPrefix(text, op) {
			return op
		}
	}
	return ""
}

// wellFormed checks that what begins a line is an instruction, and that here-documents are closed.
func wellFormed(_, text string) []domains.Slip {
	var all []domains.Slip
	n, carried, until := 0, false, ""
	escape := `\`
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		switch m := instructionWord.FindStringSubmatch(line); {
		case until != "":
			if line == until {
				until = ""
			}
			continue
		case line == "" || strings.HasPrefix(line, "#"):
			if strings.HasPrefix(strings.ReplaceAll(line, " ", ""), "#escape=`") {
				escape = "`"
			}
			continue
		case carried:
		case m == nil || !knownInstructions[strings.ToUpper(m[1])]:
			all = append(all, domains.Slip{Line: n, What: "no instruction begins the line", Text: line})
		case m[2] == "":
			all = append(all, domains.Slip{Line: n, What: "an instruction has no argument", Text: line})
		}
		if m := hereDocument.FindStringSubmatch(line); m != nil {
			until = m[1]
		}
		carried = strings.HasSuffix(line, escape)
	}
	switch {
	case until != "":
		all = append(all, domains.Slip{Line: n, What: "a here-document is not ended"})
	case carried:
		all = append(all, domains.Slip{Line: n, What: "the last line is carried on, and nothing follows"})
	}
	return all
}

var (
	instructionWord   = lazyregexp.New(`^([A-Za-z]+)(?:\s+(.*))?$`)
	hereDocument      = lazyregexp.New(`<<-?["']?(\w+)["']?`)
	knownInstructions = map[string]bool{
		"FROM": true, "RUN": true, "CMD": true, "LABEL": true, "MAINTAINER": true, "EXPOSE": true, "ENV": true, "ADD": true, "COPY": true, "ENTRYPOINT": true,
		"VOLUME": true, "USER": true, "WORKDIR": true, "ARG": true, "ONBUILD": true, "STOPSIGNAL": true, "HEALTHCHECK": true, "SHELL": true,
	}
)
