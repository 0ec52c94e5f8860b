package catalog_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/table"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/domains/domaintest/equivalences"
	"agentd/domains/edit"
	"agentd/environments"
	"agentd/vfs"
)

// A text of headings and bullets is a deck if something in it is of decks alone, however it is
// called; front matter with a title is not.
func TestNotesInMarkdownAreNoDecks(t *testing.T) {
	t.Parallel()
	const recipes = "## Barley soup\n\n- 150 g pearl barley\n- 2 carrots\n\n## Pancakes\n\n- 3 eggs\n- salt\n"
	for name, c := range map[string]struct{ text, want string }{
		"a notebook of recipes":        {recipes, "markdown"},
		"with front matter":            {"---\ntitle: From the hut\nauthor: Ida\ntags: [hut]\n---\n\n" + recipes, "markdown"},
		"with a heading and prose":     {"---\ntitle: From the hut\n---\n\n# From the hut\n\nWhat we cooked.\n\n" + recipes, "markdown"},
		"with a picture":               {recipes + "\n![soup](soup.jpg)\n", "markdown"},
		"a deck with layout marks":     {"## Barley soup [@(1,0)]\n\n- 150 g pearl barley\n", "slides"},
		"a deck with notes":            {recipes + "\n::: {.notes}\nPause here.\n:::\n", "slides"},
		"a deck with a picture's name": {recipes + "\n[IMAGE: soup.jpg @(1,2)]\n", "slides"},
		"a deck that counts slides":    {"---\ntitle: Soups\ntotal_slides: 2\n---\n\n" + recipes, "slides"},
		"a deck of Marp":               {"---\nmarp: true\n---\n\n" + recipes, "slides"},
		"a deck for reveal.js":         {"---\nformat: revealjs\n---\n\n" + recipes, "slides"},
	} {
		files := vfs.Files{"notes.md": c.text}
		if found := catalog.Recognise(files); len(found) == 0 || found[0].Domain.Info().Name != c.want {
			t.Errorf("%s: %v, want %s", name, found, c.want)
		}
	}
	if d, _, err := catalog.Of(vfs.Files{"notes.md": recipes}, "slides"); err != nil || d.Info().Name != "slides" {
		t.Errorf("headings and bullets, if slides are named: %v", err)
	}
}

// Bounds on what is planted: a few trials of each in go test, many with AGENTD_DETECTION set.
const (
	fewTrials, manyTrials = 4, 25
	mostDamages           = 20
	leastDetected         = 0.99
	mostFalse             = 0.01
)

// damage plants one damage in a document's parts; false if it found no place.
type damage struct {
	kind  domains.Change
	plant func(random *rand.Rand, parts []string, attributes []edit.Attribute) ([]string, bool)
}

// damages are the four kinds: a part left out, one with another number or word, one that was not there, and one
// in another place.
var damages = []damage{
	{domains.Lost, func(random *rand.Rand, parts []string, _ []edit.Attribute) ([]string, bool) {
		at := random.IntN(len(parts))
		return slices.Delete(slices.Clone(parts), at, at+1), len(parts) > 1
	}},
	{domains.Changed, func(random *rand.Rand, parts []string, attributes []edit.Attribute) ([]string, bool) {
		parts = slices.Clone(parts)
		for range 20 {
			at := random.IntN(len(parts))
			if altered, ok := altered(random, parts[at], attributes); ok {
				parts[at] = altered
				return parts, true
			}
		}
		return parts, false
	}},
	{domains.Added, func(random *rand.Rand, parts []string, attributes []edit.Attribute) ([]string, bool) {
		from := random.IntN(len(parts))
		made, ok := altered(random, parts[from], attributes)
		return slices.Insert(slices.Clone(parts), random.IntN(len(parts)+1), made), ok
	}},
	{domains.Moved, func(random *rand.Rand, parts []string, _ []edit.Attribute) ([]string, bool) {
		from, to := random.IntN(len(parts)), random.IntN(len(parts))
		part := parts[from]
		return slices.Insert(slices.Delete(slices.Clone(parts), from, from+1), to, part), from != to
	}},
}

