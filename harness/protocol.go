package harness

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"agentd/domains"
	"agentd/harness/grade"
	"agentd/internal/lazyregexp"
	"agentd/policies"
	"agentd/results"
	"agentd/vfs"
	"agentd/vfs/fenced"
)

// FaultRule says what becomes of a relay when an interaction fails because a
// service was unavailable: no completion could be had, or the sandbox did not work.
type FaultRule string

const (
	// StopRelay ends the relay with that interaction, which has no score. Retry takes
	// it up again.
	StopRelay FaultRule = "stop"
	// GoOn takes what the interaction left, as the published harness does.
	GoOn FaultRule = "go-on"
)

// FaultRules lists the rules there are, the default first.
func FaultRules() []FaultRule { return []FaultRule{StopRelay, GoOn} }

// protocol is how one interaction of a relay leads to the next. docs/fidelity.md
// compares the two there are.
type protocol interface {
	// workspace holds the documents that were carried on, next to the distractors.
	workspace(documents, distractors vfs.Files) (*vfs.Workspace, error)
	// carry sets what the next step gets (Output), and why this one failed or has no
	// score, where the policy has not said so.
	carry(*attempt) error
	// made are the files that the step should make, as far as it has.
	made(*attempt) vfs.Files
	// scores reports whether the step has a score; scored are the files that the
	// evaluator is shown then.
	scores(*attempt, domains.Domain) bool
	scored(*attempt) vfs.Files
	// crashed is told why the published evaluator crashes on those files, and reports
	// whether the step then has no score.
	crashed(a *attempt, problem string) bool
}

func protocolOf(name policies.Protocol) protocol {
	if name == policies.Published {
		return published{}
	}
	return clean{}
}

// published is the protocol of the published harness. Everything that a step leaves is
// written as text and read again, carried on, and shown to the evaluator, unless a file
// is missing or one too many.
type published struct{}

// workspace lays the distractors over the documents: of two files with one name, the
// distractor stays.
func (published) workspace(documents, distractors vfs.Files) (*vfs.Workspace, error) {
	own := documents.Clone()
	for name := range distractors {
		delete(own, name)
	}
	return vfs.NewVerbatim(own, distractors)
}

func (published) carry(a *attempt) error {
	left, err := a.left()
	if err != nil {
		return err
	}
	a.in.Output = left
	if policies.Reason(a.in.Failure) == policies.PublishedCrash {
		a.in.Unscored = results.Crash
		return nil
	}
	a.in.Unscored = a.mismatch(left)
	return nil
}

// left is what the step left of the documents: the answer if that is all that counts,
// else what lies in the workspace, as the published reader reads it. Nothing is left of
// what no workspace could hold.
func (a *attempt) left() (vfs.Files, error) {
	left := a.task.Answer
	if left == nil {
		output, err := a.task.Workspace.Output()
		if err != nil {
			return nil, err
		}
		left = reread(output, a.order(output))
	}
	if _, err := (published{}).workspace(left, a.distractors); err != nil {
		a.fail(policies.BadAnswer, err.Error())
		return vfs.Files{}, nil
	}
	return left, nil
}

// reread writes the text files as text and reads them again, which is what the published
// harness carries on. Binary files have no text and stay as they are.
func reread(files vfs.Files, order []string) vfs.Files {
	if !files.HasBinary() {
		return fenced.Parse(fenced.Format(files, order))
	}
	texts, binary := vfs.Files{}, vfs.Files{}
	for name, content := range files {
		if vfs.Binary(name) {
			binary[name] = content
		} else {
			texts[name] = content
		}
	}
	order = slices.DeleteFunc(order, vfs.Binary)
	left := fenced.Parse(fenced.Format(texts, order))
	if left == nil {
		left = vfs.Files{}
	}
	maps.Copy(left, binary)
	return left
}

// order lists files in the order in which they came: those that were there in the order
// of the prompt, then those that were created.
func (a *attempt) order(files vfs.Files) []string {
	var order []string
	for _, name := range slices.Concat(a.task.FileOrder, a.task.Workspace.Created()) {
		if _, there := files[name]; there && !slices.Contains(order, name) {
			order = append(order, name)
		}
	}
	return order
}

// mismatch says why the files of a step are not scored, empty if they are: a target
// without a file, or, where any target is a pattern, a file without a target. The step
// has failed then.
func (a *attempt) mismatch(files vfs.Files) results.Unscored {
	targets := a.task.Targets
	if missing := without(targets, files.Names(), matchesPublished); len(missing) > 0 {
		a.lacks(missing)
		return results.ContextMismatch
	}
	if !slices.ContainsFunc(targets, isPattern) {
		return ""
	}
	strays := without(files.Names(), targets, func(name, target string) bool { return matchesPublished(target, name) })
	if len(strays) > 0 {
		a.fail(policies.StrayFile, strings.Join(strays, ", "))
		return results.WildcardMismatch
	}
	return ""
}

// lacks notes the targets that have no file.
func (a *attempt) lacks(targets []string) {
	a.incomplete = true
	a.fail(policies.MissingTarget, strings.Join(targets, ", "))
}

