package environments

import (
	"errors"
	"fmt"
	"strings"

	"agentd/domains"
)

// CheckSeed returns an error if the domain cannot read the seed, so that scores would be
// meaningless. The error names the environment and wraps a *domains.ReferenceError.
// CheckSeed returns nil if there is no score anyway: find does not know the domain, or the
// environment is Unscorable.
func (e *Environment) CheckSeed(find func(name string) (domains.Domain, bool)) error {
	d, ok := find(e.Domain)
	if !ok || e.Unscorable() != "" {
		return nil
	}
	if err := e.Apply(d).CheckReference(e.Seed); err != nil {
		return fmt.Errorf("%s: %w", e.Name, err)
	}
	return nil
}

// UnreadError lists the environments of a run that CheckSeed refuses.
type UnreadError struct {
	Names  []string
	Errors []error // errors of CheckSeed, in the same order
}

// Error names every environment with the reason. If there is only one, it adds what the
// domain expects.
func (e *UnreadError) Error() string {
	if len(e.Names) == 1 {
		return "no score on this environment would mean anything: " + e.Errors[0].Error()
	}
	var text strings.Builder
	fmt.Fprintf(&text, "no score on these %d environments would mean anything:", len(e.Names))
	for i, name := range e.Names {
		reason := e.Errors[i].Error()
		var refused *domains.ReferenceError
		if errors.As(e.Errors[i], &refused) {
			reason = name + ": " + refused.Problem
		}
		text.WriteString("\n    " + reason)
	}
	return text.String()
}

// CheckSeeds calls CheckSeed for all environments, for use before a run. The error is an
// *UnreadError.
func CheckSeeds(all []Environment, find func(name string) (domains.Domain, bool)) error {
	unread := &UnreadError{}
	for i := range all {
		if err := all[i].CheckSeed(find); err != nil {
			unread.Names = append(unread.Names, all[i].Name)
			unread.Errors = append(unread.Errors, err)
		}
	}
	if len(unread.Names) == 0 {
		return nil
	}
	return unread
}
