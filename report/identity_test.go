package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"agentd/domains"
	"agentd/results"
	"agentd/results/record"
	"agentd/vfs"
)

// line is a row of a table with the arms' own names in it, whatever the experiment called them.
type line struct {
	Table   string
	Labels  []string
	Heads   []string
	Numbers []map[string]float64
}

// specs are the policies of the experiments whose names are exchanged, in their order: two ways
// of direct editing, the published loop, an editor, and one without a model.
var specs = []string{`{"use":"direct"}`, `{"use":"direct","terse":true}`, `{"use":"agentic"}`, `{"use":"editor"}`, `{"use":"noop"}`}

// renamed stores two experiments whose relays are the same under any names of the policies: one
// whose user carries a conversation on, and one to compare it with.
func renamed(t *testing.T, names, theirs []string, traits bool) *stored {
	t.Helper()
	seeds := map[string]string{"books1": "one\ntwo", "maps1": strings.Repeat("a ", 2000), "fiction1": "x\ny"}
	s := newStoredWith(t, seeds)
	fill := func(name, conversation string, names []string) *stored {
		m := results.Manifest{
			Models: s.experiment.Manifest.Models, Environments: s.experiment.Manifest.Environments, Policies: names, Conversation: conversation,
			PolicySpecs: map[string]json.RawMessage{}, Traits: map[string]results.Traits{},
		}
		for i, spec := range specs {
			m.PolicySpecs[names[i]] = json.RawMessage(strings.TrimSuffix(spec, "}") + fmt.Sprintf(`,"name":%q}`, names[i]))
			m.Traits[names[i]] = m.TraitsOf(names[i])
		}
		if !traits {
			m.Traits = nil // as in manifests of early versions
		}
		e := s.another(name, m)
		for at, environment := range slices.Sorted(maps.Keys(seeds)) {
			for i, policy := range names {
				e.worn(policy, environment, seeds[environment], i+len(conversation), at)
			}
		}
		return e
	}
	fill("plain", "", theirs)
	return fill("carried", "carried", names)
}

// worn stores a relay of two round trips whose numbers follow from those of its policy and of
// its environment.
func (s *stored) worn(policy, environment, seed string, i, at int) {
	s.t.Helper()
	var steps []results.Interaction
	for k := range 4 {
		in := used(100*(i+1)+k, 10*(at+1)+i, i+k+1, float64(i+at+1)/100)
		in.Edit, in.Distractors = []string{"a", "b"}[k/2], 2
		in.Output = vfs.Files{"seed.txt": seed[min(i*k, len(seed)):]}
		if i > 1 {
			in.ToolCalls = []record.Call{{Tool: "read_file"}, {Tool: []string{"write_file", "run_python"}[(i+k)%2], Changed: 1, Way: []record.Way{"writing", "script"}[(i+k)%2]}}
			in.Reads = []record.Read{{File: "d.md", Origin: "distractor", Tool: "read_file"}}[:(k+i)%2]
		}
		if k%2 == 0 {
			done := (i+k+at)%3 != 0
			in = forward(in, float64(10-i-at)/10)
			in.Executed = &done
		} else {
			in = backward(in, 1-float64((i+1)*k+at)/40, 1-float64((i+2)*k+at)/40)
			in.Score.Reference, in.Score.Candidate = 10, 10-i
		}
		steps = append(steps, in)
	}
	s.relay(results.Relay{Model: "m", Policy: policy, Environment: environment, Schedule: []string{"a", "b"}}, steps...)
}

// lines are all numbers of all sections, those that are made on demand, too.
func (s *stored) lines(names []string) []line {
	s.t.Helper()
	other, err := s.Experiment(s.t.Context(), "plain")
	if err != nil {
		s.t.Fatal(err)
	}
	r := s.buildWith(Options{Against: &other, Similarity: true, Compliance: true, Failures: func(string) (domains.Domain, bool) { return inLines(), true }})
	sections, err := r.Sections()
	if err != nil {
		s.t.Fatal(err)
	}
	own := func(text string) string {
		parts := strings.Split(text, "/")
		for k, part := range parts {
			if at := slices.Index(names, part); at >= 0 {
				parts[k] = specs[at]
			}
		}
		return strings.Join(parts, "/")
	}
	var all []line
	for _, section := range sections {
		for _, t := range section.Tables {
			for _, row := range t.Rows {
				l := line{Table: section.Name + ": " + t.Name}
				for _, label := range row.Labels {
					l.Labels = append(l.Labels, own(label))
				}
				for k, cell := range row.Cells {
					numbers := map[string]float64{"n": float64(cell.N), "of": float64(cell.Of)}
					for name, v := range map[string]*float64{"value": cell.Value, "low": cell.Low, "high": cell.High} {
						if v != nil {
							numbers[name] = *v
						}
					}
					l.Heads, l.Numbers = append(l.Heads, own(t.Measures[k].Name)), append(l.Numbers, numbers)
				}
				all = append(all, l)
			}
		}
	}
	return all
}

