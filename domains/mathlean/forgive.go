package mathlean

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
)

// forgiven returns what Strict compares: the elements of both sides without the
// differences that mean nothing once both are known.
func forgiven(reference, candidate []domains.Element) (ref, got []domains.Element) {
	if slices.EqualFunc(reference, candidate, sameElement) {
		return reference, candidate
	}
	ref, got = inOneOrder(reference, candidate)
	f := forgiver{slices.Clone(ref), slices.Clone(got)}
	f.places()
	// A comment before a declaration that lost one may be that one, changed.
	f.ref, f.got = element.Harmless{Place: func(e *domains.Element) string { return e.Value(above) }}.Forgive(f.ref, f.got)
	f.pairs()
	return f.ref, f.got
}

func sameElement(a, b domains.Element) bool {
	return a.Kind == b.Kind && a.Key == b.Key && a.Position == b.Position && slices.Equal(a.Fields, b.Fields)
}

// forgiver works on copies: what it is given belongs to others.
type forgiver struct{ ref, got []domains.Element }

// places has everything stand above the next declaration that both sides have,
// so that a declaration that was lost or added is no other change.
func (f *forgiver) places() {
	common := map[string]int{} // how often the reference has it; 0 where the candidate differs
	for i := range f.ref {
		if e := &f.ref[i]; isDeclaration(e) {
			common[identity(e)]++
		}
	}
	found := map[string]int{}
	for j := range f.got {
		if e := &f.got[j]; isDeclaration(e) {
			found[identity(e)]++
		}
	}
	for name, n := range common {
		if found[name] != n {
			common[name] = 0
		}
	}
	isCommon := func(name string) bool { return common[name] > 0 }
	setAbove(f.ref, isCommon)
	setAbove(f.got, isCommon)
}

// setField sets a field in a copy of an element's fields, an empty value taking it away.
func setField(e *domains.Element, name, value string) {
	fields := make([]domains.Field, 0, len(e.Fields)+1)
	for _, f := range e.Fields {
		if f.Name != name {
			fields = append(fields, f)
		}
	}
	if value != "" {
		fields = append(fields, domains.Field{Name: name, Value: value})
	}
	e.Fields = fields
}

// pairs forgives what means nothing between elements of one key.
func (f *forgiver) pairs() {
	queues := map[string][]int{}
	for j := range f.got {
		if e := &f.got[j]; e.Kind != commentElement && e.Kind != lineElement {
			queues[e.Key] = append(queues[e.Key], j)
		}
	}
	for i := range f.ref {
		e := &f.ref[i]
		queue := queues[e.Key]
		if len(queue) == 0 || e.Kind == commentElement || e.Kind == lineElement {
			continue
		}
		queues[e.Key] = queue[1:]
		if g := &f.got[queue[0]]; e.Kind != g.Kind || !slices.Equal(e.Fields, g.Fields) {
			f.pair(e, g)
		}
	}
}

func (f *forgiver) pair(ref, got *domains.Element) {
	if isDeclaration(ref) && isDeclaration(got) {
		f.sameKind(ref, got)
		renamedAsIn(ref, got)
	}
	// Their order counts where the parts are the same; another part changes it.
	if ref.Kind == got.Kind && !sameOrdered(ref, got) {
		setField(ref, order, "")
		setField(got, order, "")
	}
}

// sameKind has a declaration be of the kind it is in the reference: a modifier
// that was lost or added does not make it another.
func (f *forgiver) sameKind(ref, got *domains.Element) {
	if ref.Kind == got.Kind {
		return
	}
	if ref.Kind == counted {
		setField(got, above, "")
	} else {
		setField(got, above, ref.Value(above))
	}
	got.Kind = ref.Kind
}

// sameOrdered reports whether two elements have the same parts that stand in an order.
func sameOrdered(ref, got *domains.Element) bool {
	of := func(e *domains.Element) []string {
		var values []string
		for _, f := range e.Fields {
			if isOrdered[f.Name] {
				values = append(values, f.Name+" "+f.Value)
			}
		}
		slices.Sort(values)
		return values
	}
	return slices.Equal(of(ref), of(got))
}

// itemizer divides the body of a declaration.
type itemizer struct {
	*file
	depth  int   // of brackets
	blocks []int // the columns of the blocks that are open
	item   []token
	level  int // of the item in hand
	found  []string
}

// mostBlocks is how deep blocks are told apart.
const mostBlocks = 32

// items divides the body of a declaration where a line begins a new one: a step of a proof, a field, an alternative.
// Lines that only go on with the one above belong to it, so that a block of one line, and one after `by` on the same
// line, are the same. Signs say how deep the block is in which an item stands.
func (f *file) items(first, last int) []string {
	i := itemizer{file: f}
	for n := first; n < last; n++ {
		t := f.tokens[n]
		if t.kind == comment {
			continue
		}
		if t.begins && i.depth == 0 {
			i.line(n, first)
		}
		i.add(n, first)
	}
	i.finish()
	return i.found
}

