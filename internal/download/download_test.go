package download_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"agentd/internal/download"
)

// content is the file that the servers have.
func content() []byte {
	random := rand.NewChaCha8([32]byte{1})
	file := make([]byte, 300_000)
	_, _ = random.Read(file) // never fails
	return file
}

func sum(file []byte) string {
	s := sha256.Sum256(file)
	return hex.EncodeToString(s[:])
}

// server counts the requests that it answers.
type server struct {
	*httptest.Server
	requests atomic.Int32
}

// writer is where an answer goes.
type writer struct {
	http.ResponseWriter
	gone <-chan struct{} // closed when the client hangs up
}

// hang sends what was written and then nothing more.
func (w writer) hang() {
	w.flush()
	<-w.gone
}

func (w writer) flush() { w.ResponseWriter.(http.Flusher).Flush() }

// serve starts a server whose answers get the number of the request, from 1,
// and the first byte that is asked for.
func serve(t *testing.T, answer func(w writer, request, from int)) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from := 0
		if asked := r.Header.Get("Range"); asked != "" {
			from, _ = strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(asked, "bytes="), "-"))
		}
		answer(writer{w, r.Context().Done()}, int(s.requests.Add(1)), from)
	}))
	t.Cleanup(s.Close)
	return s
}

// rest sends a file from a byte on, as far as to, and says that all will come.
func rest(w writer, file []byte, from, to int) {
	if from >= len(file) {
		w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(file)-from))
	if from > 0 {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(file)-1, len(file)))
		w.WriteHeader(http.StatusPartialContent)
	}
	_, _ = w.Write(file[from:max(from, to)]) // who hangs up is the client
}

func fetching(t *testing.T, url string, file []byte) download.Download {
	t.Helper()
	return download.Download{
		URL: url, SHA256: sum(file), To: filepath.Join(t.TempDir(), "x.jsonl"), Bytes: int64(len(file)),
		MostBytes: 1 << 20, Silence: time.Minute, Total: time.Hour, Attempts: 3, Pause: time.Millisecond,
	}
}

// left lists the files of a folder with their sizes.
func left(t *testing.T, d download.Download) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(d.To))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, fmt.Sprintf("%s %d", e.Name(), info.Size()))
	}
	return strings.Join(names, ", ")
}

