package screenplay

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// The cast by size of part.
const (
	sizesFile     = "by_size_of_part.txt"
	castOrderFile = "cast_order.csv"
)

// part is what somebody has to say.
type part struct{ speeches, words int }

// parts are the parts of a dialogue by the folded names of their speakers.
func parts(body []block) map[string]part {
	all := map[string]part{}
	for i := range body {
		if b := &body[i]; b.kind == speech {
			name := foldName(b.name)
			p := all[name]
			all[name] = part{p.speeches + 1, p.words + b.words()}
		}
	}
	return all
}

// castOf returns the places of the entries of the cast among blocks.
func castOf(blocks []block) []int {
	var places []int
	for i := range blocks {
		if blocks[i].kind == character {
			places = append(places, i)
		}
	}
	return places
}

func sortCast(files vfs.Files) (vfs.Files, error) {
	head, body, err := playOf(files, document)
	if err != nil {
		return nil, err
	}
	sizes := parts(body)
	places := castOf(head)
	order := [][]string{{"name", "position"}}
	entries := make([]block, len(places))
	for n, place := range places {
		b := head[place]
		order = append(order, []string{b.name, strconv.Itoa(n + 1)})
		size := sizes[foldName(b.name)]
		b.lines = slices.Clone(b.lines)
		b.lines[len(b.lines)-1] += fmt.Sprintf(" [%d speeches, %d words]", size.speeches, size.words)
		entries[n] = b
	}
	slices.SortStableFunc(entries, func(a, b block) int {
		return sizes[foldName(b.name)].words - sizes[foldName(a.name)].words
	})
	for n, place := range places {
		head[place] = entries[n]
	}
	return vfs.Files{
		sizesFile:     printed(append(written(head), written(body)...)),
		castOrderFile: plain.WriteCSV(order),
	}, nil
}

var sizeOfPart = regexp.MustCompile(` \[[0-9]+ speeches, [0-9]+ words\]$`)

func restoreCast(files vfs.Files) (vfs.Files, error) {
	order, err := plain.Table(files, castOrderFile, "name", "position")
	if err != nil {
		return nil, err
	}
	head, body, err := playOf(files, sizesFile)
	if err != nil {
		return nil, err
	}
	positions := plain.NotesBy(order, func(row []string) string { return foldName(row[0]) })
	places := castOf(head)
	type placed struct {
		position int
		entry    block
	}
	entries := make([]placed, len(places))
	for n, place := range places {
		b := head[place]
		last := &b.lines[len(b.lines)-1]
		*last = sizeOfPart.ReplaceAllString(*last, "")
		row := positions.Take(foldName(sizeOfPart.ReplaceAllString(b.name, "")))
		if row == nil {
			return nil, fmt.Errorf("%s: no position for %s", castOrderFile, b.name)
		}
		entries[n] = placed{plain.LineNumber(row[1]), b}
	}
	slices.SortStableFunc(entries, func(a, b placed) int { return a.position - b.position })
	for n, place := range places {
		head[place] = entries[n].entry
	}
	return finished(written(head), written(body)), nil
}

// Small parts in one.
const (
	doubledFile  = "doubled.txt"
	doublingFile = "doubling.json"
	ensemble     = "ENSEMBLE"
	// smallPart is the number of speeches up to which a part is small.
	smallPart = 8
)

// doubled is a part that the ensemble plays.
type doubled struct {
	Role        string `json:"role"`
	Position    int    `json:"position"` // in the cast, 0 if it is not there
	Description string `json:"description"`
	Speeches    int    `json:"speeches"`
}