func TestNoNumberDependsOnWhatPoliciesAreCalled(t *testing.T) {
	t.Parallel()
	plain := []string{"direct", "direct(terse)", "agentic", "editor", "noop"}
	want := renamed(t, plain, plain, true).lines(plain)
	met := map[string]bool{}
	for _, l := range want {
		met[l.Table] = true
	}
	for _, table := range []string{
		"survival: rs", "comparison: comparison", "comparison: against", "conversations: conversations", "harnesses: harnesses",
		"domains: domains", "tools: tools", "tools: tools_present", "tools: ratios", "damage: damage_shares", "failures: failures",
		"sizes: sizes", "sequences: sequences", "similarity: similarity", "compliance: compliance_facts",
	} {
		if !met[table] {
			t.Errorf("%s is not there, and so not looked at", table)
		}
	}
	exchanged := []string{"agentic", "noop", "direct", "direct(terse)", "editor"}
	for name, c := range map[string]struct {
		names, theirs []string
		traits        bool
	}{
		"names exchanged":                                 {exchanged, exchanged, true},
		"names that sort the other way":                   {[]string{"e", "d", "c", "b", "a"}, plain, true},
		"names exchanged in one experiment":               {exchanged, plain, true},
		"names exchanged in a manifest without traits":    {exchanged, exchanged, false},
		"names of its own in a manifest without traits":   {plain, plain, false},
		"names exchanged with those of other experiments": {plain, exchanged, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := renamed(t, c.names, c.theirs, c.traits).lines(c.names)
			if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Policies with the same options are the same in two experiments, by their names where there are
// several; after these, those of one use and name.
func TestWhichArmsOfTwoExperimentsAreTheSame(t *testing.T) {
	t.Parallel()
	arms := func(specs map[string]string, order ...string) *builder {
		b := &builder{report: &Report{Experiment: results.Experiment{Manifest: results.Manifest{Policies: order, PolicySpecs: map[string]json.RawMessage{}}}}}
		for _, name := range order {
			if specs[name] != "" {
				b.manifest().PolicySpecs[name] = json.RawMessage(specs[name])
			}
			b.arranged, b.order = append(b.arranged, armKey{"m", name}), append(b.order, armKey{"m", name})
		}
		return b
	}
	for name, c := range map[string]struct {
		mine, theirs *builder
		want         string
	}{
		"by their options":       {arms(nil, "direct"), arms(map[string]string{"plain": `{"use":"direct","name":"plain"}`}, "plain"), "direct=plain"},
		"not by their names":     {arms(nil, "direct"), arms(map[string]string{"direct": `{"use":"agentic","name":"direct"}`}, "direct"), ""},
		"by names among equals":  {arms(map[string]string{"b": `{"use":"direct"}`}, "direct", "b"), arms(map[string]string{"b": `{"use":"direct"}`}, "b"), "b=b"},
		"another version":        {arms(map[string]string{"x": `{"use":"agent","version":"1"}`}, "x"), arms(map[string]string{"x": `{"use":"agent","version":"2"}`}, "x"), "x=x"},
		"over one with a name":   {arms(map[string]string{"x": `{"use":"verify","of":{"use":"direct"}}`}, "x"), arms(map[string]string{"y": `{"use":"verify","of":{"use":"direct","name":"z"}}`}, "y"), "x=y"},
		"other options are none": {arms(map[string]string{"x": `{"use":"editor","max_turns":1}`}, "x"), arms(nil, "editor"), ""},
	} {
		var got []string
		for _, pair := range c.mine.sameArms(c.theirs) {
			got = append(got, pair[0].policy+"="+pair[1].policy)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}