func TestServersThatServeTheFileInTheEnd(t *testing.T) {
	t.Parallel()
	file := content()
	for name, c := range map[string]struct {
		answer   func(w writer, request, from int)
		unsized  bool // the size is not known
		part     []byte
		silence  time.Duration
		requests int32
	}{
		"at once":           {answer: func(w writer, _, from int) { rest(w, file, from, len(file)) }, requests: 1},
		"size not known":    {answer: func(w writer, _, from int) { rest(w, file, from, len(file)) }, unsized: true, requests: 1},
		"cut off twice":     {answer: func(w writer, request, from int) { rest(w, file, from, min(len(file), request*100_000)) }, unsized: true, requests: 3},
		"goes on from part": {answer: func(w writer, _, from int) { rest(w, file[:], from, len(file)) }, part: file[:1234], requests: 1},
		"part of another file": {answer: func(w writer, _, from int) { rest(w, file, from, len(file)) },
			part: []byte("something else"), requests: 2},
		"part too long": {answer: func(w writer, _, from int) { rest(w, file, from, len(file)) },
			part: append(bytes.Clone(file), "and more"...), requests: 2},
		"part is the whole": {answer: func(w writer, _, from int) { rest(w, file, from, len(file)) }, part: file, requests: 1},
		"cannot resume": {answer: func(w writer, request, _ int) {
			if request == 1 {
				rest(w, file, 0, 50_000)
			} else {
				rest(w, file, 0, len(file))
			}
		}, requests: 2},
		"resumes elsewhere": {answer: func(w writer, request, from int) {
			if from > 0 {
				w.Header().Set("Content-Range", fmt.Sprintf("bytes 7-%d/%d", len(file)-1, len(file)))
				w.WriteHeader(http.StatusPartialContent)
				_, _ = w.Write(file[7:])
				return
			}
			rest(w, file, 0, len(file))
		}, part: file[:1000], requests: 2},
		"busy at first": {answer: func(w writer, request, from int) {
			if request < 3 {
				w.WriteHeader([]int{http.StatusServiceUnavailable, http.StatusTooManyRequests}[request-1])
				return
			}
			rest(w, file, from, len(file))
		}, requests: 3},
		"stalls once": {answer: func(w writer, request, from int) {
			if request > 1 {
				rest(w, file, from, len(file))
				return
			}
			rest(w, file, from, 70_000)
			w.hang()
		}, silence: 300 * time.Millisecond, requests: 2},
		"says more than there is": {answer: func(w writer, _, from int) {
			w.Header().Set("Content-Length", strconv.Itoa(len(file)+1000))
			_, _ = w.Write(file)
		}, requests: 1},
		"says less than there is": {answer: func(w writer, request, from int) {
			if request == 1 {
				w.Header().Set("Content-Length", "1000")
				_, _ = w.Write(file[:1000])
				return
			}
			rest(w, file, from, len(file))
		}, requests: 2},
		"does not say how much, and breaks off": {answer: func(w writer, request, from int) {
			if request == 1 {
				_, _ = w.Write(file[:200_000])
				w.flush()
				return
			}
			rest(w, file, from, len(file))
		}, requests: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, c.answer)
			d := fetching(t, s.URL, file)
			if c.unsized {
				d.Bytes = 0
			}
			if c.silence > 0 {
				d.Silence = c.silence
			}
			var have, total int64
			d.Progress = func(h, all int64) { have, total = h, all }
			if c.part != nil {
				if err := os.WriteFile(d.To+download.PartSuffix, c.part, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if there, err := d.Run(t.Context()); err != nil || there {
				t.Fatalf("there: %v, %v", there, err)
			}
			if got, err := os.ReadFile(d.To); err != nil || !bytes.Equal(got, file) {
				t.Errorf("%d bytes, %v, not the file", len(got), err)
			}
			if n := s.requests.Load(); n != c.requests {
				t.Errorf("%d requests, want %d", n, c.requests)
			}
			if all := left(t, d); all != "x.jsonl 300000" {
				t.Errorf("left: %s", all)
			}
			if len(c.part) < len(file) && (have != 300_000 || total < 300_000) {
				t.Errorf("progress ended at %d of %d", have, total)
			}
		})
	}
}

func TestServersThatDoNot(t *testing.T) {
	t.Parallel()
	file := content()
	for name, c := range map[string]struct {
		answer func(w writer, request, from int)
		kind   error
		says   string
		left   string
	}{
		"another file": {func(w writer, _, from int) { rest(w, []byte("an error page\n"), from, 14) },
			download.ErrWrongFile, "14 bytes with the SHA-256", ""},
		"another file of the size": {func(w writer, _, from int) { rest(w, bytes.Repeat([]byte{7}, len(file)), from, len(file)) },
			download.ErrWrongFile, "300000 bytes with the SHA-256", ""},
		"a longer file": {func(w writer, _, from int) {
			rest(w, append(bytes.Clone(file), "more"...), from, len(file)+4)
		},
			download.ErrWrongFile, "too many", ""},
		"a huge file": {func(w writer, _, _ int) { w.Header().Set("Content-Length", "9000000000") },
			download.ErrWrongFile, "9000000000 bytes or more, too many", ""},
		"not there":                {func(w writer, _, _ int) { w.WriteHeader(http.StatusNotFound) }, download.ErrRefused, "404 Not Found", ""},
		"not allowed":              {func(w writer, _, _ int) { w.WriteHeader(http.StatusForbidden) }, download.ErrRefused, "403 Forbidden", ""},
		"always broken":            {func(w writer, _, _ int) { w.WriteHeader(http.StatusBadGateway) }, download.ErrIncomplete, "502 Bad Gateway", ""},
		"stalls before the answer": {func(w writer, _, _ int) { <-w.gone }, download.ErrIncomplete, "sent nothing for 300ms", ""},
		"always cut off at the same place": {func(w writer, _, from int) { rest(w, file, from, 120_000) },
			download.ErrIncomplete, "120000 bytes are kept, the same command goes on from there", "x.jsonl.part 120000"},
		"sends without end": {func(w writer, _, _ int) {
			for _, err := w.Write(file); err == nil; _, err = w.Write(file) {
			}
		}, download.ErrWrongFile, "too many", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := fetching(t, serve(t, c.answer).URL, file)
			if strings.Contains(name, "end") {
				d.Bytes = 0 // then the limit holds
			}
			if strings.Contains(name, "stalls") {
				d.Silence = 300 * time.Millisecond
			}
			_, err := d.Run(t.Context())
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %v with %q", err, c.kind, c.says)
			}
			if all := left(t, d); all != c.left {
				t.Errorf("left: %q, want %q", all, c.left)
			}
		})
	}
}

