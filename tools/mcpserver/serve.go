package mcpserver

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"agentd/internal/sameorigin"
	"agentd/vfs"
)

// ServeStdio serves one client over in and out. It returns when the client disconnects, or once
// the first answer after the closing of finished is written.
func ServeStdio(ctx context.Context, server *mcp.Server, in io.Reader, out io.Writer, finished <-chan struct{}) error {
	serving, stop := context.WithCancel(ctx)
	defer stop()
	writer := &lastWriter{out: out, last: finished, written: stop}
	err := server.Run(serving, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: writer})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// lastWriter calls written after the first write that follows the closing of last.
type lastWriter struct {
	out     io.Writer
	last    <-chan struct{}
	written func()
}

func (w *lastWriter) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	select {
	case <-w.last:
		w.written()
	default:
	}
	return n, err
}

func (*lastWriter) Close() error { return nil }

// MostRequestBytes bounds a request: a call that writes the largest file, with as much
// again for the escapes in its JSON.
const MostRequestBytes = 2 * vfs.MaxFileBytes

// ServeHTTP serves any number of clients on a listener until finished is closed or ctx
// ends. hosts are the names that requests may have for this server; nil for any.
func ServeHTTP(ctx context.Context, listener net.Listener, hosts []string, server *mcp.Server, finished <-chan struct{}) error {
	mux := http.NewServeMux()
	mux.Handle("/mcp", http.MaxBytesHandler(Handler(server), MostRequestBytes))
	web := &http.Server{
		Handler: sameorigin.Handler(hosts, mux), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: time.Minute,
		MaxHeaderBytes: 64 << 10,
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = web.Serve(listener) })
	select {
	case <-finished:
	case <-ctx.Done(): // what was made so far is scored
	}
	const answering = 2 * time.Second
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), answering)
	defer cancel()
	if err := web.Shutdown(ending); err != nil {
		_ = web.Close() // a client that does not take its answer
	}
	serving.Wait()
	return nil
}
