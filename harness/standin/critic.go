package standin

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/environments"
	"agentd/environments/interference"
	"agentd/models/sim"
	"agentd/vfs"
)

var _ sim.Critic = (*Index)(nil)

// Opinion answers the questions that agentd asks judges. It uses the exact programs of the edits,
// if there are any, and the differences. It does not replace a reader's opinion, but it depends on
// the question.
func (x *Index) Opinion(q sim.Question) (sim.Opinion, bool) {
	text := func(title string) vfs.Files { return q.Texts[title] }
	asked := func(title string) string { return strings.TrimSpace(strings.TrimSuffix(q.Texts[title]["text"], "\n")) }
	switch {
	case text("the documents after the second instruction") != nil:
		return x.cause(asked("the first instruction"), text("the documents at first"), text("the documents after the second instruction")), true
	case text("the files to be made") != nil:
		return x.interference(asked("the first instruction")), true
	case text("the documents after") != nil:
		return x.compliance(asked("the instruction"), text("the documents before"), text("the documents after")), true
	case text("the document after") != nil:
		return kindOfFailure(text("the document before"), text("the document after")), true
	case text("the copy") != nil:
		share := alike(x.ofSeed(text("the original")), text("the original"), text("the copy"))
		return sim.Opinion{Share: share}, true
	case text("the documents that were left") != nil:
		return sim.Opinion{Share: min(1, rewritten*newShare(text("the documents"), text("the documents that were left")))}, true
	}
	return sim.Opinion{}, false
}

// Thresholds of the opinions.
const (
	nothing   = 0.01 // share of the characters below which next to nothing is left
	attempted = 0.75 // share of the work from which all of it was attempted, errors included
	begun     = 0.25 // and from which some of it was
	cosmetic  = 0.9  // share of the documents that a superficial attempt leaves
	unrelated = 0.2  // share of known words below which content has nothing to do with the documents
	unchanged = 0.98 // share of a document from which it is the same in the main
	rewritten = 2    // a text is rewritten if a half of its lines are new
)

// compliance says how far a step followed its instruction.
func (x *Index) compliance(instruction string, before, after vfs.Files) sim.Opinion {
	switch {
	case float64(characters(after)) <= nothing*float64(characters(before)):
		return sim.Opinion{Category: "empty response", Why: "Next to nothing is left."}
	case sameContents(before, after):
		return sim.Opinion{Category: "not executed", Why: "The documents are the same."}
	}
	s := x.step(instruction)
	if s == nil || !s.exact || isCarried(before) {
		return withoutProgram(before, after)
	}
	documents := s.documents(before)
	wanted, err := s.do(documents)
	if err != nil {
		return sim.Opinion{Category: "instruction infeasible", Why: "The exact program refuses the documents: " + err.Error() + "."}
	}
	done, undone := alike(s.domain, wanted, after), alike(s.domain, wanted, documents)
	if undone < 1 {
		done = max(0, (done-undone)/(1-undone))
	}
	opinion := sim.Opinion{Why: fmt.Sprintf("%.0f %% of what the exact program does is done.", 100*done)}
	switch {
	case cutShort(wanted, after):
		opinion.Category = "truncated attempt"
	case done >= attempted:
		opinion.Category = "fully executed"
	case done >= begun:
		opinion.Category = "partially executed"
	case alike(s.domain, documents, after) >= cosmetic:
		opinion.Category = "superficial attempt"
	case 1-newWords(after, documents, wanted) < unrelated:
		opinion.Category = "hallucinated output"
	default:
		opinion.Category = "partially executed"
	}
	return opinion
}

// withoutProgram says of a step without an exact program what it did.
func withoutProgram(before, after vfs.Files) sim.Opinion {
	kept := 1 - newWords(after, before)
	switch {
	case newShare(before, after) <= 1-cosmetic:
		return sim.Opinion{Category: "superficial attempt", Why: "Nearly all lines were there before."}
	case kept < unrelated:
		return sim.Opinion{Category: "hallucinated output", Why: "Nearly all words are new."}
	}
	return sim.Opinion{Category: "fully executed", Why: "Much differs, of the same words; there is no exact program to tell more."}
}

