package edit

import (
	"cmp"
	"fmt"
	"iter"
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/vfs"
)

// Proposal is an edit that is possible on a document, and not trivial.
type Proposal struct {
	Verb
	Operations []string // of the paper's eleven
	Forward    string   // instruction
	Backward   string
	Targets    []string // names or patterns of all files after the forward step
	// Renamed is the same edit, saved under another name, so that the document left as it is does not
	// count as its result; nil if the edit leaves no file with the document's name.
	Renamed *Proposal
}

// Bounds on what is worth an edit.
const (
	leastParts    = 4  // of a document, and places of a value that hardly repeats
	mostFiles     = 12 // that a split makes
	leastRepeats  = 6  // places of an attribute that gets codes
	leastNumbers  = 3  // numbers to compute with
	leastLength   = 3  // mean length of a value that gets a code, in bytes
	filesOfAChunk = 4  // about how many files splitting every so many parts makes
)

// Propose returns what can be done with a document, in an order that depends on the seed:
// different verbs first, then the same ones with other parameters; those of the file with the most
// parts first, then of other files and of smaller parts. ErrNoParts says that the document has too few parts.
func (f *Format) Propose(files vfs.Files, seed uint64) ([]Proposal, error) {
	all, err := f.Proposals(files, seed)
	if err != nil {
		return nil, err
	}
	return slices.Collect(all), nil
}

// Proposals are those of Propose, found when they are asked for: those of other files, of smaller parts and of lines
// cost nothing if the ones before them are enough. They can be ranged over once.
func (f *Format) Proposals(files vfs.Files, seed uint64) (iter.Seq[Proposal], error) {
	proposers, err := f.proposers(files)
	random := rand.New(rand.NewPCG(seed, 0))
	if len(proposers) == 0 { // of a text without parts its lines
		if spare := f.spare(files, random, ""); len(spare) > 0 {
			return slices.Values(spare), nil
		}
		return nil, err
	}
	return func(yield func(Proposal) bool) {
		for _, p := range proposers {
			for _, proposal := range mixed(random, [][]Proposal{
				slices.Concat(p.splits(), p.cases(), p.chunks()), slices.Concat(p.sorts(), p.orders(), p.reverses()), p.registers(),
				slices.Concat(p.asides(), p.takings()), slices.Concat(p.sums(), p.rewrites()), slices.Concat(p.forms(), p.trees()), p.notes(),
			}) {
				if !yield(proposal) {
					return
				}
			}
		}
		for _, proposal := range f.spare(files, random, proposers[0].parts) {
			if !yield(proposal) {
				return
			}
		}
	}, nil
}

// spare are proposals for the lines of any text, then for the text as a whole, for documents that offer few others.
func (f *Format) spare(files vfs.Files, random *rand.Rand, parts string) []Proposal {
	var all []Proposal
	for _, general := range []*Format{f.lines(), f.whole()} {
		found, _ := general.byFile(files, 1)
		if len(found) == 0 || parts == general.Parts {
			continue
		}
		p := found[0]
		p.parts = general.Parts
		kinds := [][]Proposal{p.registers(), p.asides(), slices.Concat(p.sums(), p.rewrites())}
		if general.Parts == textLines {
			kinds = append(kinds, slices.Concat(p.trees(), p.forms()))
			if len(p.document.Parts) > 1 {
				kinds = append(kinds, p.chunks(), p.reverses())
			}
		}
		all = append(all, mixed(random, kinds)...)
	}
	return all
}

// reverses proposes the last part first.
func (p *proposer) reverses() []Proposal {
	return []Proposal{p.propose(Verb{Reverse: true}, wordsOfReverse, []string{p.name})}
}

// mixed takes different kinds first, then the same ones with other parameters, in an order by chance.
func mixed(random *rand.Rand, kinds [][]Proposal) []Proposal {
	for _, kind := range kinds {
		random.Shuffle(len(kind), func(i, j int) { kind[i], kind[j] = kind[j], kind[i] })
	}
	random.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	var all []Proposal
	for len(kinds) > 0 {
		for i, kind := range kinds {
			if len(kind) > 0 {
				all = append(all, kind[0])
				kinds[i] = kind[1:]
			}
		}
		kinds = slices.DeleteFunc(kinds, func(kind []Proposal) bool { return len(kind) == 0 })
	}
	return all
}

// proposer knows a document for which edits are proposed.
type proposer struct {
	*Format
	document
	files vfs.Files
	parts string // the Parts of the format where it is not the usual one; empty if it is
	found map[*Attribute][][]string
}

// values are those of an attribute in each part, found once.
func (p *proposer) values(a *Attribute) [][]string {
	all, known := p.found[a]
	if !known {
		all = lists.Map(p.document.Parts, a.values)
		p.found[a] = all
		if a.firsts != nil {
			for i, part := range p.document.Parts {
				a.firsts[part] = first(all[i])
			}
		}
	}
	return all
}

