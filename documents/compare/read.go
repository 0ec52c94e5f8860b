package compare

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"agentd/domains"
	"agentd/internal/charset"
	"agentd/internal/datafile"
	"agentd/internal/lazyregexp"
	"agentd/internal/usage"
	"agentd/vfs"
)

// Options controls how documents are read.
type Options struct {
	Domain   domains.Domain   // nil detects it
	Encoding charset.Encoding // of files that are not UTF-8; the zero value detects it
	Hidden   bool             // include hidden folders
}

// ComparePaths compares two files, or two folders with everything in them. A zip archive is read as a folder.
// Two files are one document, even if their names differ. os.DevNull stands for a missing file. Hidden
// folders such as .git are skipped unless Hidden is set. Links and other special files are skipped and listed in
// Report.Skipped. If a path cannot be read, the error is a usage.Error.
func ComparePaths(before, after string, o Options) (Report, error) {
	left, err := read(before, o.Hidden)
	if err != nil {
		return Report{}, err
	}
	right, err := read(after, o.Hidden)
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
		left.rename(fitting(name, o.Domain))
		right.rename(fitting(name, o.Domain))
	}
	return compareSides(left, right, o), nil
}

// compareFiles compares two files as versions of the document with the given name, with the executable bit before and
// after, if known. Their own names and permissions are ignored, because version control systems store versions under
// temporary names. Either file may be os.DevNull.
func compareFiles(name, before, after string, o Options, was, is map[string]bool) (Report, error) {
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
		case s.folder && (left.single() || right.single()): // the other side is missing: compare the bytes
			*s = side{files: vfs.Files{name: s.archive}, name: name}
		case s.folder:
			s.below(name)
		}
		s.rename(name)
	}
	left.executable, right.executable = was, is
	return compareSides(left, right, o), nil
}

// gitObject matches a hash as git writes it, gitMode a file mode; git writes a dot for a missing one.
var (
	gitObject = lazyregexp.New(`^([0-9a-f]{1,64}|\.)$`)
	gitMode   = lazyregexp.New(`^([0-7]{1,6}|\.)$`)
)

// CompareGit takes the arguments that git gives an external diff program: the path, then file, hash and mode
// before, the same after, and two more for a renamed file. A path alone is an unmerged file, so there is nothing
// to compare. Arguments are recognised by position, so any file name is valid.
func CompareGit(args []string, o Options) (Report, error) {
	const plain, renamed = 7, 9
	switch len(args) {
	case plain, renamed:
		for _, at := range []int{2, 5} {
			if !gitObject.MatchString(args[at]) || !gitMode.MatchString(args[at+1]) {
				return Report{}, usage.Errorf("--git takes what git gives an external diff program, and %q with %q are no hash and mode; "+
					"options of agentd diff stand before --git", args[at], args[at+1])
			}
		}
		runs := func(mode string) map[string]bool { return map[string]bool{args[0]: mode == "100755"} }
		return compareFiles(args[0], args[1], args[4], o, runs(args[3]), runs(args[6]))
	case 1:
		return Report{Same: true, Documents: []Document{}, Skipped: []Skipped{{args[0], "it is not merged"}}}, nil
	}
	return Report{}, usage.Errorf("--git takes the arguments that git gives an external diff program, %d or %d, not %d; "+
		"options of agentd diff stand before --git", plain, renamed, len(args))
}

// side is the content of one path.
type side struct {
	files   vfs.Files
	name    string // of the only file
	folder  bool
	archive string // bytes of the archive that contains the files; empty for a folder
	skipped []Skipped
	// executable holds the names of executable files; unknown for archives.
	executable map[string]bool
}

func (s *side) single() bool { return s.name != "" }

// rename renames the only file.
func (s *side) rename(name string) {
	if s.single() {
		s.files = vfs.Files{name: s.files[s.name]}
		if is, known := s.executable[s.name]; known {
			s.executable = map[string]bool{name: is}
		}
		s.name = name
	}
}

// below prefixes the files of an archive with its name.
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
	return side{files: vfs.Files{name: string(content)}, name: name, skipped: skipped, executable: map[string]bool{name: executable(info)}}, nil
}

// executable reports whether any user may execute a file.
func executable(info fs.FileInfo) bool { return info.Mode()&0o111 != 0 }

func readFolder(at string, hidden bool) (side, error) {
	folder, err := datafile.OpenFolder(at, datafile.DefaultLimits())
	if err != nil {
		return side{}, usage.Errorf("reading documents: %w", err)
	}
	defer folder.Close()
	s := side{files: vfs.Files{}, folder: true, executable: map[string]bool{}}
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
		info, err := entry.Info()
		s.executable[name] = err == nil && executable(info)
		return nil
	})
	if err != nil {
		return side{}, usage.Errorf("reading documents: %w", err)
	}
	return s, nil
}

// Documents reads the file, or all files below the folder, that a user named. If one cannot
// be read, the error is a usage.Error.
func Documents(path string) (vfs.Files, error) { return DocumentsBy(&datafile.Reader{}, path) }

// DocumentsBy is Documents by a reader that notes encodings.
func DocumentsBy(r *datafile.Reader, path string) (vfs.Files, error) {
	files, err := r.Read(path, vfs.MaxFileBytes)
	if err != nil {
		return nil, usage.Errorf("reading documents: %w", err)
	}
	return files, nil
}

// OneDocument reads files and folders that together are one document. If one cannot be read,
// or two files have the same name, the error is a usage.Error.
func OneDocument(r *datafile.Reader, paths []string) (vfs.Files, error) {
	all := vfs.Files{}
	for _, path := range paths {
		files, err := DocumentsBy(r, path)
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