// cause says why a round trip has a low score.
func (x *Index) cause(forward string, seed, result vfs.Files) sim.Opinion {
	env, edit, d := x.edit(forward)
	if env != nil && d != nil && !comesBack(env, *edit, d) {
		return sim.Opinion{Category: "prompt error", Why: "Not even its exact program makes the files that are asked for, and the seed of them."}
	}
	if alike(d, seed, result) >= unchanged {
		return sim.Opinion{Category: "evaluation parser error", Why: "Next to nothing differs."}
	}
	return sim.Opinion{Category: "model error", Why: "The documents differ."}
}

// comesBack reports whether an edit's exact program makes its targets, and the seed of them. One without
// a program has nothing to fail. Nothing is scored by running it, or by a judge.
func comesBack(env *environments.Environment, edit environments.Edit, d domains.Domain) bool {
	oracle, ok := env.OracleFor(edit, d)
	if !ok {
		return true
	}
	made, err := oracle.Forward(env.Seed)
	if err != nil || len(made.Match(edit.Targets)) != len(made) || !present(edit.Targets, made.Names()) {
		return false
	}
	back, err := oracle.Backward(made)
	return err == nil && alike(d, env.Seed, back) == 1
}

// interference says by fixed rules whether distractors affect an edit.
func (x *Index) interference(forward string) sim.Opinion {
	kinds := interference.Kinds()
	env, edit, d := x.edit(forward)
	if env != nil {
		for _, found := range interference.ByRules(env, *edit, d) {
			return sim.Opinion{Category: kinds[found.Kind].Head, Why: found.File + ": " + found.What + "."}
		}
	}
	return sim.Opinion{Category: kinds[interference.None].Head, Why: "No file has the name or the lines of a document."}
}

// kindOfFailure says of what kind a failure is that no rule decides, by the words and numbers that
// took the place of others.
func kindOfFailure(before, after vfs.Files) sim.Opinion {
	gone, came := missing(wordsOf(before), wordsOf(after)), missing(wordsOf(after), wordsOf(before))
	numbers, most := 0, 0
	times := map[string]int{}
	for _, word := range came {
		if strings.ContainsFunc(word, unicode.IsDigit) {
			numbers++
		}
		times[word]++
		most = max(most, times[word])
	}
	why := fmt.Sprintf("%d words are gone, %d are new, of which %d are numbers.", len(gone), len(came), numbers)
	switch {
	case len(gone)+len(came) == 0:
		return sim.Opinion{Category: "other", Why: why}
	case 2*len(came) < len(gone):
		return sim.Opinion{Category: "content loss", Why: why}
	case most > 2 && 2*most >= len(came):
		return sim.Opinion{Category: "templated completion", Why: why}
	case 2*numbers > len(came):
		return sim.Opinion{Category: "mathematical error", Why: why}
	}
	return sim.Opinion{Category: "hallucination", Why: why}
}

// step finds a step by its whole instruction; nil if no environment has it.
func (x *Index) step(instruction string) *step {
	at := slices.IndexFunc(x.steps, func(s step) bool { return s.instruction == instruction && len(s.parts) == 0 })
	if at < 0 {
		return nil
	}
	return &x.steps[at]
}

// edit finds an edit by its forward instruction, with its environment and domain; nil what is
// not there.
func (x *Index) edit(forward string) (*environments.Environment, *environments.Edit, domains.Domain) {
	for i := range x.environments {
		env := &x.environments[i]
		at := slices.IndexFunc(env.Edits, func(e environments.Edit) bool { return strings.TrimSpace(e.Forward) == forward })
		if at >= 0 {
			return env, &env.Edits[at], x.domainOf(env)
		}
	}
	return nil, nil, nil
}

