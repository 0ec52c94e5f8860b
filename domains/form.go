package domains

import (
	"agentd/domains/internal/wellformed"
	"agentd/vfs"
)

// Slip is a place at which the tools of a format would stop reading a file.
type Slip = wellformed.Slip

// slips are those of the files that have a name of the domain: what an answer leaves around a file, and what
// Spec.Form finds.
func (s *Spec[T]) slips(files vfs.Files) []Slip {
	around := wellformed.Answer
	if s.Fences || s.Info.AnyText {
		around = wellformed.AnswerAround
	}
	check := wellformed.Check(around)
	switch {
	case s.Info.Binary:
		check = s.Form
	case s.Form != nil:
		check = wellformed.All(around, s.Form)
	}
	if s.Info.AnyText {
		return wellformed.Of(files, check)
	}
	return wellformed.Of(s.Info.named(files), check)
}

func (d domain[T]) Slips(files vfs.Files) []Slip { return d.spec.slips(files) }

// Broken implements Reference.
func (a *against[T]) Broken(candidate vfs.Files) []Slip {
	return wellformed.New(append(a.slips(), interpreters(a.raw)...), append(a.spec.slips(candidate), interpreters(candidate)...))
}
