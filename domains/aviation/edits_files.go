package aviation

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// splitByLocation makes a file of the notices of each location, the first of item A, sorted by
// when they begin. All other lines stay in the rest.
func splitByLocation(p struct {
	Document    string
	Others      string // where item A begins with no location
	Rest, Table string
}) exact.Steps {
	fileOf := func(e *entry) string {
		location := e.word(itemA)
		if location == "" || strings.TrimFunc(location, pytext.IsWord) != "" {
			location = p.Others
		}
		return strings.ToUpper(location) + ".txt"
	}
	forward := func(all []entry) (vfs.Files, error) {
		taken, rest := takeOut(all, allNotices)
		of := map[string][]placed{}
		for _, notice := range taken {
			name := fileOf(&notice.entry)
			of[name] = append(of[name], notice)
		}
		made := vfs.Files{p.Rest: printed(rest), p.Table: placesTable(taken, noCells)}
		for name, notices := range of {
			slices.SortStableFunc(notices, func(a, b placed) int { return cmp.Compare(a.word(itemB), b.word(itemB)) })
			made[name] = apart(notices)
		}
		return made, nil
	}
	return bulletins.Whole(p.Document, forward, func(files vfs.Files) ([]entry, error) {
		var notices []entry
		for _, name := range files.Match(bulletins.Patterns).Names() {
			if name != p.Rest {
				notices = append(notices, readEntries(files[name])...)
			}
		}
		return putIn(notices, files, p.Rest, p.Table)
	})
}

// groupByCode groups the notices by the code of their Q lines. One that cancels another is not
// grouped by it.
func groupByCode(p struct {
	Document, To string
	Groups       []struct {
		Name  string
		Codes []string // such as Q??LC, where ? is any letter
	}
	Others      string // the group of other notices, the last
	Rest, Table string
}) exact.Steps {
	group := func(e *entry) string {
		_, rest, _ := strings.Cut(normal(e.value(itemQ)), "/")
		code, _, _ := strings.Cut(rest, "/")
		for _, group := range p.Groups {
			if e.notice.kind != "NOTAMC" && slices.ContainsFunc(group.Codes, func(pattern string) bool {
				is, _ := path.Match(pattern, code)
				return is
			}) {
				return group.Name
			}
		}
		return p.Others
	}
	names, pattern := []string{}, ""
	for _, group := range p.Groups {
		names = append(names, group.Name)
		pattern += regexp.QuoteMeta(group.Name) + "|"
	}
	names = append(names, p.Others)
	heading := regexp.MustCompile(`^## (?:` + pattern + regexp.QuoteMeta(p.Others) + `) \([0-9]+\)\s*$`)
	forward := func(all []entry) (vfs.Files, error) {
		taken, rest := takeOut(all, allNotices)
		groups := map[string][]placed{}
		for _, notice := range taken {
			name := group(&notice.entry)
			groups[name] = append(groups[name], notice)
		}
		var blocks []string
		var order []placed
		for _, name := range names {
			if notices := groups[name]; len(notices) > 0 {
				blocks = append(blocks, fmt.Sprintf("## %s (%d)\n\n%s", name, len(notices), apart(notices)))
				order = append(order, notices...)
			}
		}
		return vfs.Files{p.To: strings.Join(blocks, "\n"), p.Rest: printed(rest), p.Table: placesTable(order, noCells)}, nil
	}
	return bulletins.Whole(p.Document, forward, func(files vfs.Files) ([]entry, error) {
		notices, err := bulletins.Named(files, p.To)
		if err != nil {
			return nil, err
		}
		notices = slices.DeleteFunc(notices, func(e entry) bool { return heading.MatchString(e.lines[0]) })
		return putIn(notices, files, p.Rest, p.Table)
	})
}

var tenDigits = regexp.MustCompile(`^[0-9]{10}$`)

// splitByWindow moves the notices that are not in force during a window to a file of their own,
// and says of each why. One whose end is estimated is in force until it is cancelled.
func splitByWindow(p struct {
	Document         string
	From, To         string // in UTC, as items B and C
	Active, Inactive string
	Table            string
}) exact.Steps {
	reason := func(e *entry) []string {
		from, to := e.word(itemB), strings.TrimSpace(e.value(itemC))
		switch {
		case tenDigits.MatchString(from) && from > p.To:
			return []string{"FUTURE"}
		case tenDigits.MatchString(to) && to < p.From:
			return []string{"EXPIRED"}
		}
		return nil
	}
	forward := func(all []entry) (vfs.Files, error) {
		removed, active := takeOut(all, func(e *entry) bool { return reason(e) != nil })
		return vfs.Files{p.Active: printed(active), p.Inactive: apart(removed), p.Table: placesTable(removed, reason, "reason")}, nil
	}
	return bulletins.Whole(p.Document, forward, func(files vfs.Files) ([]entry, error) {
		inactive, err := bulletins.Named(files, p.Inactive)
		if err != nil {
			return nil, err
		}
		return putIn(inactive, files, p.Active, p.Table)
	})
}
