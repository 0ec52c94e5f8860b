package json

import (
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// inYAML writes a document as YAML.
func inYAML(p struct{ Document, To string }) exact.Steps {
	forward := func(root *node) (vfs.Files, error) { return vfs.Files{p.To: root.printYAML()}, nil }
	backward := func(files vfs.Files) (*node, error) { return readNamed(files, p.To) }
	return documents(p.Document, "").Whole(p.Document, forward, backward)
}

// textsApart moves texts of the items of a list to a file, and puts their codes there.
func textsApart(p struct {
	Document, To, List string
	Within             string   // a list in each item
	Members            []string // of what is in it
	Mark, First        string   // before the codes, and the first of these
	Item, Title        string   // in the file: the name for the item, and the member that names it
	Texts              string   // the file
}) exact.Steps {
	const id, said = "id", "text"
	visit := func(root *node, do func(item, text *node)) {
		for _, item := range root.list(p.List) {
			for _, in := range item.list(p.Within) {
				for _, m := range in.members {
					if slices.Contains(p.Members, m.name) && m.value.kind == textKind {
						do(item, m.value)
					}
				}
			}
		}
	}
	code := exact.Counting(p.First)
	change := func(root *node) (vfs.Files, error) {
		texts := listOf()
		visit(root, func(item, text *node) {
			code := code("", len(texts.items))
			texts.items = append(texts.items, objectOf(
				member{name: id, value: textNode(code)},
				member{name: p.Item, value: textNode(item.textOf(p.Title))},
				member{name: said, value: textNode(text.text)},
			))
			text.text = p.Mark + code
		})
		return vfs.Files{p.Texts: texts.printJSON()}, nil
	}
	restore := func(root *node, files vfs.Files) error {
		texts, err := readNamed(files, p.Texts)
		if err != nil {
			return err
		}
		of := map[string]string{}
		for _, entry := range texts.items {
			if text := entry.get(said); text.is(textKind) {
				of[p.Mark+entry.textOf(id)] = text.text
			}
		}
		visit(root, func(_, text *node) {
			if said, ok := of[text.text]; ok {
				text.text = said
			}
		})
		return nil
	}
	return documents(p.Document, p.List).Rewrite(p.Document, p.To, change, restore)
}

// scaleMembers gives an object in the items of a list another name, and its members other names
// and numbers.
func scaleMembers(p struct {
	Document, To, List string
	Object, As         string
	Members            []struct {
		Name, As string
		Times    decimal.Decimal
	}
}) exact.Steps {
	change := func(root *node) {
		for _, item := range root.list(p.List) {
			item.rename(p.Object, p.As)
			for _, m := range p.Members {
				object := item.get(p.As)
				object.rename(m.Name, m.As)
				object.get(m.As).compute(func(d decimal.Decimal) decimal.Decimal { return d.Mul(m.Times) })
			}
		}
	}
	restore := func(root *node) {
		const places = 20 // a product is divided exactly
		for _, item := range root.list(p.List) {
			item.rename(p.As, p.Object)
			for _, m := range p.Members {
				object := item.get(p.Object)
				object.rename(m.As, m.Name)
				object.get(m.Name).compute(func(d decimal.Decimal) decimal.Decimal { return d.DivRound(m.Times, places) })
			}
		}
	}
	for _, m := range p.Members {
		if m.Times.IsZero() {
			return exact.Refuse(m.Name + ": times must not be 0")
		}
	}
	return documents(p.Document, p.List).Change(p.Document, p.To, change, restore)
}

// rename gives the members of a name another.
func (n *node) rename(from, to string) {
	if n == nil {
		return
	}
	for i := range n.members {
		if n.members[i].name == from {
			n.members[i].name = to
		}
	}
}

// compute changes a number, unless it is none or too long to be a measure.
func (n *node) compute(change func(decimal.Decimal) decimal.Decimal) {
	const longest = 15
	if !n.is(numberKind) || len(n.text) > longest || strings.ContainsAny(n.text, "eE") {
		return
	}
	if d, err := decimal.NewFromString(n.text); err == nil {
		n.text = jsontext.CanonicalNumber(change(d).String())
	}
}

// nameObjects replaces the objects that are members of a name, anywhere, by codes for them.
func nameObjects(p struct {
	Document, To, Member string
	First                string // code
	Objects              string // the file of the objects
}) exact.Steps {
	visit := func(root *node, do func(value *node)) {
		var found []*node
		root.each(func(object *node) {
			for _, m := range object.members {
				if m.name == p.Member {
					found = append(found, m.value)
				}
			}
		})
		for _, value := range found {
			do(value)
		}
	}
	change := func(root *node) (vfs.Files, error) {
		objects := objectOf()
		codes := exact.Codes{New: exact.Counting(p.First)}
		visit(root, func(value *node) {
			if value.kind != objectKind {
				return
			}
			sorted := value.clone()
			slices.SortStableFunc(sorted.members, func(a, b member) int { return strings.Compare(a.name, b.name) })
			code := codes.Of(sorted.compact())
			if objects.get(code) == nil {
				objects.set(code, value.clone())
			}
			*value = *textNode(code)
		})
		return vfs.Files{p.Objects: objects.printJSON()}, nil
	}
	restore := func(root *node, files vfs.Files) error {
		objects, err := readNamed(files, p.Objects)
		if err != nil {
			return err
		}
		visit(root, func(value *node) {
			if object := objects.get(value.text); value.kind == textKind && object != nil {
				*value = *object.clone()
			}
		})
		return nil
	}
	return documents(p.Document, "").Rewrite(p.Document, p.To, change, restore)
}

// sortTexts sorts the lists of texts and notes where each text stood. On the way back a list of
// another length than is noted stays as it is.
func sortTexts(p struct{ Document, To, Moves string }) exact.Steps {
	change := func(root *node) (vfs.Files, error) {
		moves := objectOf()
		root.lists("", func(at string, list *node) {
			if len(list.items) < 2 || slices.ContainsFunc(list.items, func(item *node) bool { return item.kind != textKind }) {
				return
			}
			was, moved := map[*node]int{}, listOf()
			for i, item := range list.items {
				was[item] = i
			}
			slices.SortStableFunc(list.items, func(a, b *node) int { return strings.Compare(a.text, b.text) })
			for _, item := range list.items {
				moved.items = append(moved.items, intNode(was[item]))
			}
			moves.members = append(moves.members, member{name: at, value: moved})
		})
		return vfs.Files{p.Moves: moves.printJSON()}, nil
	}
	restore := func(root *node, files vfs.Files) error {
		moves, err := readNamed(files, p.Moves)
		if err != nil {
			return err
		}
		root.lists("", func(at string, list *node) {
			places := moves.get(at)
			if places == nil || len(places.items) != len(list.items) {
				return
			}
			placed := make([]*node, len(list.items))
			for i, item := range list.items {
				place := places.items[i].number()
				if place < 0 || place >= len(placed) || placed[place] != nil {
					return
				}
				placed[place] = item
			}
			list.items = placed
		})
		return nil
	}
	return documents(p.Document, "").Rewrite(p.Document, p.To, change, restore)
}

// lists visits all lists in a value with their JSON pointers.
func (n *node) lists(at string, visit func(at string, list *node)) {
	if n.kind == listKind {
		visit(at, n)
	}
	for i, item := range n.items {
		item.lists(at+"/"+strconv.Itoa(i), visit)
	}
	for _, m := range n.members {
		m.value.lists(at+"/"+strings.ReplaceAll(strings.ReplaceAll(m.name, "~", "~0"), "/", "~1"), visit)
	}
}

// tableApart moves the lists at a path in the items of a list to a table, if they hold only
// objects of a text and a number, which may be null.
func tableApart(p struct {
	Document, To, List string
	At                 []string
	Item, Entry        string // columns of the places, in the outer list and in the inner ones
	Text, Number       string // members
	Table              string
}) exact.Steps {
	columns := []string{p.Item, p.Entry, p.Text, p.Number}
	fits := func(entry *node) bool {
		text, number := entry.get(p.Text), entry.get(p.Number)
		return len(entry.members) == 2 && text.is(textKind) && !strings.Contains(text.text, "\r") &&
			(number.is(nullKind) || number.is(numberKind))
	}
	change := func(root *node) (vfs.Files, error) {
		rows := [][]string{columns}
		for i, item := range root.list(p.List) {
			list := item.at(p.At)
			if !list.is(listKind) || slices.ContainsFunc(list.items, func(entry *node) bool { return !fits(entry) }) {
				continue
			}
			for k, entry := range list.items {
				number := ""
				if value := entry.get(p.Number); value.is(numberKind) {
					number = value.text
				}
				rows = append(rows, []string{strconv.Itoa(i + 1), strconv.Itoa(k + 1), entry.textOf(p.Text), number})
			}
			list.items = nil
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	restore := func(root *node, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, columns...)
		slices.SortStableFunc(rows, func(a, b []string) int { return plain.ByNumber(a[1:], b[1:]) })
		items := root.list(p.List)
		for _, row := range rows {
			at := atoi(strings.TrimSpace(row[0])) - 1
			if at < 0 || at >= len(items) {
				continue
			}
			if list := items[at].at(p.At); list.is(listKind) {
				value := &node{}
				if _, ok := jsontext.ReadDecimal(strings.TrimSpace(row[3])); ok {
					value = &node{kind: numberKind, text: strings.TrimSpace(row[3])}
				}
				list.items = append(list.items, objectOf(
					member{name: p.Text, value: textNode(row[2])}, member{name: p.Number, value: value}))
			}
		}
		return err
	}
	return documents(p.Document, p.List).Rewrite(p.Document, p.To, change, restore)
}
