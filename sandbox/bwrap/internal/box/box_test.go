//go:build linux

package box

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"agentd/sandbox"
	"agentd/sandbox/internal/session"
)

// A sandbox that is never built is given up when nobody wants it any more.
func TestBuildingIsInterrupted(t *testing.T) {
	t.Parallel()
	host, err := Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	hangs, begun := filepath.Join(folder, "bwrap"), filepath.Join(folder, "begun")
	if err := os.WriteFile(hangs, []byte("#!/bin/sh\necho >"+begun+"\nexec sleep 1000\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	host.Program = hangs
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() {
		_, err := host.Open(ctx, session.Job{Command: &sandbox.Command{Args: []string{"true"}}, Limits: sandbox.DefaultLimits()})
		ended <- err
	}()
	for {
		if _, err := os.Stat(begun); err == nil {
			break
		}
		select {
		case err := <-ended:
			t.Fatalf("it ended: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