func double(files vfs.Files) (vfs.Files, error) {
	head, body, err := playOf(files, document)
	if err != nil {
		return nil, err
	}
	sizes := parts(body)
	if sizes[ensemble].speeches > 0 {
		return nil, fmt.Errorf("%s: there is an ensemble already", document)
	}
	roles := []doubled{}
	listed := map[string]bool{}
	position := 0
	var kept []block
	for _, b := range head {
		if b.kind == character {
			position++
			name := foldName(b.name)
			if n := sizes[name].speeches; n > 0 && n <= smallPart && !listed[name] {
				listed[name] = true
				roles = append(roles, doubled{b.name, position, strings.Join(b.text(), "\n"), n})
				continue
			}
		}
		kept = append(kept, b)
	}
	for i := range body {
		b := &body[i]
		name := foldName(b.name)
		if b.kind != speech || sizes[name].speeches > smallPart {
			continue
		}
		if !listed[name] {
			listed[name] = true
			roles = append(roles, doubled{b.name, 0, "", sizes[name].speeches})
		}
		b.lines = slices.Clone(b.lines)
		b.lines[0] = strings.Replace(b.cue(), b.name, ensemble, 1) + ": {" + b.name + "} " + b.rest
	}
	list, err := plain.JSONArray(roles)
	if err != nil {
		return nil, err
	}
	all := append(written(withEnsemble(kept, roles)), written(body)...)
	return vfs.Files{doubledFile: printed(all), doublingFile: list}, nil
}

// withEnsemble adds an entry of the ensemble to the end of the cast.
func withEnsemble(head []block, roles []doubled) []block {
	at := slices.IndexFunc(head, func(b block) bool { return b.kind == heading && b.in == cast }) + 1
	if at == 0 || len(roles) == 0 {
		return head
	}
	for at < len(head) && head[at].in == cast {
		at++
	}
	names := make([]string, len(roles))
	for i := range roles {
		names[i] = roles[i].Role
	}
	entry := "- " + ensemble + ": plays " + strings.Join(names, ", ")
	return slices.Insert(slices.Clone(head), at, block{kind: character, in: cast, lines: []string{entry}})
}

var roleTag = regexp.MustCompile(`^` + ensemble + `( \([^)]*\))?: \{([^{}]+)\} `)

func undouble(files vfs.Files) (vfs.Files, error) {
	var roles []doubled
	if err := plain.JSON(files, doublingFile, &roles); err != nil {
		return nil, err
	}
	head, body, err := playOf(files, doubledFile)
	if err != nil {
		return nil, err
	}
	for i := range body {
		lines := body[i].lines
		lines[0] = roleTag.ReplaceAllString(lines[0], "$2$1: ")
	}
	head = slices.DeleteFunc(head, func(b block) bool { return b.kind == character && b.name == ensemble })
	slices.SortStableFunc(roles, func(a, b doubled) int { return a.Position - b.Position })
	for _, role := range roles {
		if role.Position > 0 {
			head = role.putBack(head)
		}
	}
	return finished(written(head), written(body)), nil
}

// putBack puts the entry of a role back to its position in the cast.
func (d *doubled) putBack(head []block) []block {
	entry := "- " + d.Role
	if d.Description != "" {
		entry += ": " + d.Description
	}
	at, position := len(head), 0
	for i := range head {
		if head[i].kind == heading && head[i].in == cast {
			at = i + 1
		}
		if head[i].kind != character {
			continue
		}
		if position++; position == d.Position {
			at = i
			break
		}
		at = i + 1
	}
	return slices.Insert(head, at, block{kind: character, in: cast, lines: strings.Split(entry, "\n")})
}

// Start times at 150 words a minute.
const (
	timedFile      = "timed.txt"
	wordsPerMinute = 150
)

var startTime = regexp.MustCompile(`^\[[0-9]+:[0-9]{2}\] `)

func addTimes(files vfs.Files) (vfs.Files, error) {
	head, body, err := playOf(files, document)
	if err != nil {
		return nil, err
	}
	all := written(head)
	words := 0
	for i := range body {
		b := &body[i]
		if startTime.MatchString(b.lines[0]) {
			return nil, fmt.Errorf("%s: there are times already", document)
		}
		lines := slices.Clone(b.lines)
		if b.kind == speech {
			seconds := (2*60*words + wordsPerMinute) / (2 * wordsPerMinute)
			lines[0] = fmt.Sprintf("[%d:%02d] %s", seconds/60, seconds%60, lines[0])
			words += b.words()
		}
		all = append(all, lines)
	}
	return vfs.Files{timedFile: printed(all)}, nil
}

func dropTimes(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, timedFile)
	if err != nil {
		return nil, err
	}
	head, body, err := parted(paragraphs(text), timedFile)
	if err != nil {
		return nil, err
	}
	for _, p := range body {
		p[0] = startTime.ReplaceAllString(p[0], "")
	}
	return finished(head, body), nil
}
