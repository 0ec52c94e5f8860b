package main

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The action's script runs on git repositories that the scripts of testdata/action make.
func TestTheActionsScript(t *testing.T) {
	t.Parallel()
	check, err := filepath.Abs(filepath.Join("..", "..", "documents", "action", "check.sh"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "action"),
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("CHECK", check)
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			env.Setenv("TMPDIR", env.WorkDir)
			return nil
		},
	})
}
