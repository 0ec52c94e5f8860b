package catalog_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/table"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/domains/domaintest"
	"agentd/domains/edit"
	"agentd/environments"
	"agentd/vfs"
)

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
	plant func(random *rand.Rand, parts []string) ([]string, bool)
}

// damages are the four kinds: a part left out, one with another number or word, one that was not there, and one
// in another place.
var damages = []damage{
	{domains.Lost, func(random *rand.Rand, parts []string) ([]string, bool) {
		at := random.IntN(len(parts))
		return slices.Delete(slices.Clone(parts), at, at+1), len(parts) > 1
	}},
	{domains.Changed, func(random *rand.Rand, parts []string) ([]string, bool) {
		parts = slices.Clone(parts)
		for range 20 {
			at := random.IntN(len(parts))
			if altered, ok := altered(random, parts[at]); ok {
				parts[at] = altered
				return parts, true
			}
		}
		return parts, false
	}},
	{domains.Added, func(random *rand.Rand, parts []string) ([]string, bool) {
		from := random.IntN(len(parts))
		made, ok := altered(random, parts[from])
		return slices.Insert(slices.Clone(parts), random.IntN(len(parts)+1), made), ok
	}},
	{domains.Moved, func(random *rand.Rand, parts []string) ([]string, bool) {
		from, to := random.IntN(len(parts)), random.IntN(len(parts))
		part := parts[from]
		return slices.Insert(slices.Delete(slices.Clone(parts), from, from+1), to, part), from != to
	}},
}

// altered changes a digit of a part to another one, in the middle of a number or before its end.
func altered(random *rand.Rand, part string) (string, bool) {
	var digits []int
	for i := range len(part) {
		if part[i] >= '1' && part[i] <= '9' {
			digits = append(digits, i)
		}
	}
	if len(digits) == 0 {
		return part, false
	}
	at := digits[random.IntN(len(digits))]
	return part[:at] + string('1'+(part[at]-'0')%9) + part[at+1:], true
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
		resaved(d, env.Seed, trials, &found)
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
	name, pieces := cutRichest(d, seed)
	whole, _ := units(pieces)
	if len(whole) < 2 {
		return false
	}
	reference := d.Against(seed)
	random := rand.New(rand.NewPCG(2, 2))
	const moves = 12
	for range moves {
		moved, ok := damages[len(damages)-1].plant(random, whole)
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
	name, pieces := cutRichest(d, seed)
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
				next, ok := one.plant(random, parts)
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
func resaved(d domains.Domain, seed vfs.Files, trials int, found *detected) {
	reference := d.Against(seed)
	for _, list := range []map[string][]domaintest.Equivalence{textEquivalences, xmlEquivalences, codeEquivalences, recordEquivalences, generalEquivalences} {
		for _, e := range list[d.Info().Name] {
			if !e.Same {
				continue
			}
			changed := rapid.Custom(func(t *rapid.T) vfs.Files { return e.Apply(t, seed) })
			for n := range trials {
				candidate := changed.Example(1000 + n)
				if candidate.Equal(seed) {
					continue
				}
				found.resaved++
				if review := reference.Review(candidate); review.Strict < 1 {
					found.accused++
				}
			}
		}
	}
}

// cutRichest cuts the file that has the most parts, into smaller ones where there are few.
func cutRichest(d domains.Domain, files vfs.Files) (string, edit.Pieces) {
	const few = 4
	best, most := "", edit.Pieces{}
	for format := d.Vocabulary(); format != nil && len(most.Parts) < few; format = format.Finer {
		for _, name := range files.Match(d.Info().Patterns).Names() {
			f := *format
			if f.Adapt != nil {
				f = f.Adapt(name, files[name])
			}
			if p := f.Cut(files[name]); len(p.Parts) > len(most.Parts) {
				best, most = name, p
			}
		}
	}
	return best, most
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
