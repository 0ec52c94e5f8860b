package viewer

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

const (
	// readTimeout bounds how long a client may take to send a request.
	readTimeout = 10 * time.Second
	// grace is how long Serve waits for answers under way after it is told to stop.
	grace = 5 * time.Second
	// mostHeaderBytes bounds the header of a request.
	mostHeaderBytes = 64 << 10
)

// Serve answers requests until ctx ends, then finishes those in progress. It closes the listener.
func (v *Viewer) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: v, ReadHeaderTimeout: readTimeout, ReadTimeout: readTimeout, IdleTimeout: time.Minute,
		MaxHeaderBytes: mostHeaderBytes,
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := server.Shutdown(ending); err != nil {
		_ = server.Close() // what took too long is cut off
	}
	<-ended
	return nil
}
