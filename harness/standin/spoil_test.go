package standin

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/models/sim"
	"agentd/vfs"
)

func chance(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// What is altered, and the names of JSON members, which are left alone.
var (
	memberNames = regexp.MustCompile(`"[^"]*"\s*:`)
	numbers     = regexp.MustCompile(`"[^"]*"\s*:|\d+`)
	words       = regexp.MustCompile(`"[^"]*"\s*:|\p{L}{4,}`)
)

// everything is the damage at which every number and word is altered.
func everything() sim.Damage { return sim.Damage{Number: 1, Text: 1, Random: chance(1)} }

func TestNothingButElementsIsSpoilt(t *testing.T) {
	t.Parallel()
	for _, env := range builtin(t) {
		domain, _ := catalog.Lookup(env.Domain)
		frame := domain.Without(env.Seed, func(int) bool { return true })
		kept := domain.Without(env.Seed, func(int) bool { return false })

		none := spoil(domain, env.Seed, sim.Damage{})
		if diff := cmp.Diff(env.Seed, none); diff != "" {
			t.Errorf("%s without damage: %s", env.Name, diff)
		}
		dropped := spoil(domain, env.Seed, sim.Damage{Drop: 1, Random: chance(1)})
		if diff := cmp.Diff(frame, dropped); diff != "" {
			t.Errorf("%s without its elements: %s", env.Name, diff)
		}
		altered := spoil(domain, env.Seed, everything())
		for name, content := range kept {
			skeleton := strings.Split(frame[name], "\n")
			was, is := strings.Split(content, "\n"), strings.Split(altered[name], "\n")
			if len(was) != len(is) {
				t.Fatalf("%s: %s has %d lines, had %d", env.Name, name, len(is), len(was))
			}
			for i, line := range was {
				values := memberNames.ReplaceAllString(line, "")
				fixed := slices.Contains(skeleton, line) || !words.MatchString(values) && !numbers.MatchString(values)
				if (is[i] == line) != fixed {
					t.Errorf("%s: %s line %d: %q became %q", env.Name, name, i+1, line, is[i])
				}
			}
		}
	}
}

func TestLinesStandForTheElementsOfUnbuiltDomains(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"a.md": "=== carried: notes.txt\nTitle 1\n\nmore text 23", "b.md": "word"}
	if diff := cmp.Diff(vfs.Files{"a.md": "=== carried: notes.txt\n\n", "b.md": ""},
		spoil(nil, files, sim.Damage{Drop: 1, Random: chance(1)})); diff != "" {
		t.Errorf("all dropped: %s", diff)
	}
	got := spoil(nil, files, everything())["a.md"]
	lines := strings.Split(got, "\n")
	if len(lines) != 4 || lines[0] != "=== carried: notes.txt" || lines[1] == "Title 1" || lines[2] != "" || lines[3] == "more text 23" {
		t.Errorf("all altered: %q", got)
	}
}

func TestDamageDependsOnTheSeedAlone(t *testing.T) {
	t.Parallel()
	files := vfs.Files{}
	for _, name := range []string{"a.md", "b.md", "c.md", "d.md"} {
		files[name] = strings.Repeat("Hotel Adler,1200\n", 100)
	}
	run := func(seed uint64) vfs.Files {
		return spoil(nil, files, sim.Damage{Drop: 0.1, Number: 0.1, Text: 0.1, Random: chance(seed)})
	}
	if diff := cmp.Diff(run(1), run(1)); diff != "" {
		t.Errorf("the same seed: %s", diff)
	}
	if run(1).Equal(run(2)) {
		t.Error("another seed does the same damage")
	}
}

