// Package download fetches a file whose hash is known, and trusts nothing that the
// server says of it. The content must have the wanted hash. A download that was cut
// off is resumed, a server that falls silent is given up, and one that sends without
// end is cut short. The file appears under its name only when it is whole and right,
// and what came so far is never written through a link.
package download

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Kinds of errors.
var (
	// ErrWrongFile marks content that is not what was wanted.
	ErrWrongFile = errors.New("wrong file")
	// ErrInTheWay marks a file of that name with other content.
	ErrInTheWay = errors.New("another file has this name")
	// ErrIncomplete marks a download that did not end; what came is kept, and
	// the next one goes on from there.
	ErrIncomplete = errors.New("incomplete download")
	// ErrRefused marks an answer that asking again would not change.
	ErrRefused = errors.New("the server does not serve the file")
)

// Download is one file to be had.
type Download struct {
	URL    string
	SHA256 string // of the whole file, in hexadecimal digits
	To     string // where it shall be; what came so far is next to it, with PartSuffix
	// Bytes is the size of the whole file, 0 if it is not known.
	Bytes int64
	// MostBytes is the largest file that is taken.
	MostBytes int64
	// Silence is how long a server may send nothing, and Total how long the download
	// may take in all.
	Silence, Total time.Duration
	// Attempts is how often a download that was cut off is resumed without
	// another byte having come.
	Attempts int
	// Pause is the time before the first of these; each is twice as long.
	Pause time.Duration
	// Progress is told how many bytes there are, of how many; total is -1 if the
	// server does not say.
	Progress func(have, total int64)
}

// PartSuffix ends the name of a file that is not whole yet.
const PartSuffix = ".part"

// New returns a download with limits that suit a file of some megabytes.
func New(address, sum, to string) Download {
	return Download{
		URL: address, SHA256: sum, To: to,
		MostBytes: 1 << 30, Silence: 30 * time.Second, Total: time.Hour, Attempts: 5, Pause: time.Second,
	}
}

// CheckURL refuses an address that is none of http or https.
func CheckURL(address string) error {
	if parsed, err := url.Parse(address); err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return fmt.Errorf("%q: use an http or https address", address)
	}
	return nil
}

// CheckSHA256 refuses what cannot be a SHA-256 in hexadecimal digits.
func CheckSHA256(sum string) error {
	if digits, err := hex.DecodeString(sum); err != nil || len(digits) != sha256.Size {
		return fmt.Errorf("%q: use the %d hexadecimal digits that sha256sum prints", sum, 2*sha256.Size)
	}
	return nil
}

// Run downloads the file. there is true if it was there already, whole and
// right; then no server is asked.
func (d Download) Run(ctx context.Context) (there bool, err error) {
	switch sum, err := sumOf(d.To); {
	case err == nil && strings.EqualFold(sum, d.SHA256):
		return true, nil
	case err == nil:
		return false, fmt.Errorf("%s: %w: its SHA-256 is %s, wanted is %s; move it away, or choose another name",
			d.To, ErrInTheWay, sum, d.SHA256)
	case !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	part, err := openPart(d.To+PartSuffix, d.MostBytes)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, part.file.Close()) }()
	ctx, cancel := context.WithTimeoutCause(ctx, d.Total, fmt.Errorf("it took longer than %v", d.Total))
	defer cancel()
	if err := d.complete(ctx, part); err != nil {
		if part.size == 0 {
			err = errors.Join(err, os.Remove(part.file.Name()))
		}
		return false, err
	}
	if err := part.file.Sync(); err != nil {
		return false, err
	}
	return false, os.Rename(part.file.Name(), d.To)
}

// complete fetches until the part is the whole file. A part of an earlier run
// that leads to a wrong file is dropped once: it may be of another file.
func (d Download) complete(ctx context.Context, p *part) error {
	old := p.size > 0
	for {
		if err := d.fetchAll(ctx, p); err != nil {
			return err
		}
		sum := p.sum()
		if strings.EqualFold(sum, d.SHA256) {
			return nil
		}
		size := p.size
		if err := p.restart(); err != nil {
			return err
		}
		if !old {
			return fmt.Errorf("%s: %w: %d bytes with the SHA-256 %s, wanted is %s; look at what the address serves",
				d.URL, ErrWrongFile, size, sum, d.SHA256)
		}
		old = false
	}
}

// fetchAll asks again for what is missing as long as something comes, and a few
// times more.
func (d Download) fetchAll(ctx context.Context, p *part) error {
	attempt, pause := 0, d.Pause
	for {
		before := p.size
		err := d.fetch(ctx, p)
		switch {
		case err == nil, strings.EqualFold(p.sum(), d.SHA256): // whole, regardless of what the server says
			return nil
		case ctx.Err() != nil:
			return fmt.Errorf("%w of %s: %d bytes are kept, the same command goes on from there: %w", ErrIncomplete, d.URL, p.size, context.Cause(ctx))
		case errors.Is(err, ErrRefused), errors.Is(err, errLocal):
			return err
		case errors.Is(err, ErrWrongFile):
			return errors.Join(err, p.restart())
		case p.size > before:
			attempt, pause = 0, d.Pause
		}
		if attempt++; attempt >= d.Attempts {
			return fmt.Errorf("%w of %s: %w; %d bytes are kept, the same command goes on from there", ErrIncomplete, d.URL, err, p.size)
		}
		select {
		case <-time.After(pause):
			pause *= 2
		case <-ctx.Done():
		}
	}
}

// errLocal marks an error of this machine, not of the server.
var errLocal = errors.New("writing the file")

