package agents

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"

	"agentd/internal/datafile"
	"agentd/internal/lazyregexp"
	"agentd/internal/yamlsafe"
	"agentd/models"
)

//go:embed *.yaml
var builtin embed.FS

// Preset says how an agent is installed and run.
type Preset struct {
	// Name is the file's name without its extension.
	Name string `yaml:"-"`
	// Version is of the agent. In Install and Bundle it takes the place of {version}.
	Version  string `yaml:"version"`
	Summary  string `yaml:"summary"`  // what the agent is, for lists
	Protocol string `yaml:"protocol"` // in which the agent asks its model: chat, responses, messages or gemini
	Install  Source `yaml:"install"`  // the packages it is installed from
	Bundle   []Part `yaml:"bundle"`   // what of them the agent is shown in its sandbox
	// LeaveOut are patterns of what is removed from the bundle again.
	LeaveOut []string `yaml:"leave_out"`
	// MemoryMB is what the agent may use, in MiB; 0 for exec's usual limit.
	MemoryMB int64 `yaml:"memory_mb"`
	// Tools are the tool sets that the script knows: own, mcp or both.
	Tools []string `yaml:"tools"`
	// Resumes says that the script goes on with a conversation where AGENTD_SESSION_URL is set.
	Resumes bool `yaml:"resumes"`
	// Run is the script that runs the agent. It finds what exec gives to any command,
	// and the tool set in AGENTD_TOOLS.
	Run string `yaml:"run"`

	file presetFile
}

// presetFile is the file that a preset was read from.
type presetFile struct {
	text []byte
	path string // of a file of the user's; "" for a preset of agentd's
}

// Source is where an agent's packages come from.
type Source struct {
	// NPM are packages of npm, as NAME@VERSION. Their installation scripts are not run.
	NPM []string `yaml:"npm"`
	// Pip are packages of PyPI, as NAME==VERSION. They are installed into a folder lib of
	// the bundle, for the Python in /usr/bin, and compiled.
	Pip []string `yaml:"pip"`
	// Python is the version of Python that they need, as 3.12, if it is not the one in
	// /usr/bin. One of this machine goes into the bundle, into the folder python.
	Python string `yaml:"python"`
	// FromSource names those that PyPI has no wheels of: their build scripts are run.
	FromSource []string `yaml:"from_source"`
}

// Part is a file or folder that goes from where npm installed it into the bundle.
type Part struct {
	From       string `yaml:"from"`       // a pattern that matches one path
	To         string `yaml:"to"`         // its path in the bundle, which the agent sees at /agent
	Executable bool   `yaml:"executable"` // whether it must be made executable
}

// The tool sets that an agent can work with.
const (
	OwnTools = "own" // those that it has itself
	MCPTools = "mcp" // agentd's alone, by MCP
)

// ToolSets lists the tool sets.
func ToolSets() []string { return []string{OwnTools, MCPTools} }

