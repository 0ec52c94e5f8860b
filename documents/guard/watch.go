package guard

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"agentd/internal/datafile"
)

// Watch checks the folder whenever it has changed and then been quiet for some time, until the context ends, and then once more. It
// looks every so often. ready is called once the folder as it is now is what changes are compared with. report gets what was refused; its error ends Watch. If the folder cannot be looked at for a while, report
// gets one Finding that says so, and Watch goes on.
func (l *Live) Watch(ctx context.Context, every, quiet time.Duration, ready func() error, report func(Finding) error) error {
	if err := l.begin(ctx); err != nil {
		return err
	}
	if err := ready(); err != nil {
		return err
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	var told string
	check := func() error {
		found, err := l.Check(context.WithoutCancel(ctx)) // what was begun is ended
		if err != nil {
			found = Finding{Failed: err}
		}
		text := fmt.Sprint(found.Refused, found.Failed)
		if found.Failed == nil && found.Refused == "" {
			told = ""
			return nil
		}
		if found.Failed != nil && text == told {
			return nil
		}
		told = text
		return report(found)
	}
	seen := "" // unlike any folder, so that the first look is followed by a check
	for since, pending := time.Now(), false; ; {
		select {
		case <-ctx.Done():
			return check()
		case now := <-tick.C:
			is := l.folder.glance()
			switch {
			case is != seen:
				seen, since, pending = is, now, true
			case pending && now.Sub(since) >= quiet:
				pending = false
				if err := check(); err != nil {
					return err
				}
			}
		}
	}
}

// begin takes the state of now as good, unless an agent's session is at work on the folder.
func (l *Live) begin(ctx context.Context) error {
	_, err := l.check(ctx, session{fresh: func(sessions map[string]time.Time) bool { return len(sessions) == 0 }})
	return err
}

// glance is a digest of the facts of all files. It reads no contents.
func (f *Folder) glance() string {
	sum := sha256.New()
	_, err := f.walk(func(_ *datafile.Folder, name string) error {
		var s unix.Stat_t
		err := unix.Lstat(filepath.Join(f.path, filepath.FromSlash(name)), &s)
		fmt.Fprintln(sum, name, factsOf(&s, time.Time{}), s.Mode, err)
		return nil
	})
	_, _ = io.WriteString(sum, fmt.Sprint(err)) // a hash takes everything
	return string(sum.Sum(nil))
}