// without returns those of the first for which none of the others matches.
func without(all, others []string, matches func(one, other string) bool) []string {
	return slices.DeleteFunc(slices.Clone(all), func(one string) bool {
		return slices.ContainsFunc(others, func(other string) bool { return matches(one, other) })
	})
}

// fail sets why the step failed, unless the policy has said so.
func (a *attempt) fail(reason policies.Reason, detail string) {
	if a.in.Failure == "" {
		a.in.Failure, a.in.Detail = string(reason), detail
	}
}

func (published) made(a *attempt) vfs.Files {
	made := vfs.Files{}
	for name, content := range a.in.Output {
		if slices.ContainsFunc(a.task.Targets, func(target string) bool { return matchesPublished(target, name) }) {
			made[name] = content
		}
	}
	return made
}

// scores: programs are run after every step.
func (published) scores(a *attempt, domain domains.Domain) bool {
	_, executing := domain.(domains.Executing)
	return a.in.Unscored == "" && (a.direction == results.Backward || executing)
}

func (published) scored(a *attempt) vfs.Files { return a.in.Output }

// crashed: the published program would end here.
func (published) crashed(a *attempt, problem string) bool {
	a.in.Unscored = results.Crash
	a.fail(policies.PublishedCrash, problem)
	return true
}

// isPattern reports whether a target is a pattern. The published harness knows * and ?;
// environments of ours also use classes such as [0-9].
func isPattern(target string) bool { return strings.ContainsAny(target, "*?[") }

// matchesPublished reports whether a name fits a target: * stands for any text, slashes
// included, ? for any one character, and case counts.
func matchesPublished(target, name string) bool {
	if target == name || !isPattern(target) {
		return target == name
	}
	pattern, err := regexp.Compile(expressionOf(target))
	return err == nil && pattern.MatchString(name)
}

// characterClass is a class at the start of a pattern, such as [0-9] or [!a].
var characterClass = lazyregexp.New(`^\[[!^]?\]?[^\]]*\]`)

// expressionOf is a pattern as a regular expression.
func expressionOf(pattern string) string {
	var b strings.Builder
	b.WriteString("(?s)^")
	for rest := pattern; rest != ""; {
		class := characterClass.FindString(rest)
		switch {
		case rest[0] == '*':
			b.WriteString(".*")
		case rest[0] == '?':
			b.WriteString(".")
		case class != "":
			b.WriteString(strings.Replace(strings.ReplaceAll(class, `\`, `\\`), "[!", "[^", 1))
			rest = rest[len(class):]
			continue
		default:
			_, size := utf8.DecodeRuneInString(rest)
			b.WriteString(regexp.QuoteMeta(rest[:size]))
			rest = rest[size:]
			continue
		}
		rest = rest[1:]
	}
	b.WriteString("$")
	return b.String()
}

// clean is our own protocol. Only the files that a step should make are carried on and
// scored. Documents that it has used up are dropped: else the step back could copy them
// instead of doing the work.
type clean struct{}

func (clean) workspace(documents, distractors vfs.Files) (*vfs.Workspace, error) {
	return vfs.New(documents, withoutTaken(distractors, documents))
}

// withoutTaken leaves out distractors whose names the documents have taken, or that
// stand where a document needs a folder.
func withoutTaken(distractors, documents vfs.Files) vfs.Files {
	free := vfs.Files{}
	for name, content := range distractors {
		clash := false
		for document := range documents {
			clash = clash || document == name ||
				strings.HasPrefix(document, name+"/") || strings.HasPrefix(name, document+"/")
		}
		if !clash {
			free[name] = content
		}
	}
	return free
}

// carry takes the files that match the targets, if all of those are there: other files
// that the step made are noted as strays. If a target is missing, the step has failed
// and everything it left goes on.
func (clean) carry(a *attempt) error {
	left, err := a.task.Workspace.Output()
	if err != nil {
		return err
	}
	a.in.Output = left
	missing := without(a.task.Targets, left.Names(), vfs.Matches)
	if len(missing) > 0 {
		a.lacks(missing)
		return nil
	}
	a.in.Output = left.Match(a.task.Targets)
	for _, name := range left.Names() {
		if _, kept := a.in.Output[name]; !kept && left[name] != a.documents[name] {
			a.in.Strays = append(a.in.Strays, name)
		}
	}
	return nil
}

func (clean) made(a *attempt) vfs.Files { return a.in.Output.Match(a.task.Targets) }

func (clean) scores(a *attempt, _ domains.Domain) bool { return a.direction == results.Backward }

func (c clean) scored(a *attempt) vfs.Files { return c.made(a) }

// crashed: a document that cannot be read has the score 0.
func (clean) crashed(*attempt, string) bool { return false }

// executed reports whether a forward step was carried out: all files that it should make
// are there, it made none that spoils it, and at least one of them holds something that
// no document held before, under any name. How well it was carried out is for the
// forward score to say.
func executed(a *attempt, made vfs.Files) bool {
	switch policies.Reason(a.in.Failure) {
	case "", policies.TurnBudget, policies.TokenBudget, policies.ContextBudget, policies.CostBudget, policies.TimeBudget, policies.CommandFailure:
	default:
		return false
	}
	if a.incomplete {
		return false
	}
	return grade.MadeSomething(a.documents, made)
}