func TestAnInterruptKeepsWhatCame(t *testing.T) {
	t.Parallel()
	file := content()
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(w writer, request, from int) {
		if request > 1 {
			rest(w, file, from, len(file))
			return
		}
		rest(w, file, from, 64<<10)
		w.flush()
		cancel()
		w.hang()
	})
	d := fetching(t, s.URL, file)
	if _, err := d.Run(ctx); !errors.Is(err, context.Canceled) || !errors.Is(err, download.ErrIncomplete) {
		t.Errorf("interrupted: %v", err)
	}
	if _, err := d.Run(t.Context()); err != nil {
		t.Error(err)
	}
	if all := left(t, d); all != "x.jsonl 300000" {
		t.Errorf("left: %s", all)
	}
}

func TestAFileThatIsThere(t *testing.T) {
	t.Parallel()
	file := content()
	s := serve(t, func(w writer, _, from int) { rest(w, file, from, len(file)) })
	d := fetching(t, s.URL, file)
	if err := os.WriteFile(d.To, file, 0o644); err != nil {
		t.Fatal(err)
	}
	if there, err := d.Run(t.Context()); !there || err != nil {
		t.Errorf("the right file: there %v, %v", there, err)
	}
	if err := os.WriteFile(d.To, []byte("my notes"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Run(t.Context()); !errors.Is(err, download.ErrInTheWay) {
		t.Errorf("another file: %v", err)
	}
	if n := s.requests.Load(); n != 0 {
		t.Errorf("%d requests, want none", n)
	}
	if all := left(t, d); all != "x.jsonl 8" {
		t.Errorf("left: %s", all)
	}
}

// The name of the file may be a link to nothing: the file takes its place.
func TestAFileIsNotWrittenThroughALink(t *testing.T) {
	t.Parallel()
	file := content()
	d := fetching(t, serve(t, func(w writer, _, from int) { rest(w, file, from, len(file)) }).URL, file)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Symlink(elsewhere, d.To); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(elsewhere); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file was made through the link: %v", err)
	}
	if info, err := os.Lstat(d.To); err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v, %v, want a regular file", info, err)
	}
}

// What a server points to is asked in its place, for the rest of a file too: only the
// hash decides what is taken.
func TestRedirectsAreFollowed(t *testing.T) {
	t.Parallel()
	file := content()
	s := serve(t, func(w writer, request, from int) { rest(w, file, from, min(len(file), request*200_000)) })
	pointing := httptest.NewServer(http.RedirectHandler(s.URL, http.StatusFound))
	t.Cleanup(pointing.Close)
	d := fetching(t, pointing.URL, file)
	if _, err := d.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(d.To); err != nil || !bytes.Equal(got, file) {
		t.Errorf("%d bytes, %v, not the file", len(got), err)
	}
	if n := s.requests.Load(); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}

func TestRedirectsThatLeadNowhere(t *testing.T) {
	t.Parallel()
	circle := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
	}))
	t.Cleanup(circle.Close)
	d := fetching(t, circle.URL+"/", content())
	if _, err := d.Run(t.Context()); !errors.Is(err, download.ErrIncomplete) || !strings.Contains(err.Error(), "redirects") {
		t.Errorf("%v, want ErrIncomplete that speaks of redirects", err)
	}
	if all := left(t, d); all != "" {
		t.Errorf("left: %s", all)
	}
}

