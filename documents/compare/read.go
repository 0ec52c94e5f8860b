package compare

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"agentd/domains"
	"agentd/internal/datafile"
	"agentd/internal/usage"
	"agentd/vfs"
)

// ComparePaths compares two files, or two folders with everything in them. A zip archive is compared as
// the folder it was made of. Two files are one document, even if their names differ. os.DevNull stands for no file. Hidden
// folders such as .git are skipped, unless hidden is set. Links and other special files are skipped and named in
// Report.Skipped. Paths that cannot be read are a usage error.
func ComparePaths(before, after string, hidden bool, domain domains.Domain) (Report, error) {
	left, err := read(before, hidden)
	if err != nil {
		return Report{}, err
	}
	right, err := read(after, hidden)
	if err != nil {
		return Report{}, err
	}
	switch folder := left.folder || right.folder; {
	case folder && (left.single() || right.single()):
		for _, s := range []side{left, right} {
			if s.single() && len(s.skipped) > 0 { // an archive that cannot be read
				return Report{}, usage.Errorf("%s: %s", s.skipped[0].Path, s.skipped[0].Why)
			}
		}
		return Report{}, usage.Errorf("%s and %s: one is a folder and the other a file; give two of a kind", before, after)
	case !folder:
		name := left.name
		if name == "" {
			name = right.name
		}
		left.rename(fitting(name, domain))
		right.rename(fitting(name, domain))
	}
	r := Compare(left.files, right.files, domain)
	r.Skipped = append(append(r.Skipped, left.skipped...), right.skipped...)
	return r, nil
}

// CompareFiles compares two files as versions of the document that has the given name. Version control systems
// keep versions under names of their own. Either file may be os.DevNull.
func CompareFiles(name, before, after string, domain domains.Domain) (Report, error) {
	left, err := read(before, false)
	if err != nil {
		return Report{}, err
	}
	right, err := read(after, false)
	if err != nil {
		return Report{}, err
	}
	for _, s := range []*side{&left, &right} {
		for i := range s.skipped {
			s.skipped[i].Path = name
		}
		switch {
		case s.folder && s.archive == "":
			return Report{}, usage.Errorf("%s: a folder cannot be compared as the file %s", before, name)
		case s.folder && (left.single() || right.single()): // the other is none: compare the bytes
			*s = side{files: vfs.Files{name: s.archive}, name: name}
		case s.folder:
			s.below(name)
		}
		s.rename(name)
	}
	r := Compare(left.files, right.files, domain)
	r.Skipped = append(append(r.Skipped, left.skipped...), right.skipped...)
	return r, nil
}

// gitObject is a hash as git writes it, or a dot where there is none; gitMode is a file's mode, likewise.
var (
	gitObject = regexp.MustCompile(`^([0-9a-f]{1,64}|\.)$`)
	gitMode   = regexp.MustCompile(`^([0-7]{1,6}|\.)$`)
)

// CompareGit compares what git gives an external diff program: a path, then file, hash and mode
// before, and the same after; two more for a renamed file. A path without the rest is a file that is not
// merged, so there is nothing to compare. Arguments are known by their places, so a name may be anything.
func CompareGit(args []string, domain domains.Domain) (Report, error) {
	const plain, renamed = 7, 9
	switch len(args) {
	case plain, renamed:
		for _, at := range []int{2, 5} {
			if !gitObject.MatchString(args[at]) || !gitMode.MatchString(args[at+1]) {
				return Report{}, usage.Errorf("--git takes what git gives an external diff program, and %q with %q are no hash and mode; "+
					"options of agentd diff stand before --git", args[at], args[at+1])
			}
		}
		return CompareFiles(args[0], args[1], args[4], domain)
	case 1:
		return Report{Same: true, Documents: []Document{}, Skipped: []Skipped{{args[0], "it is not merged"}}}, nil
	}
	return Report{}, usage.Errorf("--git takes the arguments that git gives an external diff program, %d or %d, not %d; "+
		"options of agentd diff stand before --git", plain, renamed, len(args))
}

