package mathlean

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/sets"
)

// inOneOrder puts the files of a document that was divided in the order in which the other side has what is in them:
// files have no order of their own. Elements of several files have positions fileStride apart.
func inOneOrder(reference, candidate []domains.Element) (ref, got []domains.Element) {
	ref, got = reference, candidate
	refFiles, gotFiles := divided(ref), divided(got)
	if len(refFiles) > 1 {
		if len(gotFiles) == 1 {
			ref = ordered(refFiles, placesIn(got))
		} else {
			ref = ordered(refFiles, nil)
		}
	}
	if len(gotFiles) > 1 {
		got = ordered(gotFiles, placesIn(ref))
	}
	return ref, got
}

// divided are the elements by files.
func divided(elements []domains.Element) [][]domains.Element {
	var files [][]domains.Element
	start, file := 0, 0
	for i := range elements {
		if e := &elements[i]; e.Position > 0 && e.Position/fileStride != file {
			if i > start {
				files = append(files, elements[start:i])
			}
			start, file = i, e.Position/fileStride
		}
	}
	return append(files, elements[start:])
}

type known struct{ kind, key string }

// placesIn says where each element first stands.
func placesIn(elements []domains.Element) map[known]int {
	places := map[known]int{}
	for i := range elements {
		e := known{elements[i].Kind, elements[i].Key}
		if _, seen := places[e]; !seen && elements[i].Kind != importElement {
			places[e] = i
		}
	}
	return places
}

// ordered joins files by the first place at which the other side has something
// of them, and renumbers the elements. Files that share nothing come last.
func ordered(files [][]domains.Element, places map[known]int) []domains.Element {
	type ranked struct {
		elements []domains.Element
		first    int
	}
	all := make([]ranked, len(files))
	total := 0
	for n, elements := range files {
		all[n] = ranked{elements, firstPlace(elements, places)}
		total += len(elements)
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.first, b.first) })
	joined := make([]domains.Element, 0, total)
	numbers := map[string]int{} // by kind
	for _, file := range all {
		for _, e := range file.elements {
			if e.Position > 0 {
				numbers[e.Kind]++
				e.Position = numbers[e.Kind]
			}
			joined = append(joined, e)
		}
	}
	return joined
}

// firstPlace is the first place of a file's declarations or, if it has none that are known, of anything in it.
func firstPlace(elements []domains.Element, places map[known]int) int {
	declaration, first := len(places), len(places)
	for i := range elements {
		e := &elements[i]
		if at, ok := places[known{e.Kind, e.Key}]; ok {
			first = min(first, at)
			if isDeclaration(e) {
				declaration = min(declaration, at)
			}
		}
	}
	if declaration < len(places) {
		return declaration
	}
	return first
}

// renamedAsIn gives the parts of a declaration the variables of the reference's
// where they are the same but for the names of bound variables.
func renamedAsIn(ref, got *domains.Element) {
	refParts, gotParts := unnamed(ref.Fields), unnamed(got.Fields)
	var fields []domains.Field
	for _, name := range []string{"binder", "statement", "body"} {
		refs, gots := placesOf(ref.Fields, name), placesOf(got.Fields, name)
		if len(refs) != len(gots) {
			continue
		}
		for k := range refs {
			same := refParts[refs[k]] == gotParts[gots[k]]
			if !same && ref.Fields[refs[k]] == got.Fields[gots[k]] {
				return // its names stand for something else now
			}
			if same && ref.Fields[refs[k]] != got.Fields[gots[k]] {
				if fields == nil {
					fields = slices.Clone(got.Fields)
				}
				fields[gots[k]] = ref.Fields[refs[k]]
			}
		}
	}
	if fields == nil {
		return
	}
	if at := placesOf(fields, order); len(at) == 1 {
		fields[at[0]] = withOrder(slices.Delete(slices.Clone(fields), at[0], at[0]+1))[len(fields)-1]
	}
	got.Fields = fields
}

