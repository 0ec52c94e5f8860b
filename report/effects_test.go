package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"agentd/environments/properties"
	"agentd/report/export"
	"agentd/results"
	"agentd/vfs"
)

// exported is a backward step as agentd export writes it.
type exported struct {
	model, policy, env, domain, repeat string
	trip                               int
	rs                                 float64
}

// exportedSteps are the scored backward steps of an experiment, from the rows of an export.
func (s *stored) exportedSteps() []exported {
	s.t.Helper()
	var b bytes.Buffer
	if err := export.Write(s.t.Context(), &b, s.Store, s.experiment, export.Options{Format: export.CSV, Kind: export.Interactions}); err != nil {
		s.t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		s.t.Fatal(err)
	}
	at := map[string]int{}
	for i, name := range lines[0] {
		at[name] = i
	}
	var all []exported
	for _, line := range lines[1:] {
		of := func(name string) string { return line[at[name]] }
		if of("direction") == "forward" || of("rs") == "" {
			continue
		}
		trip, _ := strconv.Atoi(of("round_trip"))
		rs, _ := strconv.ParseFloat(of("rs"), 64)
		all = append(all, exported{of("gen_ai.request.model"), of("gen_ai.agent.name"), of("environment"), of("domain"), of("repeat"), trip, rs})
	}
	return all
}

