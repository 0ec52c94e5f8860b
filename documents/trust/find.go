package trust

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/internal/charset"
	"agentd/internal/datafile"
	"agentd/internal/usage"
	"agentd/vfs"
)

// Found is a document: one file, or several files of a folder that belong together.
type Found struct {
	Path   string // of the file, or of the folder of several
	Files  vfs.Files
	Domain domains.Domain
	// Encodings are those of the files that were not in UTF-8.
	Encodings charset.Encodings
	// folder is where the files are.
	folder string
}

// Skipped is a file or document that is not tested.
type Skipped struct {
	Path string `json:"path"`
	Why  string `json:"why"`
	// Asked says that the verdict cannot be Yes because of it: the user named this very file, or no
	// edits can be derived for the document.
	Asked bool `json:"asked"`
}

// mostFiles limits how many files are examined.
const mostFiles = 5_000

// Find looks for documents at paths: files, folders with everything in them, and patterns such as
// ledgers/*.ledger. A zip archive is read as a folder. Hidden files and folders are skipped. Each
// document gets the given domain, or else the one that fits best. The error is a usage.Error if a
// path does not exist or the domain is unknown. assumed is the encoding of files that are not UTF-8; its zero value detects it.
func Find(paths []string, domain string, assumed charset.Encoding) ([]Found, []Skipped, error) {
	f := finder{
		folders: map[string]vfs.Files{}, archives: map[string]string{}, named: map[string]bool{}, reader: datafile.Reader{Assumed: assumed},
	}
	if domain != "" {
		d, err := catalog.Find(domain)
		if err != nil {
			return nil, nil, err
		}
		f.only = d
	}
	for _, p := range paths {
		if err := f.look(p); err != nil {
			return nil, nil, err
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(f.folders)) {
		f.group(folder, f.folders[folder])
	}
	for _, archive := range slices.Compact(slices.Sorted(maps.Values(f.archives))) {
		if !slices.ContainsFunc(f.found, func(d Found) bool { return strings.HasPrefix(d.Path, archive+string(filepath.Separator)) }) {
			f.skip(archive, "no domain reads what is in the archive")
		}
	}
	slices.SortStableFunc(f.found, func(a, b Found) int { return strings.Compare(a.Path, b.Path) })
	slices.SortStableFunc(f.skipped, func(a, b Skipped) int { return strings.Compare(a.Path, b.Path) })
	return f.found, f.skipped, nil
}

// finder collects files by folder, then groups them into documents.
type finder struct {
	only    domains.Domain       // nil to detect the domain
	folders map[string]vfs.Files // by base name
	// archives maps a folder to the archive that contains it, if any.
	archives map[string]string
	named    map[string]bool // paths that the user named
	reader   datafile.Reader // knows files by their whole paths
	files    int
	found    []Found
	skipped  []Skipped
}

// look collects the files that a path names.
func (f *finder) look(p string) error {
	info, err := os.Stat(p)
	switch {
	case err == nil && info.IsDir():
		return f.walk(filepath.Clean(p))
	case err == nil:
		f.named[filepath.Clean(p)] = true
		return f.read(filepath.Clean(p))
	}
	matches, wrong := filepath.Glob(p)
	if wrong != nil || len(matches) == 0 {
		return usage.Errorf("finding documents: %w", err)
	}
	for _, match := range matches {
		if info, err := os.Stat(match); err == nil && info.Mode().IsRegular() {
			if err := f.read(filepath.Clean(match)); err != nil {
				return err
			}
		}
	}
	return nil
}

// walk collects the regular files of a folder, recursively.
func (f *finder) walk(root string) error {
	return filepath.WalkDir(root, func(p string, entry fs.DirEntry, err error) error {
		hidden := p != root && strings.HasPrefix(entry.Name(), ".")
		switch {
		case err != nil:
			return usage.Errorf("finding documents: %w", err)
		case hidden && entry.IsDir():
			return fs.SkipDir
		case hidden || !entry.Type().IsRegular():
			return nil
		}
		return f.read(p)
	})
}

// read collects a file. A file that is not text is skipped.
func (f *finder) read(p string) error {
	if f.files++; f.files > mostFiles {
		return usage.Errorf("there are more than %d files; name the documents themselves", mostFiles)
	}
	content, err := datafile.Read(p, vfs.MaxFileBytes)
	if err == nil && datafile.IsArchive(content) {
		return f.unpack(p)
	}
	if err == nil {
		var text string
		if text, err = f.reader.Text(p, p, content); err == nil {
			f.take(p, text)
		}
	}
	if err != nil {
		f.skip(p, err.Error())
	}
	return nil
}

// unpack collects the files of an archive as if it were a folder. An archive that cannot be read is
// skipped.
func (f *finder) unpack(p string) error {
	inside := datafile.Reader{Assumed: f.reader.Assumed}
	files, err := inside.Read(p, vfs.MaxFileBytes)
	if err != nil {
		f.skip(p, err.Error())
		return nil
	}
	if f.files += len(files); f.files > mostFiles {
		return usage.Errorf("%s: there are more than %d files; name the documents themselves", p, mostFiles)
	}
	for name, text := range files {
		at := filepath.Join(p, filepath.FromSlash(name))
		f.archives[filepath.Dir(at)] = p
		f.take(at, text)
		if as, ok := inside.Encodings[name]; ok {
			f.reader.Note(at, as)
		}
	}
	return nil
}

// take adds a text to its folder.
func (f *finder) take(p, text string) {
	folder, base := filepath.Split(p)
	folder = filepath.Clean(folder)
	if f.folders[folder] == nil {
		f.folders[folder] = vfs.Files{}
	}
	f.folders[folder][base] = text
}

// around returns the folder whose other files surround a document: that of the archive, if the
// document is in one.
func (f *finder) around(folder string) string {
	if archive, inside := f.archives[folder]; inside {
		return filepath.Dir(archive)
	}
	return folder
}

func (f *finder) skip(p, why string) {
	f.skipped = append(f.skipped, Skipped{Path: p, Why: why, Asked: f.named[p]})
}

// group turns the files of a folder into documents: one from the files that belong together, and one from
// each other file.
func (f *finder) group(folder string, files vfs.Files) {
	if f.only != nil {
		if parts := catalog.Parts(f.only, files); f.only.Info().Together && len(parts) > 1 && catalog.CheckOwn(f.only, parts) == nil {
			f.add(folder, parts.Names(), Found{Path: shownFolder(folder), Files: parts, Domain: f.only})
			maps.DeleteFunc(files, func(name, _ string) bool { _, taken := parts[name]; return taken })
		}
		for _, name := range files.Names() {
			f.single(folder, name, files[name])
		}
		return
	}
	for _, d := range catalog.Documents(files) {
		if _, one := d.Files[d.Name]; one {
			f.single(folder, d.Name, d.Files[d.Name])
			continue
		}
		f.add(folder, d.Files.Names(), Found{Path: shownFolder(folder), Files: d.Files, Domain: d.Domain})
	}
}

// add adds a document that was made of files of a folder.
func (f *finder) add(folder string, names []string, d Found) {
	d.folder, d.Encodings = f.around(folder), charset.Encodings{}
	for _, name := range names {
		if as, other := f.reader.Encodings[filepath.Join(folder, name)]; other {
			d.Encodings[name] = as
		}
	}
	f.found = append(f.found, d)
}

// candidates returns the domains that a document may have.
func (f *finder) candidates() []domains.Domain {
	if f.only != nil {
		return []domains.Domain{f.only}
	}
	return catalog.All()
}

// single makes a document from one file, under a name that its domain accepts.
func (f *finder) single(folder, name, text string) {
	p := filepath.Join(folder, name)
	if found := catalog.Single(f.candidates(), name, text); found != nil {
		f.add(folder, []string{name}, Found{Path: p, Files: found.Files, Domain: found.Domain})
		return
	}
	f.skip(p, f.refusal(name, text))
}

// refusal returns the reason why a file is not a document.
func (f *finder) refusal(name, text string) string {
	if f.only == nil {
		return "no domain reads it; name one with --domain (agentd domains lists them)"
	}
	return fmt.Sprint(f.only.CheckReference(vfs.Files{name: text}))
}

// shownFolder returns the path of a folder as it is shown: with a separator at the end.
func shownFolder(folder string) string {
	if folder == "." {
		if whole, err := filepath.Abs(folder); err == nil {
			folder = filepath.Base(whole)
		}
	}
	return strings.TrimSuffix(folder, string(filepath.Separator)) + string(filepath.Separator)
}

// Limits on the distractors taken from a document's folder.
const (
	mostDistractors     = 8
	mostDistractorBytes = 200_000 // together
)

// neighbours returns other text files in the document's folder, sorted by name, up to the limits.
func (d *Found) neighbours() (vfs.Files, error) {
	entries, err := os.ReadDir(d.folder)
	if err != nil {
		return nil, err
	}
	files := vfs.Files{}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") || !entry.Type().IsRegular() {
			continue
		}
		text, err := datafile.ReadText(filepath.Join(d.folder, entry.Name()), mostDistractorBytes)
		_, own := d.Files[entry.Name()]
		own = own || filepath.Join(d.folder, entry.Name()) == d.Path
		if err != nil || own || text == "" || files.Bytes()+len(text) > mostDistractorBytes {
			continue
		}
		if files[entry.Name()] = text; len(files) == mostDistractors {
			break
		}
	}
	return files, nil
}

// NoDocuments is the usage error if no document is found.
func NoDocuments(skipped []Skipped) error {
	why := "there are no files"
	if len(skipped) > 0 {
		why = skipped[0].Path + ": " + skipped[0].Why
	}
	if len(skipped) > 1 {
		why = fmt.Sprintf("%s; and %d other files", why, len(skipped)-1)
	}
	return usage.Errorf("no document was found: %s", why)
}
