package catalog_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/domains/domaintest"
	"agentd/environments"
	"agentd/internal/charset"
	"agentd/internal/fidelity"
	"agentd/vfs"
)

// planting counts damages by domain and kind. A domain without a name stands for all of them, and so does a kind.
type planting struct {
	sync.Mutex
	cells map[[2]string]*tallyOf
}

// planted counts damages: those that Strict names, those of the rest that lose the form, and those that are free by the format.
type tallyOf struct{ all, named, form, free int }

func (p *planting) add(domain, kind string, one tallyOf) {
	p.Lock()
	defer p.Unlock()
	keys := [][2]string{{domain, kind}, {"", kind}, {domain, ""}, {"", ""}}
	if kind == bytesRow || kind == resaveRow {
		keys = keys[:2]
	}
	for _, key := range keys {
		if p.cells[key] == nil {
			p.cells[key] = &tallyOf{}
		}
		c := p.cells[key]
		c.all, c.named, c.form, c.free = c.all+one.all, c.named+one.named, c.form+one.form, c.free+one.free
	}
}

// TestPlantedDamageIsNamed damages the content and the bytes of every built-in seed, and of every document that a derived edit of it leads to: a
// seed in each kind of damage, a document in a part of them, in turn. Of the damages to content at least 99.5 % are named by Strict or
// lose the form, all of those to bytes are told by package fidelity, and at least 99 % of the ways of saving that no format minds are no change.
// With -v it prints the counts.
func TestPlantedDamageIsNamed(t *testing.T) {
	t.Parallel()
	folders, err := os.ReadDir(builtins)
	if err != nil {
		t.Fatal(err)
	}
	count := planting{cells: map[[2]string]*tallyOf{}}
	t.Run("in", func(t *testing.T) {
		for _, folder := range folders {
			t.Run(folder.Name(), func(t *testing.T) {
				t.Parallel()
				found, err := environments.Load(filepath.Join(builtins, folder.Name()))
				if err != nil {
					t.Fatal(err)
				}
				if !found[0].Seed.HasBinary() {
					plantIn(t, &count, &found[0])
				}
			})
		}
	})
	count.judge(t)
}

// inEach is how many kinds of damage each derived document gets. There are hundreds of documents, so each kind is in many of them.
const inEach = 2

