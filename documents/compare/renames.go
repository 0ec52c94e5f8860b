package compare

import (
	"path"
	"slices"
	"strings"

	"agentd/vfs"
)

// KindRenamed is the kind of the difference for a renamed document.
const KindRenamed = "renamed"

// As in git, a document is renamed if at least half of its content is the same. docs/diff.md says so too, and guard pairs documents
// by it. If there are more pairs than mostRenames, only
// renames with equal content are found.
const (
	leastRenamed = 0.5
	mostRenames  = 1000 * 1000
)

// renamed pairs removed documents with new ones that have the same or similar content. Equal content is preferred, then the
// same file name in another folder.
func renamed(pairs []Pair) []Pair {
	var gone, made []int
	for i, p := range pairs {
		switch {
		case len(p.After) == 0:
			gone = append(gone, i)
		case len(p.Before) == 0:
			made = append(made, i)
		}
	}
	if len(gone) == 0 || len(made) == 0 {
		return pairs
	}
	type match struct {
		from, to int
		alike    float64
	}
	var matches []match
	pieces := map[int]map[string]int{}
	for _, i := range slices.Concat(gone, made) {
		pieces[i] = piecesOf(pairs[i].Before, pairs[i].After)
	}
	exactOnly := len(gone)*len(made) > mostRenames
	for _, from := range gone {
		for _, to := range made {
			if !samePlaces(pairs[from], pairs[to]) {
				continue
			}
			alike := 0.
			if p := pairs[from]; p.underNameOf(pairs[to].Name).Equal(pairs[to].After) {
				alike = 1
			} else if !exactOnly {
				alike = min(similarity(pieces[from], pieces[to]), 0.99)
			}
			if alike < leastRenamed {
				continue
			}
			const sameBase = 0.001 // only breaks ties
			if path.Base(pairs[from].Name) == path.Base(pairs[to].Name) {
				alike += sameBase
			}
			matches = append(matches, match{from, to, alike})
		}
	}
	slices.SortStableFunc(matches, func(a, b match) int {
		switch {
		case a.alike > b.alike:
			return -1
		case a.alike < b.alike:
			return 1
		}
		return 0
	})
	taken := map[int]bool{}
	for _, m := range matches {
		if taken[m.from] || taken[m.to] {
			continue
		}
		taken[m.from], taken[m.to] = true, true
		p := pairs[m.from]
		p.From, p.Name, p.After = p.Name, pairs[m.to].Name, pairs[m.to].After
		if p.As == "" && path.Ext(p.From) != path.Ext(p.Name) {
			p.As = p.From // the name tells the domain which format it is
		}
		pairs[m.to] = p
	}
	joined := pairs[:0:0]
	for i, p := range pairs {
		if !taken[i] || p.From != "" {
			joined = append(joined, p)
		}
	}
	return joined
}

// samePlaces reports whether two documents are one file each, or have files of the same names in different folders. An empty file
// is not a copy of another file.
func samePlaces(from, to Pair) bool {
	if from.Before.Bytes() == 0 || len(from.Before) != len(to.After) {
		return false
	}
	_, single := from.Before[from.Name]
	_, singleToo := to.After[to.Name]
	if single || singleToo {
		return single && singleToo
	}
	for name := range from.underNameOf(to.Name) {
		if _, there := to.After[name]; !there {
			return false
		}
	}
	return from.Name != "." && to.Name != "."
}

// nameBefore returns the old name of a file of the document.
func (p Pair) nameBefore(name string) string {
	switch {
	case p.From == "":
		return name
	case name == p.Name:
		return p.From
	}
	return path.Join(p.From, strings.TrimPrefix(name, p.Name+"/"))
}

// underName returns the files before, under their present names.
func (p Pair) underName(files vfs.Files) vfs.Files {
	if p.From == "" {
		return files
	}
	old := p
	old.Before, old.Name = files, p.From
	return old.underNameOf(p.Name)
}

// underNameOf returns the files before, renamed to belong to another document.
func (p Pair) underNameOf(name string) vfs.Files {
	files := vfs.Files{}
	for file, content := range p.Before {
		if file == p.Name {
			files[name] = content
		} else {
			files[path.Join(name, strings.TrimPrefix(file, p.Name+"/"))] = content
		}
	}
	return files
}

// piecesOf counts the bytes of the lines of files, cut after 64 bytes, as git does.
func piecesOf(sets ...vfs.Files) map[string]int {
	const longest = 64
	pieces := map[string]int{}
	for _, files := range sets {
		for _, name := range files.Names() {
			for line := range strings.Lines(strings.ReplaceAll(files[name], "\r\n", "\n")) {
				for len(line) > longest {
					pieces[line[:longest]] += longest
					line = line[longest:]
				}
				pieces[line] += len(line)
			}
		}
	}
	return pieces
}

// similarity returns the size of the common content as a share of the larger document, 0 to 1.
func similarity(a, b map[string]int) float64 {
	var first, second, common int
	for piece, n := range a {
		first += n
		common += min(n, b[piece])
	}
	for _, n := range b {
		second += n
	}
	return float64(common) / float64(max(first, second, 1))
}
