//go:build !linux

package experiment

import (
	"context"
	"fmt"
	"runtime"

	"agentd/sandbox"
)

// Open returns an error that wraps sandbox.ErrUnavailable: both back ends need Linux.
func (Sandbox) Open(context.Context, int) (sandbox.Backend, error) {
	return nil, fmt.Errorf("%w: scripts and commands run in namespaces of Linux, and this is %s; "+
		"policies without scripts (direct), score, report, serve and env need no sandbox", sandbox.ErrUnavailable, runtime.GOOS)
}