// first is the first of values; empty if there are none.
func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// proposers are those of the files with enough parts, the most first, and then of their smaller parts.
func (f *Format) proposers(files vfs.Files) ([]proposer, error) {
	var all []proposer
	var last error
	for smaller := f; smaller != nil; smaller = smaller.finer() {
		of, err := smaller.byFile(files, leastParts)
		for _, p := range of {
			if smaller != f {
				p.parts = cmp.Or(p.parts, smaller.Parts)
			}
			all = append(all, p)
		}
		last = err
	}
	return all, last
}

// byFile are the proposers of each file with so many parts, the most first.
func (f *Format) byFile(files vfs.Files, least int) ([]proposer, error) {
	var all []proposer
	err := fmt.Errorf("%w: no %s in a file named %s", ErrNoParts, f.Part, strings.Join(f.Patterns, " or "))
	for _, name := range files.Match(f.Patterns).Names() {
		d, failed := f.read(files, name)
		if failed != nil {
			continue
		}
		if len(d.Parts) < least {
			err = fmt.Errorf("%w: %s has %d %s, and %d are needed", ErrNoParts, name, len(d.Parts), f.Parts, least)
			continue
		}
		adapted, other := f.of(name, files[name]), ""
		if adapted.Parts != f.Parts {
			other = adapted.Parts
		}
		all = append(all, proposer{adapted, d, files, other, map[*Attribute][][]string{}})
	}
	slices.SortStableFunc(all, func(x, y proposer) int { return len(y.document.Parts) - len(x.document.Parts) })
	return all, err
}

// propose makes a proposal. more replaces what only this verb's instructions speak of.
func (p *proposer) propose(v Verb, w wording, targets []string, more ...string) Proposal {
	v.Document, v.Parts = p.name, p.parts
	proposal := p.write(v, w, targets, more)
	if d, ok := v.deed(); ok && !d.splits {
		v.To = p.elsewhere(d.leaves)
		w.forward += " Save it as {to}."
		w.backward = strings.ReplaceAll(w.backward, "{file}", "{to}") + " Save it as {file}."
		targets = slices.Clone(targets)
		targets[slices.Index(targets, p.name)] = v.To
		renamed := p.write(v, w, targets, more)
		proposal.Renamed = &renamed
	}
	return proposal
}

// elsewhere is a free name in the document's folder that says what was done.
func (p *proposer) elsewhere(stem string) string {
	dir, base := path.Split(p.name)
	if p.extension() == "" {
		return p.free(dir+base+"."+stem, "")
	}
	return p.free(dir+stem, p.extension())
}

// write writes the instructions of a proposal.
func (p *proposer) write(v Verb, w wording, targets, more []string) Proposal {
	replace := strings.NewReplacer(append([]string{
		"{document}", p.Format.Document, "{file}", "`" + p.name + "`", "{part}", p.Part, "{parts}", p.Parts, "{a part}", WithArticle(p.Part),
		"{table}", "`" + v.Table + "`", "{to}", "`" + v.To + "`", "{code}", v.Code, "{amount}", v.Amount,
	}, more...)...)
	for _, name := range p.rest.Names() {
		if !slices.ContainsFunc(targets, func(pattern string) bool { return vfs.Matches(pattern, name) }) {
			targets = append(targets, name)
		}
	}
	return Proposal{
		Verb: v, Operations: w.operations, Targets: targets,
		Forward: sentence(replace.Replace(w.forward)), Backward: sentence(replace.Replace(w.backward)),
	}
}

// attributed is propose with an attribute's names. Where a part has several, the first counts.
func (p *proposer) attributed(v Verb, a *Attribute, w wording, targets []string, more ...string) Proposal {
	name := a.Name
	if slices.ContainsFunc(p.values(a), func(part []string) bool { return len(part) > 1 }) {
		name = "first " + a.Name
	}
	return p.propose(v, w, targets, append([]string{"{attribute}", a.Name, "{an attribute}", WithArticle(a.Name), "{first}", name, "{attributes}", a.Plural}, more...)...)
}

// free is a name that no file has.
func (p *proposer) free(stem, extension string) string {
	name := stem + extension
	for n := 2; ; n++ {
		if _, taken := p.files[name]; !taken {
			return name
		}
		name = fmt.Sprintf("%s_%d%s", stem, n, extension)
	}
}

// tally counts the values of an attribute, in order of first appearance.
func (p *proposer) tally(a *Attribute) (values []string, parts map[string]int, without int) {
	parts = make(map[string]int)
	for _, part := range p.values(a) {
		value := first(part)
		switch {
		case value == "":
			without++
			continue
		case parts[value] == 0:
			values = append(values, value)
		}
		parts[value]++
	}
	return values, parts, without
}

