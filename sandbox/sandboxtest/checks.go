//go:build linux

package sandboxtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/sandbox"
)

// all is a check that passes if all the checks do.
func all(checks ...Check) Check {
	return func(got sandbox.Result) error {
		var failed []error
		for _, check := range checks {
			failed = append(failed, check(got))
		}
		return errors.Join(failed...)
	}
}

// prints wants a script to succeed and print exactly this.
func prints(want string) Check {
	return func(got sandbox.Result) error {
		if got.ExitCode != 0 || got.Limit != sandbox.NoLimit || got.Stdout != want {
			return fmt.Errorf("want it to end well and print %.200q", want)
		}
		return nil
	}
}

// finds wants a script to succeed and print nothing: an attack prints what it gained access to.
var finds = prints("")

// endedBy wants one of the limits named.
func endedBy(limits ...sandbox.Limit) Check {
	return func(got sandbox.Result) error {
		if !slices.Contains(limits, got.Limit) || got.ExitCode == 0 {
			return fmt.Errorf("want it ended by one of the limits %q", limits)
		}
		return nil
	}
}

// skips wants a file to be skipped, for a reason that contains this text.
func skips(file, reason string) Check {
	return func(got sandbox.Result) error {
		for _, s := range got.Skipped {
			if s.File == file && strings.Contains(s.Reason, reason) {
				return nil
			}
		}
		return fmt.Errorf("want %q to be skipped (%s)", file, reason)
	}
}

// deletes wants exactly these files deleted.
func deletes(files ...string) Check {
	return func(got sandbox.Result) error {
		if !slices.Equal(got.Deleted, files) {
			return fmt.Errorf("want %q deleted", files)
		}
		return nil
	}
}

// ends accepts a script that ends normally or by the wall time.
func ends(got sandbox.Result) error {
	if got.Limit != sandbox.NoLimit && got.Limit != sandbox.LimitTime {
		return errors.New("want it to end on its own or by the wall time")
	}
	return nil
}