func placesOf(fields []domains.Field, name string) []int {
	var places []int
	for i := range fields {
		if fields[i].Name == name {
			places = append(places, i)
		}
	}
	return places
}

// unnamed are the values of fields with numbers in the place of bound variables: those of the binders in all that
// follows, those of quantifiers up to the end of their brackets or field.
func unnamed(fields []domains.Field) []string {
	values := make([]string, len(fields))
	u := unnamer{}
	for i, f := range fields {
		switch f.Name {
		case "binder":
			values[i] = u.binder(f.Value)
		case "statement", "body":
			values[i] = u.term(f.Value)
		default:
			values[i] = f.Value
		}
	}
	return values
}

type unnamer struct {
	file
	bound  []binding
	global int // of bound, those of binders
	depth  int // of brackets
	out    strings.Builder
}

// binding is a variable that is bound within brackets of that depth.
type binding struct {
	name  string
	depth int
}

// mostBound is how many variables are told apart at a time.
const mostBound = 128

func (u *unnamer) bind(name string) {
	if len(u.bound) < mostBound {
		u.bound = append(u.bound, binding{name, u.depth})
	}
}

func (u *unnamer) binder(value string) string {
	u.start(value)
	colon := slices.IndexFunc(u.tokens, func(t token) bool { return u.of(t) == ":" })
	names := u.tokens
	switch {
	case colon > 0:
		names = u.tokens[:colon]
		u.write(u.tokens[:1])
		u.out.WriteString(strings.Repeat("# ", colon-1))
		u.write(u.tokens[colon:])
	case u.at(0) == "[":
		u.write(u.tokens)
		return u.out.String()
	}
	u.depth = 0
	for _, t := range names {
		if t.kind == word {
			u.bind(u.of(t))
		}
	}
	u.global = len(u.bound)
	if colon <= 0 {
		u.write(u.tokens)
	}
	return u.out.String()
}

func (u *unnamer) term(value string) string {
	u.start(value)
	u.write(u.tokens)
	u.bound = u.bound[:u.global]
	return u.out.String()
}

func (u *unnamer) start(value string) {
	u.file = lex(value)
	u.depth = 0
	u.out.Reset()
}

// write writes tokens with the variables in them as numbers.
func (u *unnamer) write(tokens []token) {
	for n, t := range tokens {
		text := u.of(t)
		switch {
		case t.kind == word:
			text = u.number(text)
		default:
			u.depth += u.turn(t)
			for len(u.bound) > u.global && u.bound[len(u.bound)-1].depth > u.depth {
				u.bound = u.bound[:len(u.bound)-1]
			}
		}
		u.out.WriteString(text + " ")
		if quantifiers[text] {
			u.variables(tokens[n+1:])
		}
	}
}

var quantifiers = sets.Words("∃ ∀ fun ∑ ∏ ⋃ ⋂ ⨆ ⨅")

// variables binds the variables after a quantifier.
func (u *unnamer) variables(tokens []token) {
	typed := 0 // brackets that are open
	names := true
	for _, t := range tokens {
		switch text := u.of(t); {
		case bracket(text) > 0 && text != "⟨":
			typed++
			names = true
		case bracket(text) < 0:
			typed--
		case t.kind == word && names:
			u.bind(text)
		case text == ":" && typed > 0:
			names = false
		case text == "!" || text == "⟨" || text == ",":
			if text == "," && typed == 0 {
				return
			}
		case typed == 0:
			return
		}
		if typed < 0 {
			return
		}
	}
}

// number is the place among the bound variables of the one that a name begins with, in place of it.
func (u *unnamer) number(name string) string {
	head, rest, dotted := strings.Cut(name, ".")
	for n := len(u.bound) - 1; n >= 0; n-- {
		if u.bound[n].name == head {
			text := "#" + strconv.Itoa(n)
			if dotted {
				text += "." + rest
			}
			return text
		}
	}
	return name
}
