package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"agentd/internal/datafile"
	"agentd/vfs"
)

// snapshot is what the files of a folder were when they were last found good, and the sessions that are at work on them. Contents
// are kept apart, by their SHA-256.
type snapshot struct {
	Files    map[string]known     `json:"files"`
	Sessions map[string]time.Time `json:"sessions"` // by their ids, with the time of their last event
}

// known is what is known of a file. A file whose facts are the same is not read again.
type known struct {
	Facts facts  `json:"facts"`
	Sum   string `json:"sum"` // SHA-256 of the content, in hexadecimal
	Meta  *Meta  `json:"meta,omitempty"`
	Times *Times `json:"times,omitempty"`
}

// facts tell whether a file may have changed. The kernel sets the time of the last change of status at every write and
// rename, and no program can set it back.
type facts struct {
	Device   uint64 `json:"device"`
	Inode    uint64 `json:"inode"`
	Size     int64  `json:"size"`
	Modified int64  `json:"modified"` // ns since 1970
	Changed  int64  `json:"changed"`
	Settled  bool   `json:"settled"` // the last change was long enough ago for a later one to have another time
}

// settling is how much later a write has another time on any file system: FAT counts two seconds.
const settling = 2 * time.Second

func factsOf(s *unix.Stat_t, now time.Time) facts {
	changed := time.Unix(s.Ctim.Unix())
	return facts{uint64(s.Dev), s.Ino, s.Size, time.Unix(s.Mtim.Unix()).UnixNano(), changed.UnixNano(), now.Sub(changed) > settling}
}

// file is the content of a file with its attributes, for an exchange.
func (k known) file(content string) *File {
	return &File{Content: []byte(content), Meta: k.Meta, Times: k.Times}
}

// scan looks at all files. Those whose facts are as in the snapshot keep what is known of them; the others are read, and their
// contents returned. A file that is larger than a document may be is left out, as if it did not exist.
func (f *Folder) scan(was snapshot) (files map[string]known, read vfs.Files, err error) {
	files, read = map[string]known{}, vfs.Files{}
	now := time.Now()
	_, err = f.walk(func(folder *datafile.Folder, name string) error {
		// The facts are taken before the content, so a later change gives other facts.
		var s unix.Stat_t
		if err := unix.Lstat(filepath.Join(f.path, filepath.FromSlash(name)), &s); err != nil {
			return gone(err)
		}
		is := factsOf(&s, now)
		if k, there := was.Files[name]; there && k.Facts.Settled && k.Facts == is {
			files[name] = k
			return nil
		}
		content, err := folder.ReadFile(name)
		if errors.Is(err, datafile.ErrTooLarge) && s.Size > vfs.MaxFileBytes {
			return nil
		}
		if err != nil {
			return gone(err)
		}
		opened, err := folder.Open(name)
		if err != nil {
			return gone(err)
		}
		defer opened.Close()
		kept := times(&s)
		k := known{Facts: is, Sum: sumOf(string(content)), Times: &kept}
		if k.Meta, err = metaOf(int(opened.(*os.File).Fd()), &s); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		files[name], read[name] = k, string(content)
		return nil
	})
	return files, read, err
}

// gone is nil for a file that was removed while the folder was read.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func sumOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// store keeps a snapshot and the contents of its files, in a folder of its own next to the log.
type store struct{ dir string }

const (
	snapshotName = "snapshot.json"
	contentsName = "contents"
)

// load reads the snapshot. there is false if none was taken yet.
func (s store) load() (was snapshot, there bool, err error) {
	was = snapshot{Files: map[string]known{}, Sessions: map[string]time.Time{}}
	text, err := os.ReadFile(filepath.Join(s.dir, snapshotName))
	if errors.Is(err, fs.ErrNotExist) {
		return was, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &was)
	}
	if err != nil {
		return was, false, fmt.Errorf("reading the snapshot: %w", err)
	}
	return was, true, nil
}

// save writes the snapshot as a whole or not at all. Its contents must have been kept before.
func (s store) save(is snapshot) error {
	text, err := json.Marshal(is)
	if err == nil {
		err = s.write(filepath.Join(s.dir, snapshotName), text)
	}
	return err
}

func (s store) write(name string, content []byte) error {
	part, err := os.CreateTemp(s.dir, "*"+partSuffix)
	if err == nil {
		_, err = part.Write(content)
		err = errors.Join(err, part.Close())
	}
	if err == nil {
		err = os.Rename(part.Name(), name)
	}
	if err != nil {
		if part != nil {
			_ = os.Remove(part.Name()) // the first error is the one to tell
		}
		return fmt.Errorf("keeping the snapshot: %w", err)
	}
	return nil
}

// path is where a content is kept.
func (s store) path(sum string) string { return filepath.Join(s.dir, contentsName, sum) }

// keep keeps contents that are not kept yet.
func (s store) keep(contents vfs.Files) error {
	if err := os.MkdirAll(filepath.Join(s.dir, contentsName), 0o700); err != nil {
		return fmt.Errorf("keeping the snapshot: %w", err)
	}
	for _, content := range contents {
		name := s.path(sumOf(content))
		if info, err := os.Lstat(name); err == nil && info.Size() == int64(len(content)) {
			continue
		}
		if err := s.write(name, []byte(content)); err != nil {
			return err
		}
	}
	return nil
}

// content reads a kept content. It is an error if it is not what was kept.
func (s store) content(k known) (string, error) {
	text, err := os.ReadFile(s.path(k.Sum))
	if err == nil && sumOf(string(text)) != k.Sum {
		err = errors.New("its bytes have changed")
	}
	if err != nil {
		return "", fmt.Errorf("reading a kept document: %w", err)
	}
	return string(text), nil
}

// tidy removes contents that a snapshot does not hold, and what killed processes left.
func (s store) tidy(is snapshot) {
	wanted := map[string]bool{}
	for _, k := range is.Files {
		wanted[k.Sum] = true
	}
	kept, _ := os.ReadDir(filepath.Join(s.dir, contentsName)) // what is not removed now is removed next time
	for _, entry := range kept {
		if !wanted[entry.Name()] {
			_ = os.Remove(s.path(entry.Name()))
		}
	}
	parts, _ := filepath.Glob(filepath.Join(s.dir, "*"+partSuffix)) // the pattern is well formed
	for _, part := range parts {
		_ = os.Remove(part)
	}
}

// differing are the names of files whose contents or executable bits differ, sorted.
func differing(was, is map[string]known) []string {
	var names []string
	for name, k := range was {
		now, there := is[name]
		if now.Sum != k.Sum || there && k.Meta != nil && now.Meta != nil && (k.Meta.Mode^now.Meta.Mode)&execBits != 0 {
			names = append(names, name)
		}
	}
	for name := range is {
		if _, there := was[name]; !there {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// around are the names in the folders of other names, on either side.
func around(names []string, sides ...map[string]known) []string {
	folders, all := map[string]bool{}, slices.Clone(names)
	for _, name := range names {
		folders[path.Dir(name)] = true
	}
	for _, side := range sides {
		for name := range side {
			if folders[path.Dir(name)] {
				all = append(all, name)
			}
		}
	}
	return all
}
