package trust

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// world is a model whose losses are known: how edits of a relay lose something.
type world struct {
	loses float64 // share of the edits that lose something, over all documents
	size  float64 // of a loss, as a share of the document
	// together is how much edits of one relay hang together: 0 if not, 1 if all lose or none.
	together float64
	// documents have this many times the losses of the mean.
	documents []float64
	undone    float64 // share of the forward edits that are not done
}

// relay plays a relay of five round trips on a document.
func (w world) relay(random *rand.Rand, document int) Relay {
	chance := min(w.loses*w.documents[document], 1)
	if random.Float64() < w.together { // this relay is all good or all bad
		chance = bit(random.Float64() < chance)
	}
	r := Relay{Strict: 100, Forward: 5}
	for range r.Forward {
		r.Done += one(random.Float64() >= w.undone)
		for range 2 {
			if random.Float64() < chance {
				r.Strict = max(0, r.Strict-100*w.size)
			}
		}
	}
	return r
}

func bit(yes bool) float64 { return float64(one(yes)) }

// truth is what the verdict should be: whether the arm keeps the documents together, and whether it
// keeps each of them.
func (w world) truth(random *rand.Rand, failUnder float64) (together, each bool) {
	const plays = 20_000
	mean, worst := 0.0, 1.0
	for d := range w.documents {
		kept := 0
		for range plays {
			r := w.relay(random, d)
			kept += one(r.keeps(failUnder))
		}
		share := float64(kept) / plays
		mean, worst = mean+share/float64(len(w.documents)), min(worst, share)
	}
	asked := bar{failUnder: failUnder, length: 10}.share()
	return mean >= asked, worst >= asked
}

// ask measures as a user does who takes the advice: three relays, and as many more as are said to
// give an answer, until there is one or it takes too many.
func (w world) ask(random *rand.Rand, failUnder float64) (answer Verdict, edits int) {
	const most = 60 // relays of a document
	played := make([][]Relay, len(w.documents))
	for repeats := 3; ; {
		for d := range played {
			for len(played[d]) < repeats {
				played[d] = append(played[d], w.relay(random, d))
			}
		}
		a := measuredAll(leastEdits, played...)
		a.Judge(Rule{FailUnder: failUnder})
		if a.Verdict != Unknown || a.Needed == nil || repeats == most {
			return a.Verdict, 10 * repeats * len(played)
		}
		repeats = min(a.Needed.Repeats, most)
	}
}

// A wrong yes and a wrong no come at most once in twenty, whatever the losses are and however
// often one measures more: with losses that are rare or not, small or large, of edits that hang
// together or do not, and of documents that differ.
func TestAnswersAreRarelyWrong(t *testing.T) {
	t.Parallel()
	const failUnder, times = 98, 150
	shapes := map[string]world{
		"large losses":            {size: 0.3, documents: []float64{1}},
		"small losses":            {size: 0.007, documents: []float64{1}},
		"relays hang together":    {size: 0.3, together: 0.3, documents: []float64{1, 1}},
		"all or nothing":          {size: 0.3, together: 1, documents: []float64{1}},
		"documents differ":        {size: 0.1, documents: []float64{0.2, 0.8, 2}},
		"both":                    {size: 0.05, together: 0.3, documents: []float64{0.5, 0.5, 0.5, 2.5}},
		"edits that are not done": {size: 0.3, undone: 0.02, documents: []float64{1, 1, 1}},
	}
	for name, shape := range shapes {
		for seed, loses := range []float64{0, 0.005, 0.01, 0.015, 0.02, 0.03, 0.1, 0.2} {
			t.Run(fmt.Sprintf("%s/%g", name, loses), func(t *testing.T) {
				t.Parallel()
				w := shape
				w.loses = loses
				random := rand.New(rand.NewPCG(uint64(seed), 38))
				together, each := w.truth(random, failUnder)
				count, edits := map[Verdict]int{}, 0
				for range times {
					answer, n := w.ask(random, failUnder)
					count[answer]++
					edits += n
				}
				// Three standard deviations to spare.
				most := int(0.05*times + 3*math.Sqrt(0.05*0.95*times))
				if !together && count[Yes] > most || together && each && count[No] > most {
					t.Errorf("kept together: %t, each: %t; answers: %v; wrong at most %d times in %d", together, each, count, most, times)
				}
				t.Logf("kept together: %t, each: %t; answers: %v, with %d edits on average", together, each, count, edits/times)
			})
		}
	}
}

// The answers are of use: they come after tens to a few hundred edits, and a model without losses
// is trusted after 170.
func TestAnswersAreHad(t *testing.T) {
	t.Parallel()
	const times = 100
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		loses float64
		want  Verdict
		edits int // on average, at most
		least int // times in 100
	}{
		{0, Yes, 170, 100}, {0.002, Yes, 350, 85}, {0.2, No, 80, 98}, {0.1, No, 250, 95},
	} {
		had, edits := 0, 0
		for range times {
			answer, n := world{loses: c.loses, size: 0.2, documents: []float64{1}}.ask(random, 98)
			had += one(answer == c.want)
			edits += n
		}
		if had < c.least || edits > c.edits*times {
			t.Errorf("losses of %g: %s %d times in %d, with %d edits on average", c.loses, c.want, had, times, edits/times)
		}
	}
}
