package catalog

import (
	"os"
	"regexp"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// TestNestingIsReadInLinearTime is not parallel, since it counts what the program uses.
func TestNestingIsReadInLinearTime(t *testing.T) {
	for _, d := range All() {
		if d.Info().Binary {
			continue
		}
		t.Run(d.Info().Name, func(t *testing.T) { nested(t, d, domaintest.Seed(t, d.Info().Name+"1")) })
	}
}

// nestedSize is that of a document made of opening and nesting tokens, in bytes. AGENTD_NESTED sets
// another one, such as 200000 in make contrived.
func nestedSize(t testing.TB) int {
	set, ok := os.LookupEnv("AGENTD_NESTED")
	if !ok {
		return 20_000
	}
	size, err := strconv.Atoi(set)
	if err != nil {
		t.Fatalf("reading AGENTD_NESTED: %v", err)
	}
	return size
}

// nested checks that reading a document that is nothing but tokens which open something takes time and
// memory in proportion to its size: each token over and over, pairs that alternate, pairs inside of each other, and
// lines that are indented ever deeper. It counts what the whole program uses, so nothing may run next to it.
func nested(t *testing.T, d domains.Domain, seed vfs.Files) {
	t.Helper()
	const mostBytes, slack, part = 256 << 20, 60 * time.Millisecond, 8
	name, whole := largest(seed), nestedSize(t)
	reference := d.Against(seed)
	for label, text := range nestings(seed[name]) {
		use := func(size int) (time.Duration, uint64) {
			files, some := vfs.Files{name: text(size)}, vfs.Files{name: text(size / part)}
			return used(t, func() {
				reference.Compare(files)
				if v := d.Vocabulary(); v != nil {
					_, _ = v.Propose(some, 1) // which reads a document dozens of times
				}
			})
		}
		spent, bytes := use(whole)
		if bytes > mostBytes { // it counts what is not collected yet, too
			runtime.GC()
			spent, bytes = use(whole)
		}
		if bytes > mostBytes {
			t.Errorf("%q: %d MB for %d bytes, want at most %d", label, bytes>>20, whole, mostBytes>>20)
		}
		if spent < slack {
			continue
		}
		// The square of an eighth is a 64th.
		if small, _ := use(whole / part); spent > 4*part*small+slack {
			t.Errorf("%q: %v for %d bytes, %v for %d", label, spent, whole, small, whole/part)
		}
	}
}

// used is the CPU time of a function, and the most memory that objects had meanwhile, in bytes, as far as
// samples show.
func used(t testing.TB, f func()) (spent time.Duration, most uint64) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	done, sampled := make(chan struct{}), make(chan struct{})
	start := domaintest.CPUTime(t)
	go func() {
		defer close(sampled)
		for ticks := time.Tick(2 * time.Millisecond); ; {
			metrics.Read(sample)
			most = max(most, sample[0].Value.Uint64())
			select {
			case <-done:
				return
			case <-ticks:
			}
		}
	}()
	f()
	spent = domaintest.CPUTime(t) - start
	close(done)
	<-sampled
	return spent, most
}

// largest is the name of the file with the most bytes.
func largest(files vfs.Files) string {
	return slices.MaxFunc(files.Names(), func(a, b string) int { return len(files[a]) - len(files[b]) })
}

// openers begin something in some format, with what ends it.
var openers = [][2]string{
	{"(", ")"}, {"[", "]"}, {"{", "}"}, {"<a>", "</a>"}, {`"`, `'`}, {"/*", "*/"}, {"<!--", "-->"}, {"[a](", ")"}, {"*a", "_b"},
	{"> ", "- "}, {"1. ", "a\n"}, {"|a", "\n"}, {`{"a":`, "}"}, {"[1,", "]"}, {"$(", ")"}, {"define a\n", "endef\n"},
	{"$ORIGIN a\n", "a\n"}, {"\\begin{a}", "\\end{a}"}, {"\\\n", "\n"}, {" a\n", "a: b\n"}, {"BEGIN:A\n", "END:A\n"}, {"a=", ";"},
}

// lineStart is the first word of a line, and the line.
var lineStart = regexp.MustCompile(`(?m)^[ \t]*(\S{1,24})[^\n]*\n`)

// nestings are the texts by what they are made of, each of about so many bytes. Besides the openers of all
// formats they have the words that the lines of a document begin with most often.
func nestings(document string) map[string]func(size int) string {
	all := map[string]func(int) string{}
	repeated := func(token string) {
		all[token+" repeated"] = func(size int) string { return strings.Repeat(token, 1+size/len(token)) }
	}
	for _, pair := range openers {
		opening, closing := pair[0], pair[1]
		if !strings.Contains(document, opening[:1]) {
			continue // opens nothing in this format
		}
		repeated(opening)
		repeated(opening + closing)
		all[opening+" inside of each other"] = func(size int) string {
			n := size / len(opening+closing)
			return strings.Repeat(opening, n) + strings.Repeat(closing, n)
		}
	}
	for _, token := range []string{"- a", "a:", "if a:", "<a>"} {
		all[token+" ever deeper"] = func(size int) string { return indented(token, size) }
	}
	for _, word := range frequentStarts(document, 6) {
		repeated(word + " ")
		repeated(word + "\n")
	}
	all["wide table"] = func(size int) string {
		return strings.Repeat("|a", size/8) + "\n" + strings.Repeat("|-", size/8) + "\n" + strings.Repeat("|\n", size/4)
	}
	return all
}

// indented has a token on each line, one step deeper than on the line above.
func indented(token string, size int) string {
	var b strings.Builder
	for depth := 0; b.Len() < size; depth++ {
		b.WriteString(strings.Repeat("  ", depth) + token + "\n")
	}
	return b.String()
}

// frequentStarts are the words that lines begin with, the most frequent first.
func frequentStarts(document string, most int) []string {
	times := map[string]int{}
	var words []string
	for _, m := range lineStart.FindAllStringSubmatch(document, -1) {
		if times[m[1]]++; times[m[1]] == 1 {
			words = append(words, m[1])
		}
	}
	slices.SortStableFunc(words, func(a, b string) int { return times[b] - times[a] })
	return words[:min(most, len(words))]
}