func TestTwoDownloadsDoNotMix(t *testing.T) {
	t.Parallel()
	file := content()
	started, release := make(chan struct{}), make(chan struct{})
	s := serve(t, func(w writer, request, from int) {
		close(started)
		<-release
		rest(w, file, from, len(file))
	})
	d := fetching(t, s.URL, file)
	d.Silence = time.Minute
	first := make(chan error, 1)
	go func() { _, err := d.Run(t.Context()); first <- err }()
	<-started
	if _, err := d.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "another download is writing it") {
		t.Errorf("the second: %v", err)
	}
	close(release)
	if err := <-first; err != nil {
		t.Errorf("the first: %v", err)
	}
	if _, err := os.Stat(d.To + download.PartSuffix); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the part is left: %v", err)
	}
}

// A server that sends a byte now and then is never silent, and could keep a download
// for as long as it likes.
func TestADownloadEndsInTime(t *testing.T) {
	t.Parallel()
	file := content()
	for name, answer := range map[string]func(w writer, request, from int){
		"a byte now and then": func(w writer, _, from int) {
			w.Header().Set("Content-Length", strconv.Itoa(len(file)-from))
			if from > 0 {
				w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(file)-1, len(file)))
				w.WriteHeader(http.StatusPartialContent)
			}
			for i := from; i < len(file); i++ {
				if _, err := w.Write(file[i : i+1]); err != nil {
					return
				}
				w.flush()
				time.Sleep(5 * time.Millisecond)
			}
		},
		"a byte in each answer": func(w writer, _, from int) { rest(w, file, from, from+1) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := fetching(t, serve(t, answer).URL, file)
			d.Silence, d.Total = time.Minute, 300*time.Millisecond
			_, err := d.Run(t.Context())
			if !errors.Is(err, download.ErrIncomplete) || !strings.Contains(err.Error(), "it took longer than 300ms") {
				t.Errorf("%v, want ErrIncomplete that says so", err)
			}
			if all := left(t, d); !strings.HasPrefix(all, "x.jsonl.part ") {
				t.Errorf("left: %q", all)
			}
		})
	}
}

// The part is written to, so a file that somebody linked there must not be.
func TestAPartIsAFileOfItsOwn(t *testing.T) {
	t.Parallel()
	file := content()
	s := serve(t, func(w writer, _, from int) { rest(w, file, from, len(file)) })
	for name, place := range map[string]func(victim, part string) error{
		"a link":        os.Symlink,
		"a second name": os.Link,
		"a link to a pipe": func(victim, part string) error {
			return errors.Join(os.Remove(victim), syscall.Mkfifo(victim, 0o600), os.Symlink(victim, part))
		},
		"a pipe": func(_, part string) error { return syscall.Mkfifo(part, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := fetching(t, s.URL, file)
			victim := filepath.Join(t.TempDir(), "victim")
			if err := os.WriteFile(victim, []byte("as it was"), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := place(victim, d.To+download.PartSuffix); err != nil {
				t.Fatal(err)
			}
			if _, err := d.Run(t.Context()); !errors.Is(err, download.ErrInTheWay) || !strings.Contains(err.Error(), "x.jsonl.part") {
				t.Errorf("%v, want an error that says so", err)
			}
			if info, err := os.Stat(victim); err != nil || info.Mode().IsRegular() && info.Size() != int64(len("as it was")) {
				t.Errorf("the other file: %v, %v", info, err)
			}
			if _, err := os.Stat(d.To); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the file is there: %v", err)
			}
		})
	}
}

// A part of any size is not read through.
func TestAPartThatIsTooLargeIsDropped(t *testing.T) {
	t.Parallel()
	file := content()
	s := serve(t, func(w writer, _, from int) { rest(w, file, from, len(file)) })
	d := fetching(t, s.URL, file)
	part := d.To + download.PartSuffix
	if err := errors.Join(os.WriteFile(part, nil, 0o644), os.Truncate(part, 1<<40)); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Run(t.Context()); err != nil {
		t.Error(err)
	}
	if all := left(t, d); all != "x.jsonl 300000" {
		t.Errorf("left: %s", all)
	}
}