// ofSeed returns the domain of the environment with this seed; nil if there is none.
func (x *Index) ofSeed(seed vfs.Files) domains.Domain {
	at := slices.IndexFunc(x.environments, func(e environments.Environment) bool { return e.Seed.Equal(seed) })
	if at < 0 {
		return nil
	}
	return x.domainOf(&x.environments[at])
}

func (x *Index) domainOf(env *environments.Environment) domains.Domain {
	if d, built := x.find(env.Domain); built {
		return env.Apply(d)
	}
	return nil
}

// alike is how much of what is wanted is there, from 0 to 1: by the elements of the files or, of an
// unknown domain, by their texts.
func alike(d domains.Domain, wanted, got vfs.Files) float64 {
	if d == nil {
		return domains.TextRatio(strings.Join(linesOf(wanted), "\n"), strings.Join(linesOf(got), "\n"))
	}
	share, _ := domains.Expect(d, nil, wanted).Score(got)
	return share
}

// linesOf are the lines of files, in name order, but for blank ones.
func linesOf(files vfs.Files) []string {
	var all []string
	for _, name := range files.Names() {
		for line := range strings.Lines(files[name]) {
			if line = strings.TrimSpace(line); line != "" {
				all = append(all, line)
			}
		}
	}
	return all
}

// wordsOf are the longest runs of letters, digits and the marks within numbers.
func wordsOf(files vfs.Files) []string {
	return strings.FieldsFunc(strings.Join(linesOf(files), " "), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != ','
	})
}

// missing are those of the items that are not among others, each as often as it is missing.
func missing(items, others []string) []string {
	left := map[string]int{}
	for _, other := range others {
		left[other]++
	}
	var all []string
	for _, item := range items {
		if left[item]--; left[item] < 0 {
			all = append(all, item)
		}
	}
	return all
}

// newShare is the share of the lines after that were not there before.
func newShare(before, after vfs.Files) float64 {
	lines := linesOf(after)
	return share(len(missing(lines, linesOf(before))), len(lines))
}

// newWords is the share of the words after that are in none of the others.
func newWords(after vfs.Files, others ...vfs.Files) float64 {
	known := map[string]bool{}
	for _, files := range others {
		for _, word := range wordsOf(files) {
			known[word] = true
		}
	}
	words, fresh := wordsOf(after), 0
	for _, word := range words {
		if !known[word] {
			fresh++
		}
	}
	return share(fresh, len(words))
}

func share(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }

// cutShort reports whether the ends of files that were wanted are gone, a tenth of all lines at
// least: nine tenths of the lines that are not there stand after the last one of their file that is.
func cutShort(wanted, got vfs.Files) bool {
	lines, gone, atEnd := 0, 0, 0
	for _, name := range wanted.Names() {
		all, left := linesOf(vfs.Files{name: wanted[name]}), map[string]int{}
		for _, line := range linesOf(vfs.Files{name: got[name]}) {
			left[line]++
		}
		missing := 0
		for _, line := range all {
			if left[line]--; left[line] >= 0 {
				missing = 0
				continue
			}
			gone, missing = gone+1, missing+1
		}
		lines += len(all)
		if missing < len(all) {
			atEnd += missing
		}
	}
	return 10*gone >= lines && atEnd > 0 && 10*atEnd >= 9*gone
}

// sameContents reports whether two sets of files are the same but for their names.
func sameContents(a, b vfs.Files) bool {
	contents := func(files vfs.Files) []string {
		all := make([]string, 0, len(files))
		for _, name := range files.Names() {
			all = append(all, files[name])
		}
		slices.Sort(all)
		return all
	}
	return slices.Equal(contents(a), contents(b))
}

// characters counts those that are no white space.
func characters(files vfs.Files) int {
	n := 0
	for _, text := range files {
		n += len(strings.Join(strings.Fields(text), ""))
	}
	return n
}
