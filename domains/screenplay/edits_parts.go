package screenplay

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// part is what somebody has to say.
type part struct{ speeches, words int }

// parts are the parts of a dialogue by the folded names of their speakers.
func parts(body []block) map[string]part {
	all := map[string]part{}
	for i := range body {
		if b := &body[i]; b.kind == counted {
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

// castStart is the place after the heading of the cast, 0 if there is none.
func castStart(head []block) int {
	return slices.IndexFunc(head, func(b block) bool { return b.kind == heading && b.in == cast }) + 1
}

// sortCast sorts the cast by words spoken, and adds the size of each part to its description.
func sortCast(p struct{ Document, To, Table string }) exact.Steps {
	forward := func(head, body []block) (vfs.Files, error) {
		sizes, places := parts(body), castOf(head)
		order := [][]string{{"name", "position"}}
		var keys []int
		for n, place := range places {
			b := &head[place]
			order = append(order, []string{b.name, strconv.Itoa(n + 1)})
			size := sizes[foldName(b.name)]
			b.lines = slices.Clone(b.lines)
			b.lines[len(b.lines)-1] += fmt.Sprintf(" [%d speeches, %d words]", size.speeches, size.words)
			keys = append(keys, -size.words)
		}
		sortAt(head, places, keys)
		return vfs.Files{p.To: printed(append(written(head), written(body)...)), p.Table: plain.WriteCSV(order)}, nil
	}
	return steps(p.Document, forward, func(files vfs.Files) (_, _ []paragraph, err error) {
		order, err := plain.Table(files, p.Table, "name", "position")
		if err != nil {
			return nil, nil, err
		}
		head, body, err := playOf(files, p.To)
		if err != nil {
			return nil, nil, err
		}
		rows := plain.NotesBy(order, func(row []string) string { return foldName(row[0]) })
		places := castOf(head)
		var keys []int
		for _, place := range places {
			b := &head[place]
			last := &b.lines[len(b.lines)-1]
			*last = sizeOfPart.ReplaceAllString(*last, "")
			row := rows.Take(foldName(sizeOfPart.ReplaceAllString(b.name, "")))
			if row == nil {
				return nil, nil, fmt.Errorf("%s: no position for %s", p.Table, b.name)
			}
			keys = append(keys, plain.LineNumber(row[1]))
		}
		sortAt(head, places, keys)
		return written(head), written(body), nil
	})
}

// sortAt sorts the blocks at some places by their keys.
func sortAt(blocks []block, places, keys []int) {
	sorted := lists.Map(places, func(place int) block { return blocks[place] })
	lists.Arrange(sorted, keys)
	for n, place := range places {
		blocks[place] = sorted[n]
	}
}

var sizeOfPart = regexp.MustCompile(` \[[0-9]+ speeches, [0-9]+ words\]$`)

// doubled is a part that the ensemble plays.
type doubled struct {
	Role        string `json:"role"`
	Position    int    `json:"position"` // in the cast, 0 if it is not there
	Description string `json:"description"`
	Speeches    int    `json:"speeches"`
}

// ensemble plays the small parts.
type ensemble struct {
	Document, To, Name string
	Most               int // speeches of a small part
	List               string
}

// joinSmallParts gives the speeches of small parts to one ensemble, with the roles in braces.
func joinSmallParts(p ensemble) exact.Steps { return steps(p.Document, p.write, p.read) }

func (p *ensemble) write(head, body []block) (vfs.Files, error) {
	sizes := parts(body)
	if sizes[foldName(p.Name)].speeches > 0 {
		return nil, fmt.Errorf("there is %s already", p.Name)
	}
	roles := plain.Array[doubled]{}
	listed := map[string]bool{}
	position := 0
	var kept []block
	for _, b := range head {
		if b.kind == character {
			position++
			name := foldName(b.name)
			if n := sizes[name].speeches; n > 0 && n <= p.Most && !listed[name] {
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
		if b.kind != counted || sizes[name].speeches > p.Most {
			continue
		}
		if !listed[name] {
			listed[name] = true
			roles = append(roles, doubled{b.name, 0, "", sizes[name].speeches})
		}
		b.lines = slices.Clone(b.lines)
		b.lines[0] = strings.Replace(b.cue(), b.name, p.Name, 1) + ": {" + b.name + "} " + b.rest
	}
	all := append(written(p.addTo(kept, roles)), written(body)...)
	return vfs.Files{p.To: printed(all), p.List: plain.WriteJSON(roles)}, nil
}

// addTo adds an entry of the ensemble to the end of the cast.
func (p *ensemble) addTo(head []block, roles []doubled) []block {
	at := castStart(head)
	if at == 0 || len(roles) == 0 {
		return head
	}
	for at < len(head) && head[at].in == cast {
		at++
	}
	names := lists.Map(roles, func(d doubled) string { return d.Role })
	entry := "- " + p.Name + ": plays " + strings.Join(names, ", ")
	return slices.Insert(slices.Clone(head), at, block{kind: character, in: cast, lines: []string{entry}})
}

func (p *ensemble) read(files vfs.Files) (_, _ []paragraph, err error) {
	var roles []doubled
	if err := plain.JSON(files, p.List, &roles); err != nil {
		return nil, nil, err
	}
	head, body, err := playOf(files, p.To)
	if err != nil {
		return nil, nil, err
	}
	roleTag := regexp.MustCompile(`^` + regexp.QuoteMeta(p.Name) + `( \([^)]*\))?: \{([^{}]+)\} `)
	for i := range body {
		lines := body[i].lines
		lines[0] = roleTag.ReplaceAllString(lines[0], "$2$1: ")
	}
	head = slices.DeleteFunc(head, func(b block) bool { return b.kind == character && b.name == p.Name })
	slices.SortStableFunc(roles, func(a, b doubled) int { return a.Position - b.Position })
	for _, role := range roles {
		if role.Position > 0 {
			head = role.putBack(head)
		}
	}
	return written(head), written(body), nil
}

// putBack puts the entry of a role back to its position in the cast.
func (d *doubled) putBack(head []block) []block {
	entry := "- " + d.Role
	if d.Description != "" {
		entry += ": " + d.Description
	}
	places, at := castOf(head), castStart(head)
	switch {
	case d.Position <= len(places):
		at = places[d.Position-1]
	case len(places) > 0:
		at = places[len(places)-1] + 1
	case at == 0:
		at = len(head)
	}
	return slices.Insert(head, at, block{kind: character, in: cast, lines: strings.Split(entry, "\n")})
}

var startTime = regexp.MustCompile(`^\[[0-9]+:[0-9]{2}\] `)

// startTimes writes before each speech the time at which it starts.
func startTimes(p struct {
	Document, To string
	Pace         int // words a minute
}) exact.Steps {
	if p.Pace < 1 {
		return exact.Refuse("pace must be at least 1")
	}
	forward := func(head, body []block) (vfs.Files, error) {
		all := written(head)
		words := 0
		for i := range body {
			b := &body[i]
			if startTime.MatchString(b.lines[0]) {
				return nil, errors.New("there are times already")
			}
			lines := slices.Clone(b.lines)
			if b.kind == counted {
				seconds := (2*60*words + p.Pace) / (2 * p.Pace)
				lines[0] = fmt.Sprintf("[%d:%02d] %s", seconds/60, seconds%60, lines[0])
				words += b.words()
			}
			all = append(all, lines)
		}
		return vfs.Files{p.To: printed(all)}, nil
	}
	return steps(p.Document, forward, func(files vfs.Files) (head, body []paragraph, err error) {
		head, body, err = partsOf(files, p.To)
		for _, lines := range body {
			lines[0] = startTime.ReplaceAllString(lines[0], "")
		}
		return head, body, err
	})
}
