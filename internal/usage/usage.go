// Package usage has the errors that are the user's to mend: a wrong flag, name or
// file. A program that ends with one of them has exit status 2.
package usage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// Error is wrong usage or input.
type Error struct{ err error }

func (e Error) Error() string { return e.err.Error() }
func (e Error) Unwrap() error { return e.err }

// Errorf returns an Error with a message as of fmt.Errorf.
func Errorf(format string, args ...any) error { return Error{fmt.Errorf(format, args...)} }

// Wrap returns err as an Error; nil if err is nil.
func Wrap(err error) error {
	if err == nil {
		return nil
	}
	return Error{err}
}

// Interrupted is the end of work that was told to stop, as a sentence for the user. It is
// context.Canceled to errors.Is.
type Interrupted string

func (i Interrupted) Error() string { return string(i) }

// Is reports whether the target is context.Canceled.
func (i Interrupted) Is(target error) bool { return target == context.Canceled }

// Choose returns the names that the wanted names or glob patterns select, in the
// order of all; all of them if nothing is wanted. A pattern that selects nothing is an
// Error that lists similar names. kind is what messages call a name.
func Choose(kind string, wanted, all []string) ([]string, error) {
	if len(wanted) == 0 {
		return all, nil
	}
	selected := map[string]bool{}
	for _, w := range wanted {
		found := false
		for _, name := range all {
			ok, err := path.Match(w, name)
			if err != nil {
				return nil, Errorf("%s %q is not a pattern: %w", kind, w, err)
			}
			if ok || w == name {
				selected[name], found = true, true
			}
		}
		if !found {
			return nil, Unknown(kind, w, all)
		}
	}
	var chosen []string
	for _, name := range all {
		if selected[name] {
			chosen = append(chosen, name)
		}
	}
	return chosen, nil
}

// Unknown returns the Error for a name that is not among all, with similar names.
func Unknown[T ~string](kind, name string, all []T) error {
	const most = 5
	label := "the nearest are"
	if len(all) <= most {
		label = "there are"
	}
	return Errorf("unknown %s %q; %s %s", kind, name, label, strings.Join(Nearest(name, all, most), ", "))
}

// Nearest returns up to so many of the names, the most similar to name first.
func Nearest[T ~string](name string, all []T, most int) []string {
	similar := make([]string, len(all))
	for i, known := range all {
		similar[i] = string(known)
	}
	slices.SortStableFunc(similar, func(a, b string) int {
		return cmp.Compare(distance(name, a), distance(name, b))
	})
	return similar[:min(most, len(similar))]
}

// Flag is the Error of flags that could not be parsed. Of an unknown flag it names those that
// are similar; all are the flags there are, with their dashes.
func Flag(err error, all []string) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) > 1 {
		return Unknown("flag", "--"+unknown.GetSpecifiedName(), all)
	}
	return Wrap(err)
}

// Near reports whether two names differ by so few letters that one may be misspelt.
func Near(a, b string) bool {
	const letters = 2
	return distance(a, b) <= letters
}

// distance is the number of single-byte edits between two names (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substituted := diagonal
			if a[i] != b[j] {
				substituted++
			}
			diagonal = row[j+1]
			row[j+1] = min(substituted, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
