package gym

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"agentd/results"
)

// benched are environments of different formats.
var benched = []string{"accounting1", "calendar1", "dns1", "json1", "subtitles1", "transit1"}

// sixCalls plays an episode of six calls without scripts: it reads, writes what the exact program makes of one file, and finishes.
func (g *gym) sixCalls(b *testing.B, c *client, seed int) {
	s := c.reset(m{"seed": seed})
	files := g.exact(b, s)
	name := files.Names()[0]
	for k := range 3 {
		c.call("read_file", m{"path": s.Observation.Files[k%len(s.Observation.Files)]})
	}
	c.call("list", nil)
	c.call("write_file", m{"path": name, "content": files[name]})
	if s = c.call("finish", nil); !s.Done {
		b.Fatalf("%+v", s)
	}
}

// BenchmarkEpisodes plays episodes on eight connections at the same time, with clients in the same process, and stores them.
func BenchmarkEpisodes(b *testing.B) {
	store, err := results.Open(filepath.Join(b.TempDir(), "results.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	g := serve(b, Options{Store: store}, benched...)
	clients := make(chan *client, 8)
	for range cap(clients) {
		clients <- g.dial(b, "/ws")
	}
	b.ResetTimer()
	var group errgroup.Group
	group.SetLimit(cap(clients))
	for seed := range b.N {
		group.Go(func() error {
			c := <-clients
			g.sixCalls(b, c, seed)
			clients <- c
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Minutes(), "episodes/min")
}

// BenchmarkSessions holds 200 sessions open, each in an episode, and reports what the process has of memory.
func BenchmarkSessions(b *testing.B) {
	g := serve(b, Options{}, benched...)
	for b.Loop() {
		clients := make([]*client, 200)
		for i := range clients {
			clients[i] = g.dial(b, "/ws")
			s := clients[i].reset(m{"seed": i})
			clients[i].call("read_file", m{"path": s.Observation.Files[0]})
			clients[i].call("write_file", m{"path": "note.txt", "content": "x"})
		}
		runtime.GC()
		debug.FreeOSMemory()
		b.ReportMetric(resident(b), "MiB-resident")
		for _, c := range clients {
			_ = c.CloseNow()
		}
		eventually(b, "the sessions are free", func() bool { return g.active() == 0 })
	}
}

// resident is the memory of this process, in MiB.
func resident(b *testing.B) float64 {
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip(err)
	}
	_, rest, _ := strings.Cut(string(raw), "VmRSS:")
	var kib float64
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		b.Fatal(err)
	}
	return kib / 1024
}
