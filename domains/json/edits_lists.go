package json

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/vfs"
)

var fileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// splitList makes a file of the items of a list for each text of one of their members. What is
// left has a list of where the items went. Items that it does not list come last.
func splitList(p struct {
	Document, List string
	By             string // the member
	Others         string // stands for texts that no file can be named after
	Rest           string
}) exact.Steps {
	const index = "index"
	file := func(item *node) string {
		if text := item.textOf(p.By); fileName.MatchString(text) && text+".json" != p.Rest {
			return text
		}
		return p.Others
	}
	change := func(root *node) (vfs.Files, error) {
		lists, places := map[string]*node{}, listOf()
		for _, item := range root.list(p.List) {
			name := file(item)
			if lists[name] == nil {
				lists[name] = listOf()
			}
			list := lists[name]
			places.items = append(places.items, objectOf(
				member{name: p.By, value: textNode(name)}, member{name: index, value: intNode(len(list.items))}))
			list.items = append(list.items, item)
		}
		root.set(p.List, places)
		made := vfs.Files{}
		for name, list := range lists {
			made[name+".json"] = list.printJSON()
		}
		return made, nil
	}
	restore := func(root *node, files vfs.Files) error {
		lists := map[string][]*node{}
		for name, text := range files {
			if list := readRoot(name, text); list.is(listKind) {
				lists[strings.TrimSuffix(name, ".json")] = list.items
			}
		}
		items, placed := listOf(), map[*node]bool{}
		take := func(item *node) {
			if !placed[item] {
				placed[item] = true
				items.items = append(items.items, item)
			}
		}
		for _, place := range root.list(p.List) {
			list, at := lists[place.textOf(p.By)], place.get(index).number()
			if at >= 0 && at < len(list) {
				take(list[at])
			}
		}
		for _, name := range files.Names() {
			for _, item := range lists[strings.TrimSuffix(name, ".json")] {
				take(item)
			}
		}
		root.set(p.List, items)
		return nil
	}
	return documents(p.Document, p.List).Rewrite(p.Document, p.Rest, change, restore)
}

// groupList sorts the items of a list by groups of the texts at a path, each group after an
// item of its own, and notes the former places in a member. Items without one come last.
func groupList(p struct {
	Document, To, List string
	By                 []string
	Groups             []struct {
		Name  string
		Texts []string
	}
	Others       string // the last group, of all other texts
	Head, Naming string // the item before a group, in JSON, and its member for the group's name
	Place        string // the member
}) exact.Steps {
	head, err := decodeJSON(p.Head)
	if err != nil {
		return exact.Refuse(fmt.Sprintf("head: %v", err))
	}
	group := func(item *node) int {
		for i, of := range p.Groups {
			if text := item.at(p.By); text.is(textKind) && slices.Contains(of.Texts, text.text) {
				return i
			}
		}
		return len(p.Groups)
	}
	isHead := func(item *node) bool {
		return item.get(p.Place) == nil && !slices.ContainsFunc(head.members, func(m member) bool {
			return m.name != p.Naming && (item.get(m.name) == nil || item.get(m.name).compact() != m.value.compact())
		})
	}
	change := func(root *node) {
		grouped := make([][]*node, len(p.Groups)+1)
		for i, item := range root.list(p.List) {
			if item.kind == objectKind {
				item.set(p.Place, intNode(i))
			}
			grouped[group(item)] = append(grouped[group(item)], item)
		}
		items := listOf()
		for i, of := range grouped {
			if len(of) == 0 {
				continue
			}
			first, name := head.clone(), p.Others
			if i < len(p.Groups) {
				name = p.Groups[i].Name
			}
			first.set(p.Naming, textNode(name))
			items.items = append(append(items.items, first), of...)
		}
		root.set(p.List, items)
	}
	restore := func(root *node) {
		items := slices.DeleteFunc(slices.Clone(root.list(p.List)), isHead)
		place := func(item *node) uint { return uint(item.get(p.Place).number()) }
		slices.SortStableFunc(items, func(a, b *node) int { return cmp.Compare(place(a), place(b)) })
		for _, item := range items {
			item.remove(p.Place)
		}
		root.set(p.List, listOf(items...))
	}
	return documents(p.Document, p.List).Change(p.Document, p.To, change, restore)
}

// keyList makes a list an object by the numbers that its items have in one of their members,
// smallest first. Items without one come last, under # and their place. Another member has the
// order of the list. Items that it does not name come last.
func keyList(p struct {
	Document, To, List string
	Key, Order         string // members: of the items, and of the document
}) exact.Steps {
	type keyed struct {
		number int
		member
	}
	change := func(root *node) {
		var all []keyed
		order, taken := listOf(), map[int]bool{}
		for i, item := range root.list(p.List) {
			k := keyed{-1, member{name: "#" + strconv.Itoa(i+1), value: item}}
			if number := item.get(p.Key).number(); number >= 0 && !taken[number] {
				taken[number] = true
				k.number, k.name = number, strconv.Itoa(number)
				item.remove(p.Key)
			}
			all = append(all, k)
			order.items = append(order.items, textNode(k.name))
		}
		slices.SortStableFunc(all, func(a, b keyed) int { return cmp.Compare(uint(a.number), uint(b.number)) })
		items := objectOf()
		for _, k := range all {
			items.members = append(items.members, k.member)
		}
		root.set(p.List, items)
		root.set(p.Order, order)
	}
	restore := func(root *node) {
		places := map[string]int{} // less than 0, from the end of the order
		if order := root.remove(p.Order); order != nil {
			for i, key := range order.items {
				places[key.text] = i - len(order.items)
			}
		}
		var members []member
		if items := root.get(p.List); items != nil {
			members = slices.Clone(items.members)
		}
		slices.SortStableFunc(members, func(a, b member) int { return cmp.Compare(places[a.name], places[b.name]) })
		list := listOf()
		for _, m := range members {
			if number := atoi(m.name); number >= 0 && m.value.kind == objectKind {
				m.value.remove(p.Key)
				m.value.members = slices.Insert(m.value.members, 0, member{name: p.Key, value: intNode(number)})
			}
			list.items = append(list.items, m.value)
		}
		root.set(p.List, list)
	}
	return documents(p.Document, p.List).Change(p.Document, p.To, change, restore)
}

// atoi reads a number of digits alone, -1 for any other text.
func atoi(digits string) int {
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil || strconv.FormatUint(n, 10) != digits {
		return -1
	}
	return int(n)
}