func plantIn(t *testing.T, count *planting, env *environments.Environment) {
	d, ok := catalog.Lookup(env.Domain)
	if !ok {
		t.Fatalf("there is no domain %s", env.Domain)
	}
	d = env.Apply(d)
	damages := domaintest.Damages()
	damaged := func(n int, document vfs.Files, kinds []domaintest.Damage) {
		document = document.Match(d.Info().Patterns)
		if len(document) == 0 || d.CheckReference(document) != nil {
			return // what an edit made is of another format
		}
		reference := d.Against(document)
		plantBytes(t, count, reference, n, d.Info().Name, document, len(kinds))
		for _, kind := range kinds {
			seed := fnv.New64a()
			fmt.Fprint(seed, env.Name, n, kind.Name)
			after, done := kind.In(rand.New(rand.NewPCG(seed.Sum64(), 0)), d, document)
			if !done {
				continue
			}
			one := tallyOf{all: 1}
			switch {
			case reference.Review(after).Strict < 1:
				one.named = 1
			case len(reference.Broken(after)) > 0:
				one.form = 1
			case isFree(d.Info().Name, document, after):
				one.free = 1
			default:
				t.Logf("silent: document %d, %s: %s", n, kind.Name, whereDamaged(document, after))
			}
			count.add(d.Info().Name, kind.Name, one)
		}
	}
	damaged(0, env.Seed, damages)
	derived, err := environments.Derive(d, env.Seed, 8, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, edit := range derived {
		if made, ok := env.OracleFor(edit, d); ok {
			document, err := made.Forward(env.Seed)
			if err != nil {
				t.Fatal(err)
			}
			var kinds []domaintest.Damage
			for k := range inEach {
				kinds = append(kinds, damages[(i*inEach+k)%len(damages)])
			}
			damaged(i+1, document, kinds)
		}
	}
}

// The kinds under which damage to bytes is counted, and ways of saving. They are no part of the damage to content.
const (
	bytesRow  = "bytes are damaged"
	resaveRow = "a resave is silent"
)

// plantBytes damages the bytes of a document in so many kinds, which all have to be told, and saves it in ways that no format minds.
func plantBytes(t *testing.T, count *planting, reference domains.Reference, n int, domain string, document vfs.Files, most int) {
	if kept := fidelity.Of(document, document.Clone(), charset.Encoding{}, nil); kept != nil {
		t.Errorf("document %d, as it was: %s", n, kept.Words())
	}
	damages := domaintest.ByteDamages()
	for k := range most {
		damage := damages[(n*most+k)%len(damages)]
		after := vfs.Files{}
		for name, text := range document {
			after[name] = damage.Do(text)
		}
		if document.Equal(after) {
			continue
		}
		kept, one := fidelity.Of(document, after, charset.Encoding{}, nil), tallyOf{all: 1}
		if kept != nil && (damage.What == "" || slices.Contains(kept.Properties(), damage.What)) {
			one.named = 1
		} else {
			t.Errorf("document %d, %s: %q", n, damage.Name, kept.Words())
		}
		count.add(domain, bytesRow, one)
		if damage.Resave && !stopsScripts(document, damage) && !slices.ContainsFunc(after.Names(), func(name string) bool { return strings.Contains(after[name], "\r\r") }) {
			one.named = 0
			if review := reference.Review(after); review.Strict == 1 && len(reference.Broken(after)) == 0 {
				one.named = 1
			} else {
				t.Logf("not silent: document %d, %s: %.4f %v", n, damage.Name, review.Strict, review.Differences[:min(2, len(review.Differences))])
			}
			count.add(domain, resaveRow, one)
		}
	}
}

// stopsScripts reports whether a document has a script that no Unix system starts after the damage (docs/domains.md, bytes that mean
// something).
func stopsScripts(document vfs.Files, damage domaintest.ByteDamage) bool {
	return (damage.What == fidelity.LineEnds || damage.What == fidelity.Mark) &&
		slices.ContainsFunc(document.Names(), func(name string) bool { return strings.HasPrefix(document[name], "#!") })
}

// judge prints what was planted and named.
func (p *planting) judge(t *testing.T) {
	var names []string
	for key := range p.cells {
		if key[0] != "" && key[1] == "" {
			names = append(names, key[0])
		}
	}
	slices.Sort(names)
	t.Logf("%-30s %8s %8s %8s %8s %8s", "", "planted", "Strict", "form", "free", "silent")
	line := func(name string, c tallyOf) {
		t.Logf("%-30s %8d %8d %8d %8d %8d", name, c.all, c.named, c.form, c.free, c.all-c.named-c.form-c.free)
	}
	for _, kind := range domaintest.Damages() {
		line(kind.Name, *p.cells[[2]string{"", kind.Name}])
	}
	for _, name := range names {
		line(name, *p.cells[[2]string{name, ""}])
	}
	all := *p.cells[[2]string{"", ""}]
	line("all", all)
	resaves := *p.cells[[2]string{"", resaveRow}]
	line(bytesRow, *p.cells[[2]string{"", bytesRow}])
	line(resaveRow, resaves)
	if float64(resaves.named) < 0.99*float64(resaves.all) {
		t.Errorf("%d of %d harmless resaves are silent", resaves.named, resaves.all)
	}
	if silent := all.all - all.named - all.form - all.free; float64(silent) > 0.005*float64(all.all-all.free) {
		t.Errorf("%d of %d damages are silent", silent, all.all-all.free)
	}
}

// freedom is damage that a format calls free, as docs/domains.md says: texts that are the same by one of the rules.
type freedom struct {
	domains []string
	why     string
	same    func(before, after string) bool
}

// freedoms are few and narrow: every other planted damage must be named.
func freedoms() []freedom {
	return []freedom{
		{[]string{"accounting", "audiosyn", "aviation", "calendar", "emails", "satellite", "subtitles", "transit", "weather"},
			"what has a date, a time, a number or a place of its own may be written in any order", lineOrder},
		{[]string{"circuit", "crystal", "dbschema", "dns", "filesystem", "genealogy", "graphviz", "hamradio", "infra", "json", "makefile", "molecule",
			"obj3d", "playlist", "robotics", "starcatalog", "translation", "treebank", "weaving"},
			"names, and not places, tell fields, records, nodes, members, settings and files apart", lineOrder},
		{[]string{"latex", "malware", "python", "quantum", "recipe", "screenplay", "geotrack", "vector"},
			"entries of a bibliography, rules, functions, ingredients, the cast and parts of an element have no order", lineOrder},
		{[]string{"aviation", "chess", "crystal", "fonteng", "graphviz", "latex", "malware", "markdown", "musicsheet", "screenplay", "slides", "weather"},
			"a line that ends means what a blank means", func(before, after string) bool { return slices.Equal(strings.Fields(before), strings.Fields(after)) }},
		{[]string{"accounting", "aviation", "calendar", "circuit", "dbschema", "dns", "docker", "foodmenu", "genealogy", "hamradio", "jobboard",
			"musicsheet", "playlist", "recipe", "robotics", "vector"},
			"keywords, labels, names of servers and of properties, and texts that people write in either case", strings.EqualFold},
		{catalog.Names(), "numbers are compared by value", sameNumbers},
		{[]string{"makefile"}, "comments mean nothing", without(`#.*`)},
		{[]string{"makefile"}, "a rule that is said twice is said once", sameLines},
		{[]string{"weaving"}, "an entry that is said twice is said once", sameLines},
		{[]string{"malware"}, "comments mean nothing, and a hyphen within a byte leaves no doubt", without(`//.*|(?s:/\*.*?\*/)|-`)},
		{[]string{"graphviz"}, "comments mean nothing", without(`//.*|(?s:/\*.*?\*/)|(?m:^#.*)`)},
		{[]string{"chess"}, "a move is known by its place, whatever its number", without(`\d+\.+`)},
		{[]string{"musicsheet"}, "the version of LilyPond that a file was written for says nothing of the music", without(`\\version +".*"`)},
		{[]string{"vector"}, "the names of an editor's own vocabularies are not drawn", without(`xmlns:\w+="[^"]*"`)},
		{[]string{"weather"}, "stations of a header have no order; titles and the bulletin's end say nothing", without(`(?m)^STATIONS:.*|^END OF BULLETIN|^[A-Z]+ [A-Z ]+\\([A-Z]+\\)$`)},
		{[]string{"hamradio"}, "when and by which program a log was written says nothing of its contacts", without(`(?i)<CREATED_TIMESTAMP:\d+>[\d ]*`)},
		{[]string{"dns"}, "a record has the class of the one above it", without(`\bIN\b\s+`)},
		{[]string{"jobboard"}, "an id is known with one bracket", without(`[\[\]]`)},
		{[]string{"geodata"}, "a member without a value says nothing", without(`"[^"]*": null,?`)},
	}
}

func isFree(domain string, before, after vfs.Files) bool {
	for name := range before {
		if before[name] != after[name] && !slices.ContainsFunc(freedoms(), func(f freedom) bool {
			return slices.Contains(f.domains, domain) && f.same(before[name], after[name])
		}) {
			return false
		}
	}
	return true
}

// lineOrder reports whether texts have the same lines in any order.
func lineOrder(before, after string) bool {
	return slices.Equal(slices.Sorted(strings.Lines(before)), slices.Sorted(strings.Lines(after)))
}

// sameLines reports whether texts have the same lines, however often.
func sameLines(before, after string) bool {
	return slices.Equal(slices.Compact(slices.Sorted(strings.Lines(before))), slices.Compact(slices.Sorted(strings.Lines(after))))
}

// without returns whether texts are the same if what a pattern fits is left out.
func without(pattern string) func(before, after string) bool {
	apart := regexp.MustCompile(pattern)
	return func(before, after string) bool {
		return slices.Equal(strings.Fields(apart.ReplaceAllString(before, " ")), strings.Fields(apart.ReplaceAllString(after, " ")))
	}
}

// sameNumbers reports whether texts are the same but for the notation of numbers.
func sameNumbers(before, after string) bool {
	number := regexp.MustCompile(`-?\d*\.?\d+`)
	value := func(digits string) string {
		v, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			return digits
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return number.ReplaceAllStringFunc(before, value) == number.ReplaceAllStringFunc(after, value)
}

// whereDamaged shows a damage with what is around it.
func whereDamaged(before, after vfs.Files) string {
	for _, name := range before.Names() {
		a, b := before[name], after[name]
		if a == b {
			continue
		}
		from, to := 0, 0
		for from < min(len(a), len(b)) && a[from] == b[from] {
			from++
		}
		for to < min(len(a), len(b))-from && a[len(a)-1-to] == b[len(b)-1-to] {
			to++
		}
		const around, most = 40, 300
		begin, end := max(0, from-around), max(0, to-around)
		a, b = a[begin:len(a)-end], b[begin:len(b)-end]
		return fmt.Sprintf("%s: %q -> %q", name, a[:min(len(a), most)], b[:min(len(b), most)])
	}
	return ""
}