// splits proposes a file per value of each attribute that makes a few, or else a file for its most frequent value.
func (p *proposer) splits() []Proposal {
	var all []Proposal
	for i := range p.Attributes {
		a := &p.Attributes[i]
		values, counts, without := p.tally(a)
		v := Verb{SplitBy: a.Name, Table: p.free("order", ".csv")}
		targets := []string{path.Join(path.Dir(p.name), "*"+p.extension()), v.Table}
		files := len(values)
		rest := ""
		if without > 0 {
			files++
			rest = " " + sentence(p.Parts) + " without one go to `" + others + p.extension() + "`."
		}
		if files >= 2 && files <= mostFiles && p.named(values) {
			all = append(all, p.attributed(v, a, wordsOfSplit, targets, "{example}", "`"+slug(values[0])+p.extension()+"`", "{rest}", rest))
			continue
		}
		slices.SortStableFunc(values, func(x, y string) int { return counts[y] - counts[x] })
		if len(values) > 1 && counts[values[0]] > 1 && p.named(values[:1]) {
			v.Only = values[0]
			all = append(all, p.attributed(v, a, wordsOfExtract, targets, "{value}", v.Only,
				"{example}", "`"+slug(v.Only)+p.extension()+"`", "{other}", "`"+others+p.extension()+"`"))
		}
	}
	return all
}

// named reports whether values make names of files, each another, that no file has.
func (p *proposer) named(values []string) bool {
	seen := map[string]bool{"": true, others: true}
	for _, value := range values {
		name := slug(value)
		_, taken := p.files[path.Join(path.Dir(p.name), name+p.extension())]
		if seen[name] || taken {
			return false
		}
		seen[name] = true
	}
	return true
}

// sorts proposes each attribute that most parts have and that moves a third of them.
func (p *proposer) sorts() []Proposal {
	var all []Proposal
	for i := range p.Attributes {
		a := &p.Attributes[i]
		_, _, without := p.tally(a)
		moved := 0
		order, err := p.sorted(p.document.Parts, []string{a.Name})
		if err != nil {
			continue // its name is not one by which it could be named
		}
		for n, at := range order {
			if n != at {
				moved++
			}
		}
		if n := len(p.document.Parts); without*5 > n || moved*3 < n {
			continue
		}
		v := Verb{SortBy: Several[string]{a.Name}, Table: p.free("order", ".csv")}
		how := howSorted(a)
		if without > 0 {
			how += "; those without one come last"
		}
		all = append(all, p.attributed(v, a, wordsOfSort, []string{p.name, v.Table}, "{how}", how))
	}
	return all
}

// places are all values of an attribute in all parts.
func (p *proposer) places(a *Attribute) []string {
	if a.Compute != nil { // they stand nowhere
		return nil
	}
	return slices.Concat(p.values(a)...)
}

// least is how many places of an attribute are enough: so many, or two in the whole text, which is edited only
// where a document has few parts.
func (p *proposer) least(places int) int {
	if p.parts == wholeText {
		return 2
	}
	return places
}

// registers proposes each attribute whose values repeat.
func (p *proposer) registers() []Proposal {
	return p.coded(wordsOfRegister, "codes", func(places, values int) bool {
		return places >= p.least(leastRepeats) && values > 1 && (values*5 <= places*3 || p.parts == wholeText && values < places)
	}, func(name, code, table string) Verb { return Verb{Register: name, Code: code, Table: table} })
}

// asides proposes each attribute whose values hardly repeat.
func (p *proposer) asides() []Proposal {
	return p.coded(wordsOfAside, "texts", func(places, values int) bool {
		return places >= p.least(leastParts) && values*5 > places*3
	}, func(name, code, table string) Verb { return Verb{Aside: name, Code: code, Table: table} })
}

// coded proposes verbs that put codes in place of an attribute's values.
func (p *proposer) coded(w wording, stem string, worth func(places, values int) bool, verb func(name, code, table string) Verb) []Proposal {
	var all []Proposal
	for i := range p.Attributes {
		a := &p.Attributes[i]
		places := p.places(a)
		values := slices.Compact(slices.Sorted(slices.Values(places)))
		if a.Fixed || !worth(len(places), len(values)) || p.parts != wholeText && len(strings.Join(values, "")) < leastLength*len(values) {
			continue
		}
		if code, ok := p.code(a); ok {
			v := verb(a.Name, code, p.free(stem, ".csv"))
			all = append(all, p.attributed(v, a, w, []string{p.name, v.Table}))
		}
	}
	return all
}

// code makes the letters of codes of an attribute's name, such that the document has none.
func (p *proposer) code(a *Attribute) (string, bool) {
	text := p.Text()
	letters := strings.ToUpper(strings.ReplaceAll(slug(a.Name), "_", ""))
	for _, code := range []string{letters[:min(len(letters), 3)], letters[:min(len(letters), 2)] + "X", "QX", "ZQX"} {
		if codePrefix.MatchString(code) && !(strings.Contains(text, code) && codes(code).MatchString(text)) {
			return code, true
		}
	}
	return "", false
}