// altered changes a character in a value that the part has, by the attributes of the vocabulary: a digit or a letter. Other
// characters can be of what a format computes, as the length in front of a field.
func altered(random *rand.Rand, part string, attributes []edit.Attribute) (string, bool) {
	var places []int
	for _, a := range attributes {
		if a.Find == nil {
			continue // its value stands nowhere in the text
		}
		for _, at := range a.Find.FindAllStringSubmatchIndex(part, -1) {
			from, to := at[0], at[1]
			if len(at) > 2 {
				from, to = at[2], at[3]
			}
			for i := max(from, 0); i < to; i++ {
				if c := part[i]; c >= '1' && c <= '9' || c >= 'a' && c <= 'y' {
					places = append(places, i)
				}
			}
		}
	}
	if len(places) == 0 {
		return part, false
	}
	at := places[random.IntN(len(places))]
	c := part[at] + 1
	if c > '9' && c < 'a' {
		c = '1'
	}
	return part[:at] + string(c) + part[at+1:], true
}

// detected are counts of documents.
type detected struct{ damaged, named, single, kind, resaved, accused int }

// TestDetection plants damages in the seed of every domain and resaves it harmlessly: at least 99 % of the damaged documents
// differ, at most 1 % of the resaved ones do. With AGENTD_DETECTION=1 it tries many times and prints the table of
// docs/performance.md.
func TestDetection(t *testing.T) {
	t.Parallel()
	trials := fewTrials
	if os.Getenv("AGENTD_DETECTION") != "" {
		trials = manyTrials
	}
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	shown := table.NewWriter()
	shown.AppendHeader(table.Row{"domain", "damaged", "named", "single damages", "of the right kind", "order counts", "resaved", "called damage"})
	var all detected
	for _, env := range envs {
		d, ok := catalog.Lookup(env.Domain)
		if !ok || d.Vocabulary() == nil {
			continue
		}
		d = env.Apply(d)
		ordered := orderCounts(d, env.Seed)
		found := planted(t, d, env.Seed, trials, ordered)
		resaved(t, d, env.Seed, trials, &found)
		shown.AppendRow(table.Row{env.Domain, found.damaged, found.named, found.single, found.kind, ordered, found.resaved, found.accused})
		all.damaged, all.named = all.damaged+found.damaged, all.named+found.named
		all.single, all.kind = all.single+found.single, all.kind+found.kind
		all.resaved, all.accused = all.resaved+found.resaved, all.accused+found.accused
	}
	shown.AppendFooter(table.Row{"all", all.damaged, all.named, all.single, all.kind, "", all.resaved, all.accused})
	t.Logf("\n%s", shown.RenderMarkdown())
	if float64(all.named) < leastDetected*float64(all.damaged) || all.damaged == 0 {
		t.Errorf("%d of %d damaged documents are named", all.named, all.damaged)
	}
	if float64(all.accused) > mostFalse*float64(all.resaved) || all.resaved == 0 {
		t.Errorf("%d of %d resaved documents are called damaged", all.accused, all.resaved)
	}
}

// orderCounts reports whether every place of a part means something: each of some moves of one part is a difference. Where
// only some are, as those of a rule that another one needs, moving a part is mostly harmless.
func orderCounts(d domains.Domain, seed vfs.Files) bool {
	name, pieces, _ := cutRichest(d, seed)
	whole, _ := units(pieces)
	if len(whole) < 2 {
		return false
	}
	reference := d.Against(seed)
	random := rand.New(rand.NewPCG(2, 2))
	const moves = 24
	for range moves {
		moved, ok := damages[len(damages)-1].plant(random, whole, nil)
		if ok && !slices.Equal(moved, whole) && reference.Review(with(seed, name, pieces, moved)).Strict == 1 {
			return false
		}
	}
	return true
}

