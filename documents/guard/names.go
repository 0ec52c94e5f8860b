package guard

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"agentd/internal/lazyregexp"
	"agentd/internal/usage"
	"agentd/vfs"
)

// Protected is a file that only its own name lets through, and the reason.
type Protected struct{ Name, Why string }

// ForFiles is the rule that also lets through protected files of these names.
func (r Rule) ForFiles(names []string) (Rule, error) {
	for _, name := range names {
		clean, err := vfs.Clean(name)
		if err != nil {
			return r, usage.Errorf("--allow-file: %w", err)
		}
		r.files = append(slices.Clone(r.files), clean)
	}
	return r, nil
}

// Named reports whether the rule lets a protected file through by its name.
func (r Rule) Named(name string) bool { return slices.Contains(r.files, name) }

const (
	executable = "it is executable"
	dotFile    = "its name is hidden, and programs read such files as configuration"
	shortName  = "it may be the short name of another file, such as git~1 of .git"
)

// readByTools lists files that programs on the host read by their names, or run, although the user did not start them: a shell
// that enters the folder, git status, an editor. The patterns are those of path.Match and apply to folded names.
func readByTools() []struct{ patterns, why string } {
	return []struct{ patterns, why string }{
		{".git", "it makes git use another repository, whose configuration runs programs"},
		{".gitmodules .gitattributes .gitconfig", "git takes filters, drivers, addresses and commands from it"},
		{"head commondir", "git takes a folder that has it for a repository, whose configuration runs programs"},
		{".envrc .env .env.* .mise.toml mise.toml .tool-versions .autoenv*", "it sets the environment, or runs commands, when a shell enters the folder"},
		{".bash* .zsh* .*profile .*login .*logout .kshrc .cshrc .tcshrc .inputrc", "a shell runs it"},
		{".npmrc .yarnrc* .pnpmfile* .pypirc .gemrc .bundle .condarc", "a package manager takes addresses and programs from it"},
		{".pre-commit-config.* .lefthook* lefthook.* .huskyrc* .lintstagedrc* .overcommit.yml", "git's hooks run what it names"},
		{".gitlab-ci.* .travis.* .drone.* .cirrus.* .appveyor.*", "a server runs what it says, with its keys"},
		{".*rc .*rc.js .*rc.cjs .*rc.mjs .*rc.ts", "a program reads or runs it as its configuration"},
		{".vimrc .gvimrc .exrc .nvim* _vimrc _gvimrc _exrc .emacs* .dir-locals* .vsconfig *.code-workspace", "an editor runs commands from it"},
		{".gdbinit .lldbinit .rprofile .renviron .sqliterc .psqlrc", "a program runs it when it starts in the folder"},
		{".netrc _netrc .curlrc .wgetrc .ssh*", "programs take addresses and passwords from it"},
		{".mcp.json .cursor* .windsurf* .cline* .aider* .claude* .codex* .goose*", "agents outside of the sandbox take commands and instructions from it"},
		{"agents.md agents.*.md claude.md claude.*.md gemini.md", "agents outside of the sandbox follow it as if you had written it"},
		{".htaccess .user.ini", "a web server takes programs from it"},
		{"*.desktop autorun.inf desktop.ini", "a desktop shows or runs what it names"},
	}
}

// folded is a part of a path as the most lenient file system reads it: without case, without invisible characters, and
// cut at a colon and at blanks and points at the end.
func folded(part string) string {
	unseen := func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
			return -1
		}
		return unicode.ToLower(unicode.ToUpper(r))
	}
	part = strings.Map(unseen, norm.NFKC.String(part))
	part, _, _ = strings.Cut(part, ":")
	return strings.TrimRight(part, ". ")
}

var shortNames = lazyregexp.New(`^[^.]{1,7}~[0-9]+(\..{0,3})?$`)

// hidden reports whether a part of a path may be a hidden name on some file system.
func hidden(part string) bool {
	return strings.HasPrefix(part, ".") || strings.HasPrefix(folded(part), ".") || shortNames.MatchString(folded(part))
}

// whyProtected says why a file is protected; empty if it is not. exists reports whether another file exists.
func whyProtected(name string, exists func(name string) bool) string {
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '\\' })
	last := folded(parts[len(parts)-1])
	for _, row := range readByTools() {
		for pattern := range strings.FieldsSeq(row.patterns) {
			if fits, _ := path.Match(pattern, last); fits { // they are well formed
				return row.why
			}
		}
	}
	switch {
	case slices.ContainsFunc(parts, func(part string) bool { return shortNames.MatchString(folded(part)) }):
		return shortName
	case slices.ContainsFunc(parts, hidden):
		return dotFile
	case (last == "config" || last == "config.worktree") && exists(path.Join(path.Dir(name), "HEAD")):
		return "git runs programs that the configuration of a repository names"
	}
	return ""
}

// protected are the protected files among planned changes, except those that named accepts.
func (c Changed) protected(t *tree, named func(string) bool) []Protected {
	var asked []Protected
	near := func(name string) bool {
		_, ours := c[name]
		there, err := t.exists(name)
		return ours || there || err != nil
	}
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if named != nil && named(name) {
			continue
		}
		why := whyProtected(name, near)
		for _, f := range []*File{c[name].Before, c[name].After} {
			if why == "" && f != nil && !f.Folder && f.Meta != nil && f.Meta.Mode&execBits != 0 {
				why = fmt.Sprintf("%s (mode %04o)", executable, f.Meta.Mode)
			}
		}
		if why != "" {
			asked = append(asked, Protected{name, why})
		}
	}
	return asked
}
