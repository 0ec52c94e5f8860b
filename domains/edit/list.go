package edit

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"agentd/internal/lazyregexp"
)

// mostMembers is how many members of the objects in a list become attributes.
const mostMembers = 8

// members are how a member of an object is written whose value is a text or a number: its name,
// the value of any name, and that of one.
var members = []struct {
	any         *lazyregexp.Regexp
	one, number string
}{
	{
		lazyregexp.New(`"([^"\\\n]+)"\s*:\s*(?:"(?:[^"\\\n]|\\.)+"|-?\d+(?:\.\d+)?\s*[,}\]])`),
		`"NAME"\s*:\s*"((?:[^"\\\n]|\\.)+)"`, `"NAME"\s*:\s*(-?\d+(?:\.\d+)?)\s*(?:[,}\]]|$)`,
	},
	{
		lazyregexp.New(`(?m)^[ \t]*(?:-[ \t]+)?([A-Za-z_][\w.-]*):[ \t]+[^\s#&*!|>{\[]`),
		`^[ \t]*(?:-[ \t]+)?NAME:[ \t]+["']?([^\s"'#&*!|>{\[](?:[^"'#\n]*[^"'#\s])?)`, `^[ \t]*(?:-[ \t]+)?NAME:[ \t]+(-?\d+(?:\.\d+)?)[ \t]*(?:#.*)?$`,
	},
}

// List is the format of lists of objects in JSON or YAML, whose members are the attributes, with more of them.
func List(document, part, parts string, cut Cutter, more ...Attribute) Format {
	f := Format{Document: document, Part: part, Parts: parts, Cut: cut, OneCut: true}
	adapted := f
	f.Adapt = func(_, text string) Format {
		adapted := adapted
		elements := cut(text).Parts
		adapted.Attributes = append(membersOf(elements), more...)
		adapted.Rare = func(name string) (Attribute, bool) { return memberIn(name, elements) }
		return adapted
	}
	return f
}

// membersOf makes an attribute of each member that half of the objects have, the most frequent first.
func membersOf(parts []string) []Attribute {
	for _, form := range members {
		var names []string
		counts := make(map[string]int)
		for _, part := range parts {
			seen := make(map[string]bool)
			for _, found := range form.any.FindAllStringSubmatch(part, -1) {
				name := found[1]
				switch {
				case seen[name] || slug(name) == "":
					continue
				case counts[name] == 0:
					names = append(names, name)
				}
				seen[name] = true
				counts[name]++
			}
		}
		names = slices.DeleteFunc(names, func(name string) bool { return counts[name]*2 < len(parts) })
		slices.SortStableFunc(names, func(x, y string) int { return cmp.Compare(counts[y], counts[x]) })
		if len(names) == 0 {
			continue
		}
		all := make([]Attribute, min(len(names), mostMembers))
		for i := range all {
			all[i] = memberOf(names[i], form.one, form.number, parts)
		}
		return all
	}
	return nil
}

// memberIn makes an attribute of a member that a few parts have; false if none has it.
func memberIn(name string, parts []string) (Attribute, bool) {
	for _, form := range members {
		a := memberOf(name, form.one, form.number, parts)
		if slices.ContainsFunc(parts, func(part string) bool { return a.value(part) != "" }) {
			return a, true
		}
	}
	return Attribute{}, false
}

// memberOf makes an attribute of a member: a number where it is nothing else in the parts.
func memberOf(name, text, number string, parts []string) Attribute {
	named := lazyregexp.New("NAME")
	make := func(pattern string) Attribute {
		return Has(name, name+" values", named.ReplaceAllLiteralString(pattern, regexp.QuoteMeta(name)))
	}
	isNumber := make(number)
	isNumber.Number = true
	if slices.ContainsFunc(parts, func(part string) bool { return isNumber.value(part) != "" }) {
		return isNumber
	}
	return make(text)
}

// Lists is the format of any document in JSON or YAML: the elements of its outermost list of
// objects, called after it. The attributes are its members, with more of them.
func Lists(document string, more ...Attribute) Format {
	const elementsOf = "elements of "
	named := func(list string) Format {
		return List(document, "element of "+list, elementsOf+list, First(JSON(strings.Split(list, ".")...), Items(list)), more...)
	}
	f := List(document, "element", "elements", First(JSON(), Items("")), more...)
	unnamed := f.Adapt
	f.OneCut = false
	f.Adapt = func(name, text string) Format {
		if list := nameOfList(text); list != "" {
			return named(list).Adapt(name, text)
		}
		return unnamed(name, text)
	}
	f.Named = func(parts string) (Format, bool) {
		list, ok := strings.CutPrefix(parts, elementsOf)
		return named(list), ok
	}
	return f
}

// nameOfList is what the outermost list of a text is called, with what it is in; empty if nothing tells it from others.
func nameOfList(text string) string {
	w := newJSONWalk(text, nil)
	if err := w.value(nil); err == nil || len(w.best) > 1 {
		if slices.Contains(w.at, "*") || slices.ContainsFunc(w.at, func(name string) bool { return strings.Contains(name, ".") }) {
			return ""
		}
		return strings.Join(w.at, ".")
	}
	return bestItems(text, "").name
}

// In YAML, an item begins an element of a list, and a key names what is below it.
var (
	item = lazyregexp.New(`^( *)- `)
	key  = lazyregexp.New(`^( *)(?:- )?["']?([\w-]+)["']?:\s*(?:#.*)?$`)
)

// Items makes parts of the elements of the first list in YAML below a key. Without a key it is
// the outermost list, of these the longest.
func Items(key string) Cutter {
	return func(text string) Pieces { return cutAt(text, bestItems(text, key).places) }
}

// itemList is a list in YAML.
type itemList struct {
	name   string // the key above it
	indent int
	places []place
}

// better reports whether a list is to be taken in place of another.
func (l *itemList) better(than *itemList, name string) bool {
	switch {
	case len(l.places) == 0 || name != "" && l.name != name:
		return false
	case len(than.places) == 0 || name != "":
		return len(than.places) == 0
	}
	return l.indent < than.indent || l.indent == than.indent && len(l.places) > len(than.places)
}

// bestItems is the list below a key, or else the outermost one.
func bestItems(text, name string) itemList {
	var best, open itemList
	last := "" // the key on the line above
	finish := func() {
		if open.better(&best, name) {
			best = open
		}
		open = itemList{}
	}
	for _, line := range lines(text) {
		s := text[line.from:line.to]
		indent := len(s) - len(strings.TrimLeft(s, " "))
		begins := item.MatchString(s)
		switch {
		case indent == len(s):
			continue
		case len(open.places) > 0 && indent > open.indent:
			open.places[len(open.places)-1].to = line.to
		case begins && len(open.places) > 0 && indent == open.indent:
			open.places = append(open.places, line)
		case begins:
			finish()
			open = itemList{last, indent, []place{line}}
		default:
			finish()
		}
		last = ""
		if found := key.FindStringSubmatch(s); found != nil {
			last = found[2]
		}
	}
	finish()
	return best
}