// itemStarts begin an item at any column.
var itemStarts = sets.Words("| _ deriving termination_by decreasing_by")

// line goes to the block in which a line stands and begins an item there if it is no continuation.
func (i *itemizer) line(n, first int) {
	t := i.tokens[n]
	column := i.column(t)
	for len(i.blocks) > 0 && i.blocks[len(i.blocks)-1] > column {
		i.blocks = i.blocks[:len(i.blocks)-1]
	}
	inBlock := len(i.blocks) > 0 && i.blocks[len(i.blocks)-1] == column
	switch text := i.of(t); {
	case inBlock || itemStarts[text]:
		i.begin()
	case n > first && blockOpeners[i.before(n)] && len(i.blocks) < mostBlocks:
		i.blocks = append(i.blocks, column)
	case t.kind == docText:
		i.begin()
	}
}

// before is the text of the token before n that is no comment.
func (i *itemizer) before(n int) string {
	for n--; n > 0 && i.tokens[n].kind == comment; n-- {
	}
	return i.at(n)
}

func (i *itemizer) begin() {
	i.finish()
	i.level = len(i.blocks)
}

// add puts a token to the item in hand. What leads into the body, such as `:= by`, is an item of its own.
func (i *itemizer) add(n, first int) {
	t := i.tokens[n]
	text := i.of(t)
	leads := n == first && text != "|" || n == first+1 && text == "by"
	if n == first && text == ":=" {
		return
	}
	i.item = append(i.item, t)
	i.depth = max(0, i.depth+i.turn(t))
	if text == "·" && t.begins && n+1 < len(i.tokens) && len(i.blocks) < mostBlocks {
		i.blocks = append(i.blocks, i.column(i.tokens[n+1]))
	}
	if leads {
		i.finish()
		i.level = 1
	}
}

func (i *itemizer) finish() {
	if len(i.item) == 0 {
		return
	}
	text := i.printed(i.item)
	if i.level > 1 {
		text = strings.Repeat("> ", i.level-1) + text
	}
	i.found = append(i.found, text)
	i.item = i.item[:0]
}

// symbols are the ways to write a symbol in ASCII, and ↦ and λ, which are written => and fun as well.
var symbols = map[string]string{
	"->": "→", "<-": "←", "<->": "↔", "!=": "≠", "<=": "≤", ">=": "≥", "/\\": "∧", "\\/": "∨", "↦": "=>", "λ": "fun",
	"forall": "∀", "Exists": "∃", "Not": "¬", "Nat": "ℕ", "Int": "ℤ", "Rat": "ℚ", "Real": "ℝ", "Complex": "ℂ",
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "sigma": "σ", "phi": "φ", "psi": "ψ",
}

// spelled is the text of a token in the one way it is compared.
func spelled(token string) string {
	if same, ok := symbols[token]; ok {
		return same
	}
	return token
}

var replaceSigns = strings.NewReplacer(
	"<->", "↔", "->", "→", "<-", "←", "!=", "≠", "<=", "≤", ">=", "≥", "/\\", "∧", "\\/", "∨", "↦", "=>", "λ", "fun")

// prose is the text of a comment with its white space folded and its symbols spelled as in code.
func prose(text string) string {
	words := pytext.Fields(text)
	for i, w := range words {
		words[i] = spelledIn(w)
	}
	return strings.Join(words, " ")
}

// spelledIn spells the symbols and names in a word, regardless of what stands around them.
func spelledIn(w string) string {
	if strings.ContainsAny(w, `-<>!\/↦λ`) {
		w = replaceSigns.Replace(w)
	}
	bare := strings.Trim(w, "`'\"*_()[]{},.;:!?")
	if same := spelled(bare); same != bare {
		w = strings.Replace(w, bare, same, 1)
	}
	return w
}

// inside is the text of a comment without its marks.
func inside(text string) string {
	if rest, ok := strings.CutPrefix(text, "--"); ok {
		return rest
	}
	text = strings.TrimPrefix(text, "/-")
	text = strings.TrimSuffix(text, "-/")
	if text != "" && (text[0] == '-' || text[0] == '!') {
		text = text[1:]
	}
	return text
}

// printed joins tokens as they are compared, with blanks where people put them.
func (f *file) printed(tokens []token) string {
	var b strings.Builder
	tight := true
	for _, t := range tokens {
		text := f.of(t)
		switch {
		case t.kind == docText || t.kind == comment:
			text = "/-- " + prose(inside(text)) + " -/"
		case t.kind != quoted:
			text = spelled(text)
		}
		if !tight && bracket(text) >= 0 && text != "," && text != ";" {
			b.WriteByte(' ')
		}
		b.WriteString(text)
		tight = bracket(text) > 0
	}
	return b.String()
}