// planted damages documents with 1 to 20 damages each and counts those of which something is named.
func planted(t *testing.T, d domains.Domain, seed vfs.Files, trials int, ordered bool) detected {
	t.Helper()
	var found detected
	name, pieces, attributes := cutRichest(d, seed)
	if len(pieces.Parts) == 0 {
		t.Errorf("%s: no parts", d.Info().Name)
		return found
	}
	whole, _ := units(pieces)
	reference := d.Against(seed)
	random := rand.New(rand.NewPCG(1, uint64(len(d.Info().Name))))
	for _, one := range damages {
		if one.kind == domains.Moved && !ordered {
			continue // places mean nothing
		}
		for n := range trials {
			count := 1 + n*(mostDamages-1)/max(trials-1, 1)
			if n%3 == 0 {
				count = 1
			}
			parts, hit := whole, false
			for range count {
				if len(parts) < 2 {
					break
				}
				next, ok := one.plant(random, parts, attributes)
				if ok {
					parts, hit = next, true
				}
			}
			candidate := with(seed, name, pieces, parts)
			if !hit || candidate.Equal(seed) || slices.Equal(whole, parts) {
				continue
			}
			found.damaged++
			review := reference.Review(candidate)
			if count == 1 {
				found.single++
				if slices.ContainsFunc(review.Differences, func(d domains.Difference) bool { return d.Kind == one.kind }) {
					found.kind++
				}
			}
			if review.Strict < 1 {
				found.named++
			} else {
				t.Logf("%s: %d times %s is not named: %s", d.Info().Name, count, one.kind, firstDifference(whole, parts))
			}
		}
	}
	return found
}

// firstDifference shows where two lists of parts part.
func firstDifference(a, b []string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("%.120q, now %.120q", a[i], b[i])
		}
	}
	return fmt.Sprintf("%d parts, now %d", len(a), len(b))
}

// resaved applies every harmless change of the domain's equivalences, and several one after the other.
func resaved(t *testing.T, d domains.Domain, seed vfs.Files, trials int, found *detected) {
	t.Helper()
	reference := d.Against(seed)
	for _, e := range equivalences.All()[d.Info().Name] {
		if !e.Same {
			continue
		}
		for _, candidate := range e.Candidates(seed, 1000, trials) {
			if candidate.Equal(seed) {
				continue
			}
			found.resaved++
			if review := reference.Review(candidate); review.Strict < 1 {
				found.accused++
				t.Logf("%s: %s is called damage: %v", d.Info().Name, e.Name, review.Differences)
			}
		}
	}
}

// cutRichest cuts the file that has the most parts, into smaller ones where there are few, and says what those have.
func cutRichest(d domains.Domain, files vfs.Files) (best string, most edit.Pieces, attributes []edit.Attribute) {
	const few = 4
	for format := d.Vocabulary(); format != nil && len(most.Parts) < few; format = format.Finer {
		for _, name := range files.Match(d.Info().Patterns).Names() {
			f := *format
			if f.Adapt != nil {
				f = f.Adapt(name, files[name])
			}
			if p := f.Cut(files[name]); len(p.Parts) > len(most.Parts) {
				best, most, attributes = name, p, f.Attributes
			}
		}
	}
	return best, most, attributes
}

// units are the parts, each with what separates it from the next one; the last has what separates most.
func units(pieces edit.Pieces) (all []string, separator string) {
	counts := map[string]int{}
	separator = "\n"
	for _, between := range pieces.Between {
		if counts[between]++; counts[between] > counts[separator] {
			separator = between
		}
	}
	for i, part := range pieces.Parts {
		if i < len(pieces.Between) {
			all = append(all, part+pieces.Between[i])
			continue
		}
		all = append(all, part+separator)
	}
	return all, separator
}

// with puts other units into a file.
func with(files vfs.Files, name string, pieces edit.Pieces, parts []string) vfs.Files {
	_, separator := units(pieces)
	all := files.Clone()
	all[name] = pieces.Before + strings.TrimSuffix(strings.Join(parts, ""), separator) + pieces.After
	return all
}