// All returns the presets that agentd brings along, in name order.
func All() ([]Preset, error) {
	entries, err := builtin.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var all []Preset
	for _, entry := range entries {
		text, err := builtin.ReadFile(entry.Name())
		if err != nil {
			return nil, err
		}
		p, err := read(entry.Name(), text)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// Overview is a line for each preset that agentd brings along, which says what is installed
// of it in the user's store, and the number of those that are.
func Overview() (lines []string, installed int, err error) {
	store, err := UserStore()
	if err != nil {
		return nil, 0, err
	}
	all, err := All()
	if err != nil {
		return nil, 0, err
	}
	lines = make([]string, len(all))
	for i, p := range all {
		state, usable, err := store.Describe(p)
		if err != nil {
			return nil, 0, err
		}
		if usable {
			installed++
		}
		lines[i] = fmt.Sprintf("%s %s (%s): %s; %s", p.Name, p.Version, p.Protocol, p.Summary, state)
	}
	return lines, installed, nil
}

// UnknownError says that there is no preset of a name.
type UnknownError struct {
	Name  string
	Known []string
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no agent %q; there are %s, and FILE.yaml for one of your own", e.Name, strings.Join(e.Known, ", "))
}

// maxPreset bounds a preset, in bytes.
const maxPreset = 256 << 10

// Find returns the preset of a name, or the one in a file whose name ends in .yaml. The
// error is an *UnknownError if there is none of that name.
func Find(name string) (Preset, error) {
	if path.Ext(name) == ".yaml" {
		text, err := datafile.Read(name, maxPreset)
		if err != nil {
			return Preset{}, fmt.Errorf("agent: %w", err)
		}
		p, err := read(name, text)
		p.file.path = name
		return p, err
	}
	all, err := All()
	if err != nil {
		return Preset{}, err
	}
	var known []string
	for _, p := range all {
		if p.Name == name {
			return p, nil
		}
		known = append(known, p.Name)
	}
	return Preset{}, &UnknownError{name, known}
}

// At returns the preset for another version of the agent; "" leaves it at its own.
func (p Preset) At(version string) (Preset, error) {
	if version == "" || version == p.Version {
		return p, nil
	}
	p.Version = version
	return p, p.check()
}

// argument is what names the preset on a command line.
func (p Preset) argument() string {
	if p.file.path != "" {
		return p.file.path
	}
	return p.Name
}

// Text is the file that the preset was read from.
func (p Preset) Text() string { return string(p.file.text) }

// read reads a preset.
func read(file string, text []byte) (Preset, error) {
	p := Preset{Name: strings.TrimSuffix(path.Base(file), ".yaml"), file: presetFile{text: text}}
	err := yamlsafe.Unmarshal(text, &p)
	if err == nil {
		err = p.check()
	}
	if err != nil {
		return p, fmt.Errorf("agent %s: %w", file, err)
	}
	return p, nil
}

var (
	goodName    = lazyregexp.New(`^[a-z0-9][a-z0-9-]*$`)
	goodPython  = lazyregexp.New(`^3\.[0-9]+$`)
	goodVersion = lazyregexp.New(`^[0-9][0-9A-Za-z.+-]*$`)
)

// check says what is wrong with a preset.
func (p Preset) check() error {
	var wrong []error
	fail := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if !goodName.MatchString(p.Name) {
		fail("the name %q has other characters than a-z, 0-9 and -", p.Name)
	}
	if !goodVersion.MatchString(p.Version) {
		fail("version: %q is no version number", p.Version)
	}
	if !slices.Contains(models.APIs(), models.API(p.Protocol)) {
		fail("protocol: %q is none of %s", p.Protocol, models.APIs())
	}
	if p.Summary == "" || !strings.HasPrefix(p.Run, "#!/") {
		fail("it needs a summary, and run must be a script that begins with #!")
	}
	if len(p.Install.NPM)+len(p.Install.Pip) == 0 {
		fail("install: it names no package of npm or pip")
	}
	for _, name := range slices.Concat(p.Install.NPM, p.Install.Pip) {
		if at := strings.LastIndexAny(name, "@="); at < 1 || strings.HasPrefix(name, "-") {
			fail("install: %q has no version; write NAME@VERSION for npm, NAME==VERSION for pip", name)
		}
	}
	if v := p.Install.Python; v != "" && (!goodPython.MatchString(v) || len(p.Install.Pip) == 0) {
		fail("install: python: %q is no version such as 3.12, or there is nothing for pip", v)
	}
	for _, name := range p.Install.FromSource {
		if !goodName.MatchString(name) {
			fail("install: from_source: %q is no name of a package", name)
		}
	}
	for _, part := range p.Bundle {
		if !fs.ValidPath(part.From) || !fs.ValidPath(part.To) {
			fail("bundle: from %q and to %q must be paths inside of their folders", part.From, part.To)
		}
	}
	for _, pattern := range p.LeaveOut {
		if !fs.ValidPath(pattern) {
			fail("leave_out: %q must be a path inside of its folder", pattern)
		}
	}
	for _, set := range p.Tools {
		if !slices.Contains(ToolSets(), set) {
			fail("tools: %q is none of %s", set, strings.Join(ToolSets(), ", "))
		}
	}
	if len(p.Tools) == 0 || p.MemoryMB < 0 {
		fail("tools must name one of %s at least, and memory_mb is not negative", strings.Join(ToolSets(), ", "))
	}
	return errors.Join(wrong...)
}

// filled replaces {version}, {arch} and {machine} in a package's name or a path. The
// latter two are the processor as npm and as compilers call it.
func (p Preset) filled(text string) string {
	arch, machine := runtime.GOARCH, runtime.GOARCH
	switch arch {
	case "amd64":
		arch, machine = "x64", "x86_64"
	case "arm64":
		machine = "aarch64"
	}
	return strings.NewReplacer("{version}", p.Version, "{arch}", arch, "{machine}", machine).Replace(text)
}