// side is what one path holds.
type side struct {
	files   vfs.Files
	name    string // of the only file
	folder  bool
	archive string // content of the archive that the files are in; empty for a folder
	skipped []Skipped
}

func (s *side) single() bool { return s.name != "" }

// rename gives the only file a name.
func (s *side) rename(name string) {
	if s.single() {
		s.files = vfs.Files{name: s.files[s.name]}
		s.name = name
	}
}

// below puts the files of an archive below its name.
func (s *side) below(name string) {
	files := vfs.Files{}
	for file, content := range s.files {
		files[path.Join(name, file)] = content
	}
	s.files = files
}

// fitting returns a name that fits the domain. A name that does not fit gets the extension of the domain's first
// pattern. Every name fits a nil domain.
func fitting(name string, d domains.Domain) string {
	if d == nil || len(vfs.Files{name: ""}.Match(d.Info().Patterns)) > 0 {
		return name
	}
	first := d.Info().Patterns[0]
	if extension := path.Ext(first); extension != "" {
		return strings.TrimSuffix(name, path.Ext(name)) + extension
	}
	return strings.ReplaceAll(first, "*", "")
}

func read(at string, hidden bool) (side, error) {
	if at == os.DevNull {
		return side{files: vfs.Files{}}, nil
	}
	info, err := os.Stat(at)
	if err != nil {
		return side{}, usage.Errorf("reading documents: %w", err)
	}
	if info.IsDir() {
		return readFolder(at, hidden)
	}
	content, err := datafile.Read(at, vfs.MaxFileBytes)
	if err != nil {
		return side{}, usage.Errorf("reading documents: %w", err)
	}
	var skipped []Skipped
	if datafile.IsArchive(content) {
		files, err := datafile.Unzip(at, content, datafile.DefaultLimits())
		if err == nil {
			return side{files: files, folder: true, archive: string(content)}, nil
		}
		skipped = append(skipped, Skipped{at, "its files are not compared, only its bytes: " + err.Error()})
	}
	name := filepath.Base(at)
	return side{files: vfs.Files{name: string(content)}, name: name, skipped: skipped}, nil
}

func readFolder(at string, hidden bool) (side, error) {
	folder, err := datafile.OpenFolder(at, datafile.DefaultLimits())
	if err != nil {
		return side{}, usage.Errorf("reading documents: %w", err)
	}
	defer folder.Close()
	s := side{files: vfs.Files{}, folder: true}
	err = fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if !hidden && name != "." && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		content, err := folder.ReadFile(name)
		switch {
		case errors.Is(err, datafile.ErrKind):
			s.skipped = append(s.skipped, Skipped{filepath.Join(at, name), "not a regular file"})
			return nil
		case err != nil:
			return err
		}
		s.files[name] = string(content)
		return nil
	})
	if err != nil {
		return side{}, usage.Errorf("reading documents: %w", err)
	}
	return s, nil
}

// Documents reads the file, or all files below the folder, that a user named. What cannot
// be read is a usage.Error.
func Documents(path string) (vfs.Files, error) {
	files, err := datafile.ReadDocuments(path, vfs.MaxFileBytes)
	if err != nil {
		return nil, usage.Errorf("reading documents: %w", err)
	}
	return files, nil
}

// OneDocument reads files and folders that together are one document. What cannot be read,
// and two files of one name, are a usage.Error.
func OneDocument(paths []string) (vfs.Files, error) {
	all := vfs.Files{}
	for _, path := range paths {
		files, err := Documents(path)
		if err != nil {
			return nil, err
		}
		for name, content := range files {
			if _, twice := all[name]; twice {
				return nil, usage.Errorf("two documents are called %s; give their folder instead", name)
			}
			all[name] = content
		}
	}
	return all, nil
}