func TestDamageIsDoneAtItsRate(t *testing.T) {
	t.Parallel()
	const rate = 0.05
	table := vfs.Files{"t.csv": "name,amount\n" + strings.Repeat("Hotel Adler,1200\n", 200)}
	lines := vfs.Files{"t.md": strings.Repeat("Hotel Adler,1200\n", 200)}
	spreadsheet, _ := catalog.Lookup("spreadsheet")
	for name, c := range map[string]struct {
		domain domains.Domain
		files  vfs.Files
		damage sim.Damage
		of     int                                   // what may be hit in one run
		hit    func(text string, lines []string) int // of them
	}{
		"rows":    {spreadsheet, table, sim.Damage{Drop: rate}, 200, func(_ string, l []string) int { return 202 - len(l) }},
		"lines":   {nil, lines, sim.Damage{Drop: rate}, 200, func(_ string, l []string) int { return 201 - len(l) }},
		"numbers": {spreadsheet, table, sim.Damage{Number: rate}, 200, func(s string, _ []string) int { return 200 - strings.Count(s, ",1200\n") }},
		"words":   {spreadsheet, table, sim.Damage{Text: rate}, 400, func(s string, _ []string) int { return 400 - strings.Count(s, "Hotel") - strings.Count(s, "Adler") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const runs = 100
			hits := 0
			for seed := range uint64(runs) {
				c.damage.Random = chance(seed)
				for _, text := range spoil(c.domain, c.files, c.damage) {
					hits += c.hit(text, strings.Split(text, "\n"))
				}
			}
			all := float64(runs * c.of)
			if got := float64(hits) / all; math.Abs(got-rate) > 4*math.Sqrt(rate*(1-rate)/all) {
				t.Errorf("%d of %v hit, want a share of %v", hits, all, rate)
			}
		})
	}
}

func TestAlterationsAlwaysAlter(t *testing.T) {
	t.Parallel()
	random := chance(1)
	for range 1000 {
		for _, number := range []string{"0", "9", "2016", "0000"} {
			got := otherDigit(number, random)
			if len(got) != len(number) || differences(got, number) != 1 || !numbers.MatchString(got) {
				t.Fatalf("%s became %s", number, got)
			}
		}
		for _, word := range []string{"Adler", "aaaa", "Straße", "ünïçø", "日本語版"} {
			if got := misspelt(word, random); got == word || []rune(got)[0] != []rune(word)[0] {
				t.Fatalf("%s became %s", word, got)
			}
		}
	}
}

func differences(a, b string) int {
	n := 0
	for i := range len(a) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

func TestStepsDamageTheDomainsOwnFormat(t *testing.T) {
	t.Parallel()
	env := builtin(t)[0]
	domain, _ := catalog.Lookup(env.Domain)
	edit := env.Edits[0]
	oracle, _ := env.OracleFor(edit, domain)
	index := NewIndex(builtin(t), catalog.Lookup)
	damage := func() sim.Damage { return sim.Damage{Drop: 0.2, Random: chance(5)} }

	forward, _ := index.Find(edit.Forward, env.Seed.Names(), edit.Targets)
	want, err := oracle.Forward(spoil(domain, env.Seed, damage()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, vfs.Files(forward.Do(env.Seed, damage()))); diff != "" {
		t.Errorf("forward: %s", diff)
	}

	there, err := oracle.Forward(env.Seed)
	if err != nil {
		t.Fatal(err)
	}
	back, err := oracle.Backward(there)
	if err != nil {
		t.Fatal(err)
	}
	backward, _ := index.Find(edit.Backward, there.Names(), env.Targets)
	if diff := cmp.Diff(spoil(domain, back, damage()), vfs.Files(backward.Do(there, damage()))); diff != "" {
		t.Errorf("backward: %s", diff)
	}
}

func TestWhatIsAlteredIsWhatThePatternsSay(t *testing.T) {
	t.Parallel()
	mark := func(found string, _ *rand.Rand) string { return "<" + found + ">" }
	marked := func(pattern *regexp.Regexp, line string) string {
		return pattern.ReplaceAllStringFunc(line, func(found string) string {
			if found[0] == '"' {
				return found
			}
			return mark(found, nil)
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringOfN(rapid.RuneFrom([]rune("\"\": 09aZéßñ-\t")), 0, 40, -1).Draw(t, "line")
		if got, want := alter(number, line, 1, chance(1), mark), marked(numbers, line); got != want {
			t.Fatalf("numbers of %q: %q, want %q", line, got, want)
		}
		if got, want := alter(word, line, 1, chance(1), mark), marked(words, line); got != want {
			t.Fatalf("words of %q: %q, want %q", line, got, want)
		}
	})
}
