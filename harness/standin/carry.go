package standin

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// What carrying adds to documents. Damage leaves such lines alone.
const (
	mark = "=== "
	// bundleMark begins the line before each document in a bundle.
	bundleMark = mark + "carried: "
	// spareText is all that is in a target for which there was no document.
	spareText = mark + "nothing carried\n"
)

// isCarried reports whether carrying made any of the files.
func isCarried(files vfs.Files) bool {
	for _, content := range files {
		if content == spareText || strings.HasPrefix(content, bundleMark) {
			return true
		}
	}
	return false
}

func isMark(line string) bool { return strings.HasPrefix(line, mark) }

// carry moves documents over to target names, so that carrying them again to
// the names they came from gives them back. Documents that fit the targets stay
// as they are; others are bundled into the first target. The targets left over
// get a line that says so.
func carry(files vfs.Files, targets []string) vfs.Files {
	if files.HasBinary() {
		return renamed(files, targets)
	}
	documents := unbundle(files)
	names := documents.Names()
	result := vfs.Files{}
	if returned := documents.Match(targets); len(returned) == len(names) {
		result = returned
	} else if len(targets) > 0 {
		parts := make([]string, len(names))
		for i, name := range names {
			parts[i] = bundleMark + name + "\n" + documents[name]
		}
		result[concrete(targets[0], names[0])] = strings.Join(parts, "\n")
	}
	for i, target := range targets {
		if len(result.Match([]string{target})) == 0 {
			result[concrete(target, fmt.Sprintf("spare%d", i))] = spareText
		}
	}
	return result
}

// unbundle takes bundles apart and leaves spare files out.
func unbundle(files vfs.Files) vfs.Files {
	apart := vfs.Files{}
	for _, name := range files.Names() {
		content := files[name]
		if content == spareText {
			continue
		}
		parts := strings.Split("\n"+content, "\n"+bundleMark)
		if first := strings.TrimPrefix(parts[0], "\n"); first != "" || len(parts) == 1 {
			apart[name] = first
		}
		for _, part := range parts[1:] {
			inner, text, _ := strings.Cut(part, "\n")
			apart[inner] = text
		}
	}
	return apart
}

// renamed finds for each target the document among the files that takes its name. A document
// that has such a name keeps it. Where there are more documents than targets, a pattern takes
// those that are left over, else they are left; where there are fewer, the first is there
// several times. The order of names is kept, so that renaming back gives each its own again.
func (s *step) renamed(files []string) (names map[string]string, left []string) {
	names = map[string]string{}
	var waiting []string
	for _, name := range slices.Sorted(slices.Values(files)) {
		matches := func(pattern string) bool { return vfs.Matches(pattern, name) }
		switch {
		case s.isDistractor(name):
		case slices.ContainsFunc(s.targets, matches):
			names[name] = name
		case slices.ContainsFunc(s.sources, matches):
			waiting = append(waiting, name)
		}
	}
	documents := append(slices.Sorted(maps.Keys(names)), waiting...)
	if len(documents) == 0 {
		return names, nil
	}
	for _, target := range slices.Sorted(slices.Values(s.targets)) {
		if present([]string{target}, slices.Collect(maps.Keys(names))) {
			continue
		}
		source := documents[0]
		if len(waiting) > 0 {
			source, waiting = waiting[0], waiting[1:]
		}
		names[concrete(target, source)] = source
	}
	for _, name := range waiting {
		at := slices.IndexFunc(s.targets, func(target string) bool {
			made := concrete(target, name)
			return made != target && names[made] == ""
		})
		if at < 0 {
			left = append(left, name)
			continue
		}
		names[concrete(s.targets[at], name)] = name
	}
	return names, left
}

// concrete makes a file name that matches a target: in a pattern, the stem of a
// document's name takes the place of each star.
func concrete(target, document string) string {
	if _, err := path.Match(target, ""); err != nil {
		return target // no pattern
	}
	stem := strings.TrimSuffix(path.Base(document), path.Ext(document))
	return wildcard.ReplaceAllStringFunc(target, func(w string) string {
		if w == "*" {
			return stem
		}
		for r := '0'; r <= 'z'; r++ {
			if ok, _ := path.Match(w, string(r)); ok {
				return string(r)
			}
		}
		return w
	})
}

// wildcard finds the parts of a path.Match pattern that do not stand for
// themselves.
var wildcard = lazyregexp.New(`\*|\?|\\.|\[(\\.|[^\]])*\]`)