// fetch asks once for what is missing. The error is nil if the server says that
// this was all.
func (d Download) fetch(ctx context.Context, p *part) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silent := fmt.Errorf("the server sent nothing for %v", d.Silence)
	watch := time.AfterFunc(d.Silence, func() { cancel(silent) })
	defer watch.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.URL, nil)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	// Compressed on the way, a file has other bytes than those to be resumed.
	request.Header.Set("Accept-Encoding", "identity")
	if p.size > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", p.size))
	}
	client := &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	defer client.CloseIdleConnections()
	response, err := client.Do(request)
	if err != nil {
		return causeOr(ctx, err)
	}
	defer response.Body.Close()
	total, done, err := d.agree(response, p)
	if done || err != nil {
		return err
	}
	return d.take(ctx, response.Body, p, total, watch)
}

// agree looks at what the server is about to send and where that belongs. done
// is true if nothing is missing.
func (d Download) agree(response *http.Response, p *part) (total int64, done bool, err error) {
	total = -1
	switch code := response.StatusCode; {
	case code == http.StatusPartialContent:
		var first, last int64
		if n, _ := fmt.Sscanf(response.Header.Get("Content-Range"), "bytes %d-%d/%d", &first, &last, &total); n < 2 || first != p.size {
			return 0, false, errors.Join(fmt.Errorf("the server sent %q where %d bytes were there", response.Header.Get("Content-Range"), p.size), p.restart())
		}
	case code == http.StatusOK: // all of it, though a part was asked for
		if err := p.restart(); err != nil {
			return 0, false, err
		}
		total = response.ContentLength
	case code == http.StatusRequestedRangeNotSatisfiable && p.size > 0:
		return 0, true, nil // the server has no more than is there; the hash will tell
	case code >= 500, code == http.StatusTooManyRequests, code == http.StatusRequestTimeout:
		return 0, false, fmt.Errorf("the server answered %s", response.Status)
	default:
		return 0, false, fmt.Errorf("%s: %w: it answered %s; look at the address", d.URL, ErrRefused, response.Status)
	}
	if total > d.MostBytes {
		return 0, false, d.tooLarge(total)
	}
	if d.Bytes > 0 {
		total = d.Bytes
	}
	return total, false, nil
}

func (d Download) tooLarge(size int64) error {
	return fmt.Errorf("%s: %w: it has %d bytes or more, too many", d.URL, ErrWrongFile, size)
}

// take adds a body to what is there. A body that is shorter than the
// server said is an error, and so is one without a length that breaks off.
func (d Download) take(ctx context.Context, body io.Reader, p *part, total int64, watch *time.Timer) error {
	buffer := make([]byte, 64<<10)
	for {
		n, err := body.Read(buffer)
		if n > 0 {
			watch.Reset(d.Silence)
			if err := p.add(buffer[:n]); err != nil {
				return err
			}
			if p.size > d.MostBytes || d.Bytes > 0 && p.size > d.Bytes {
				return d.tooLarge(p.size)
			}
			if d.Progress != nil {
				d.Progress(p.size, total)
			}
		}
		switch {
		case errors.Is(err, io.EOF) && total >= 0 && p.size < total:
			return fmt.Errorf("the server ended after %d of %d bytes", p.size, total)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return causeOr(ctx, err)
		}
	}
}

// causeOr is why the context ended, if it did: the error of a request that was
// cut short for it only says that it was.
func causeOr(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// part is a file that is not whole yet, with the hash of what there is.
type part struct {
	file *os.File
	hash hash.Hash
	size int64
}

// openPart opens a part for this process alone and reads what is there. It is written
// to, so it must be a regular file that has no other name: through a link another file
// would be overwritten. A part of more than most bytes is dropped.
func openPart(name string, most int64) (*part, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o644)
	if errors.Is(err, unix.ELOOP) {
		err = errNotRegular
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p := &part{file: file, hash: sha256.New()}
	if err := p.open(most); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), file.Close())
	}
	return p, nil
}

// errNotRegular refuses a part that is no regular file of a single name.
var errNotRegular = fmt.Errorf("%w: it is a link, has another name or is no file; remove it, or choose another name", ErrInTheWay)

func (p *part) open(most int64) error {
	if err := unix.Flock(int(p.file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return fmt.Errorf("another download is writing it: %w", err)
	}
	info, err := p.file.Stat()
	if err != nil {
		return err
	}
	if of, ok := info.Sys().(*syscall.Stat_t); !info.Mode().IsRegular() || !ok || of.Nlink != 1 {
		return errNotRegular
	}
	if info.Size() > most {
		return p.restart()
	}
	p.size, err = io.Copy(p.hash, p.file)
	return err
}

func (p *part) add(content []byte) error {
	n, err := p.file.Write(content)
	p.hash.Write(content[:n])
	p.size += int64(n)
	if err != nil {
		return fmt.Errorf("%w: %w", errLocal, err)
	}
	return nil
}

// sum is the hash of what is there, in hexadecimal digits.
func (p *part) sum() string { return hex.EncodeToString(p.hash.Sum(nil)) }

// restart drops what is there.
func (p *part) restart() error {
	p.hash.Reset()
	p.size = 0
	if _, err := p.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("%w: %w", errLocal, err)
	}
	if err := p.file.Truncate(0); err != nil {
		return fmt.Errorf("%w: %w", errLocal, err)
	}
	return nil
}

func sumOf(name string) (string, error) {
	f, err := os.Open(filepath.Clean(name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("reading %s: %w", name, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