// numbers are the values of a report's CSV by table, model, policy, the other labels and measure.
func (r *Report) numbers(t *testing.T) map[string]float64 {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(written(t, r, "csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]float64{}
	for _, line := range lines[1:] {
		if value, err := strconv.ParseFloat(line[7], 64); err == nil {
			all[strings.Join([]string{line[1], line[2], line[4], line[5], line[6]}, "|")] = value
			low, errLow := strconv.ParseFloat(line[8], 64)
			high, errHigh := strconv.ParseFloat(line[9], 64)
			if errLow == nil && errHigh == nil && (low > value+1e-9 || high < value-1e-9) {
				t.Errorf("%s: %v is not between %v and %v", line[1:7], value, low, high)
			}
		}
	}
	return all
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// effectsStore has three models that edit directly and with tools, and one more that refuses
// all edits, on documents of two sizes in four domains, two repeats and four round trips. The
// numbers are drawn by the seed; some steps have no score, and one relay ends early.
func effectsStore(t *testing.T, seed uint64, models ...string) *stored {
	t.Helper()
	seeds := map[string]string{}
	for i, domain := range []string{"books", "maps", "songs", "tales"} {
		seeds[domain+"1"] = strings.Repeat("a ", 1000+100*i)
		seeds[domain+"2"] = strings.Repeat("a ", 4000+150*i)
	}
	s := newStoredWith(t, seeds)
	random := rand.New(rand.NewPCG(seed, 1))
	done, refused := true, false
	for _, model := range append(models, "refuser") {
		for _, policy := range []string{"direct", "agentic"} {
			for _, env := range slices.Sorted(func(yield func(string) bool) {
				for name := range seeds {
					if !yield(name) {
						return
					}
				}
			}) {
				for repeat := 1; repeat <= 2; repeat++ {
					var steps []results.Interaction
					value := 1.0
					for trip := range 4 {
						there, back := used(1, 1, 1, 0), used(1, 1, 1, 0)
						there.Executed = &done
						if model == "refuser" {
							there.Executed = &refused
						}
						value -= 0.1 * random.Float64()
						back = backward(back, value, value)
						if trip == 1 && random.IntN(4) == 0 {
							back.Score = nil
						}
						steps = append(steps, there, back)
					}
					if policy == "agentic" && env == "maps2" && repeat == 2 {
						steps = steps[:4]
					}
					s.relay(results.Relay{Model: model, Policy: policy, Environment: env, Repeat: repeat, Schedule: []string{"a", "b", "a", "b"}}, steps...)
				}
			}
		}
	}
	return s
}

// Every number of the section is found again from the rows of an export.
func TestEffectsFromExportedRows(t *testing.T) {
	t.Parallel()
	models := []string{"m", "o", "p"}
	s, other := effectsStore(t, 1, models...), effectsStore(t, 2, models...)
	other.experiment.Name = "other"
	r := s.buildWith(Options{AgainstArm: "o direct"})
	if err := r.compareWith(other.build()); err != nil {
		t.Fatal(err)
	}
	got, rows, others := r.numbers(t), s.exportedSteps(), other.exportedSteps()
	same := func(key string, want float64) {
		t.Helper()
		if value, there := got[key]; !there || math.Abs(value-want) > 1e-9 {
			t.Errorf("%s is %v (%v), want %v", key, value, there, want)
		}
	}
	scores := func(rows []exported, model, policy string, trip int) map[string]float64 { // by relay
		of := map[string]float64{}
		for _, x := range rows {
			if x.model == model && x.policy == policy && x.trip == trip {
				of[x.env+" "+x.repeat] = x.rs
			}
		}
		return of
	}
	tokens := map[string]float64{}
	for _, x := range rows {
		if tokens[x.env] == 0 {
			size := 4000
			if strings.HasSuffix(x.env, "1") {
				size = 1000
			}
			step := map[int]int{1000: 100, 4000: 150}[size]
			p, err := properties.Of(vfs.Files{"seed.txt": strings.Repeat("a ", size+step*slices.Index([]string{"books", "maps", "songs", "tales"}, x.domain))})
			if err != nil {
				t.Fatal(err)
			}
			tokens[x.env] = float64(p.Tokens)
		}
	}
	for k := 1; k <= 4; k++ {
		var paired, rs []float64
		for _, model := range models {
			pair := func(model, policy, baseModel, base string) (by []float64) {
				theirs := scores(rows, baseModel, base, k)
				for relay, value := range scores(rows, model, policy, k) {
					if base, there := theirs[relay]; there {
						by = append(by, value-base)
					}
				}
				return by
			}
			paired = append(paired, mean(pair(model, "agentic", model, "direct")))
			same(fmt.Sprintf("differences|%s|agentic|direct|difference_%d", model, 2*k), paired[len(paired)-1])
			same(fmt.Sprintf("differences_arms|%s|agentic|o direct|difference_%d", model, 2*k), mean(pair(model, "agentic", "o", "direct")))
			// Experiments are paired by the means of environments.
			byEnv := func(rows []exported) map[string][]float64 {
				of := map[string][]float64{}
				for _, x := range rows {
					if x.model == model && x.policy == "direct" && x.trip == k {
						of[x.env] = append(of[x.env], x.rs)
					}
				}
				return of
			}
			var between []float64
			for env, values := range byEnv(rows) {
				if theirs := byEnv(others)[env]; len(theirs) > 0 {
					between = append(between, mean(values)-mean(theirs))
				}
			}
			same(fmt.Sprintf("differences_experiments|%s|direct|other|difference_%d", model, 2*k), mean(between))
			// Least squares by the formula of covariance over variance.
			var x, y, xx, xy []float64
			for relay, value := range scores(rows, model, "agentic", k) {
				env, _, _ := strings.Cut(relay, " ")
				size := tokens[env] / 1000
				x, y, xx, xy = append(x, size), append(y, 1-value), append(xx, size*size), append(xy, size*(1-value))
			}
			same(fmt.Sprintf("size_slopes|%s|agentic||slope_%d", model, 2*k), (mean(xy)-mean(x)*mean(y))/(mean(xx)-mean(x)*mean(x)))
			var all []float64
			for _, value := range scores(rows, model, "direct", k) {
				all = append(all, value)
			}
			rs = append(rs, mean(all))
		}
		same(fmt.Sprintf("differences_mean||agentic|mean of 3 models / direct|difference_%d", 2*k), mean(paired))
		same(fmt.Sprintf("models_mean||direct|mean of 3 models|rs_%d", 2*k), mean(rs))
	}
	for _, model := range models {
		middle, end := scores(rows, model, "agentic", 2), scores(rows, model, "agentic", 4)
		var first, second []float64
		for relay, value := range end {
			if half, there := middle[relay]; there {
				first, second = append(first, 1-half), append(second, half-value)
			}
		}
		same("halves|"+model+"|agentic||loss_first", mean(first))
		same("halves|"+model+"|agentic||loss_second", mean(second))
		same("halves|"+model+"|agentic||halves_difference", mean(second)-mean(first))
		same("halves|"+model+"|agentic||relays", float64(len(first)))
	}
}

// pairsAlike are Kendall's concordant pairs less the discordant ones over all, and Spearman's
// rho, of values that differ from each other.
func pairsAlike(x, y []float64) (rho, tau float64) {
	n, squares := len(x), 0.0
	rank := func(values []float64, v float64) (below float64) {
		for _, other := range values {
			if other < v {
				below++
			}
		}
		return below
	}
	for i := range x {
		squares += math.Pow(rank(x, x[i])-rank(y, y[i]), 2)
		for j := range i {
			if (x[i] < x[j]) == (y[i] < y[j]) {
				tau++
			} else {
				tau--
			}
		}
	}
	return 1 - 6*squares/float64(n*(n*n-1)), 2 * tau / float64(n*(n-1))
}

func TestRanksAndLargeLossesFromExportedRows(t *testing.T) {
	t.Parallel()
	models := []string{"m", "o", "p"}
	s := effectsStore(t, 3, models...)
	got, rows := s.build().numbers(t), s.exportedSteps()
	same := func(key string, want float64) {
		t.Helper()
		if value, there := got[key]; !there || math.Abs(value-want) > 1e-9 {
			t.Errorf("%s is %v (%v), want %v", key, value, there, want)
		}
	}
	values := func(keep func(exported) bool) (all []float64) {
		for _, x := range rows {
			if keep(x) {
				all = append(all, x.rs)
			}
		}
		return all
	}
	var armsFirst, armsLast []float64
	for _, policy := range []string{"direct", "agentic"} {
		cells, lost := 0.0, 0.0
		for _, model := range models {
			of := func(x exported, trip int) bool { return x.model == model && x.policy == policy && x.trip == trip }
			armsFirst = append(armsFirst, mean(values(func(x exported) bool { return of(x, 1) })))
			armsLast = append(armsLast, mean(values(func(x exported) bool { return of(x, 4) })))
			var first, last []float64
			for _, domain := range []string{"books", "maps", "songs", "tales"} {
				cells++
				if mean(values(func(x exported) bool { return of(x, 4) && x.domain == domain })) <= 0.8 {
					lost++
				}
				for _, env := range []string{domain + "1", domain + "2"} {
					ended := map[string]bool{}
					for _, x := range rows {
						if of(x, 4) && x.env == env {
							ended[x.repeat] = true
						}
					}
					first = append(first, mean(values(func(x exported) bool { return of(x, 1) && x.env == env && ended[x.repeat] })))
					last = append(last, mean(values(func(x exported) bool { return of(x, 4) && x.env == env })))
				}
			}
			rho, tau := pairsAlike(first, last)
			same("ranks_environments|"+model+"|"+policy+"||rho", rho)
			same("ranks_environments|"+model+"|"+policy+"||tau", tau)
		}
		same("large_losses||"+policy+"|3 models|cells", cells)
		same("large_losses||"+policy+"|3 models|cells_lost", lost)
		same("large_losses||"+policy+"|3 models|share", lost/cells)
		if lost == 0 || lost == cells {
			t.Errorf("%s: %v of %v cells have lost much, which tests nothing", policy, lost, cells)
		}
	}
	rho, tau := pairsAlike(armsFirst, armsLast)
	same("ranks_arms|||arms|rho", rho)
	same("ranks_arms|||arms|tau", tau)
}

// Of an arm that did less than half of its edits no number is shown, and a note says why.
func TestAnIdleArmHasNoEffects(t *testing.T) {
	t.Parallel()
	r := effectsStore(t, 1, "m", "o").build()
	for key, value := range r.numbers(t) {
		if table, _, _ := strings.Cut(key, "|"); strings.Contains(key, "|refuser|") && slices.Contains([]string{"differences", "size_slopes", "halves", "ranks_environments"}, table) && !(strings.HasSuffix(key, "|pairs") && value == 0) {
			t.Errorf("%s is %v", key, value)
		}
	}
	if text := written(t, r, "html"); !strings.Contains(text, "agentic (did 0 of 62 edits) · direct") {
		t.Error("the page does not say what the arm did")
	}
}
