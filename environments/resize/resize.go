// Package resize makes size variants of environments by balanced downsampling
// (paper, Appendix I): entries are grouped by the domain's main category and
// left out in proportion. The rest stays a well-formed document, and the edits
// stay as they are.
package resize

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"agentd/domains"
	"agentd/environments"
	"agentd/environments/tokens"
	"agentd/vfs"
)

// ErrImpossible marks an environment that has no variant of the size asked for.
var ErrImpossible = errors.New("no variant")

// TooShortError is an environment whose seed has fewer tokens than the size asked
// for: nothing can be left out of it.
type TooShortError struct{ Tokens int } // of the seed, in o200k_base

func (e *TooShortError) Error() string { return fmt.Sprintf("the seed has only %d tokens", e.Tokens) }

var errTooLarge = errors.New("one entry with what is around it has more")

// Variant is an environment of another size.
type Variant struct {
	Environment environments.Environment
	Tokens      int // of its seed, in o200k_base
	Kept, Of    int // entries
}

// draws is how many samples are tried before a size is given up because an
// edit has nothing left to work on.
const draws = 100

// To returns the largest variant whose seed has at most that many tokens; the whole
// seed, if it has exactly as many. It depends only on the environment and the random
// seed. With one random seed, the entries of a smaller variant are mostly also in the
// larger ones. The round trip of every edit with an oracle is still exact. The error
// wraps a *TooShortError, ErrImpossible, or domains.ErrNoEntries if the document is
// not a list of entries.
func To(env *environments.Environment, d domains.Domain, most int, seed uint64) (Variant, error) {
	d = env.Apply(d)
	doc, err := read(env, d)
	if err != nil {
		return Variant{}, err
	}
	size, err := tokens.Count(env.Seed)
	if err != nil {
		return Variant{}, err
	}
	variant := *env
	variant.Name = fmt.Sprintf("%s-%d", env.Name, most)
	if size < most {
		return Variant{}, &TooShortError{Tokens: size}
	}
	if size == most {
		return Variant{Environment: variant, Tokens: size, Kept: len(doc.entries), Of: len(doc.entries)}, nil
	}
	var failed error
	for draw := range uint64(draws) {
		order := doc.order(env.Name, seed, draw)
		kept, err := doc.largest(order, most)
		if err != nil {
			return Variant{}, err
		}
		if kept == 0 {
			failed = errTooLarge
			continue
		}
		variant.Seed = doc.keep(order[:kept])
		if failed = exact(&variant, d); failed == nil {
			size, err := tokens.Count(variant.Seed)
			return Variant{Environment: variant, Tokens: size, Kept: kept, Of: len(doc.entries)}, err
		}
	}
	return Variant{}, fmt.Errorf("%w of at most %d tokens in %d draws: %w", ErrImpossible, most, draws, failed)
}

func exact(env *environments.Environment, d domains.Domain) error {
	if score := d.Compare(env.Seed, env.Seed); score.RS != 1 || score.Strict != 1 {
		return fmt.Errorf("against itself it scores %s", environments.Shortfall(score, nil))
	}
	for _, edit := range env.Edits {
		if err := env.Exact(edit, d); err != nil {
			return fmt.Errorf("edit %s: %w", edit.Name, err)
		}
	}
	return nil
}

// document is a seed as a list of entries.
type document struct {
	domain  domains.Domain
	files   vfs.Files
	entries []domains.Entry
	owner   []int // the entry of each counted element
}

func read(env *environments.Environment, d domains.Domain) (*document, error) {
	entries, err := d.Entries(env.Seed)
	if err != nil {
		return nil, err
	}
	doc := &document{domain: d, files: env.Seed, entries: entries}
	for i, entry := range entries {
		for range entry.Elements {
			doc.owner = append(doc.owner, i)
		}
	}
	offered := 0
	d.Without(env.Seed, func(int) bool { offered++; return false })
	if offered != len(doc.owner) || len(entries) == 0 {
		return nil, fmt.Errorf("%w: %d counted elements in the document, of which %d can be left out",
			domains.ErrNoEntries, len(doc.owner), offered)
	}
	return doc, nil
}

// order ranks the entries so that every beginning of it has of each category
// its share, rounded up or down: stratified systematic sampling. Chance decides
// which way, and which entries of a category come first.
func (doc *document) order(name string, seed, draw uint64) []int {
	members := map[string][]int{}
	for i, entry := range doc.entries {
		members[entry.Category] = append(members[entry.Category], i)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "resize\x00%s\x00%d\x00%d", name, seed, draw))
	random := rand.New(rand.NewChaCha8(sum))
	place := make([]float64, len(doc.entries)) // within 0 and 1
	for _, category := range slices.Sorted(maps.Keys(members)) {
		group := members[category]
		start := random.Float64()
		for rank, i := range random.Perm(len(group)) {
			place[group[i]] = (float64(rank) + start) / float64(len(group))
		}
	}
	order := make([]int, len(doc.entries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(place[a], place[b]) })
	return order
}

// keep prints the document with only these entries.
func (doc *document) keep(entries []int) vfs.Files {
	kept := make([]bool, len(doc.entries))
	for _, i := range entries {
		kept[i] = true
	}
	return doc.domain.Without(doc.files, func(n int) bool { return !kept[doc.owner[n]] })
}

// largest is the number of entries, from the beginning of the order, with which
// the document just stays within the number of tokens. All of them is too many.
func (doc *document) largest(order []int, most int) (int, error) {
	var failed error
	fits := func(n int) bool {
		size, err := tokens.Count(doc.keep(order[:n]))
		failed = errors.Join(failed, err)
		return size <= most
	}
	low, high := 0, len(order) // low entries fit, or none is kept; high do not
	for high-low > 1 {
		if middle := (low + high) / 2; fits(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low, failed
}
