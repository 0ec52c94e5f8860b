package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/environments/pull"
	"agentd/internal/usage"
	"agentd/vfs"
)

// Environments says which environments an experiment has. Names, Domains and Except
// are names or glob patterns; an empty list of Names or Domains stands for all.
type Environments struct {
	Data    string   `yaml:"data"`    // a data set file or a folder; empty for the built-in ones
	Names   []string `yaml:"names"`   // names or patterns of environments; empty for all
	Domains []string `yaml:"domains"` // names or patterns of domains; empty for all
	// PerDomain is how many environments of each domain are taken, the first that
	// can be scored; 0 takes all. Of the built-in environments 0 takes one, unless Names or Domains choose.
	PerDomain int      `yaml:"per_domain"`
	Except    []string `yaml:"except"` // names or patterns of environments to leave out
	// Derived is how many edits are derived of each seed, with exact programs, and added to
	// the environment's own; 0 for none.
	Derived int `yaml:"derived,omitempty"`
	// Judged adds the judged edits of built-in environments to their own. They need a judge.
	Judged bool `yaml:"judged,omitempty"`
	// Given takes the place of Data, if it is not nil: environments that were made in memory.
	Given []environments.Environment `yaml:"-"`
}

// Load reads all environments of the data set, chosen or not. It includes the built-in
// environments with pictures only if Names or Domains ask for one.
func (e *Environments) Load() ([]environments.Environment, error) {
	if e.Given != nil {
		return slices.Clone(e.Given), nil
	}
	if e.Data == "" {
		all, err := environments.Builtin()
		if err != nil || !e.asksForPictures() {
			return all, err
		}
		pictures, err := environments.Pictures()
		return append(all, pictures...), err
	}
	all, err := environments.Load(e.Data)
	return all, unread(err)
}

// unread returns the usage.Error for a data set that could not be read. If it does not exist, the
// error says how to get the paper's.
func unread(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; agentd env pull downloads the paper's data set, %s", err, pull.Name)
	}
	return usage.Wrap(err)
}

// LoadAll is Load, but always includes the built-in environments with pictures.
func (e *Environments) LoadAll() ([]environments.Environment, error) {
	all := *e
	if e.Data == "" {
		all.Domains = append(slices.Clone(e.Domains), pictureDomain)
	}
	return all.Load()
}

// pictureDomain is the domain of the environments with pictures.
const pictureDomain = "image"

// asksForPictures reports whether a name or pattern asks for a built-in environment with pictures.
func (e *Environments) asksForPictures() bool {
	for _, pattern := range e.Names {
		if slices.ContainsFunc(environments.ListPictures(), func(l environments.Listed) bool { return vfs.Matches(pattern, l.Name) }) {
			return true
		}
	}
	return slices.ContainsFunc(e.Domains, func(pattern string) bool { return vfs.Matches(pattern, pictureDomain) })
}

// Drafts returns the environments that Names select, including those on which no relay
// could run. One without a name goes by where it stands. Domains, PerDomain and Except
// mean nothing here.
func (e *Environments) Drafts() ([]environments.Draft, error) {
	var drafts []environments.Draft
	var err error
	if e.Data == "" {
		if drafts, err = environments.BuiltinDrafts(); err == nil {
			var pictures []environments.Draft
			pictures, err = environments.PictureDrafts()
			drafts = append(drafts, pictures...)
		}
	} else if drafts, err = environments.Drafts(e.Data); err != nil {
		err = unread(err)
	}
	if err != nil {
		return nil, err
	}
	names := make([]string, len(drafts))
	for i, d := range drafts {
		names[i] = draftName(d)
	}
	chosen, err := usage.Choose("environment", e.Names, names)
	return slices.DeleteFunc(drafts, func(d environments.Draft) bool { return !slices.Contains(chosen, draftName(d)) }), err
}

func draftName(d environments.Draft) string {
	if d.Sample == nil || d.Sample.ID == "" {
		return d.Where
	}
	return d.Sample.ID
}

// list lists the environments of the data set and returns a function that reads some of them. Of
// the built-in environments, it reads only those asked for.
func (e *Environments) list() (all []environments.Listed, read func([]environments.Listed) ([]environments.Environment, error), err error) {
	if e.Data == "" && e.Given == nil {
		all = environments.ListBuiltin()
		if e.asksForPictures() {
			all = append(all, environments.ListPictures()...)
		}
		return all, environments.Embedded, nil
	}
	loaded, err := e.Load()
	for i := range loaded {
		all = append(all, environments.Listed{Name: loaded[i].Name, Domain: loaded[i].Domain})
	}
	return all, func(some []environments.Listed) ([]environments.Environment, error) {
		return slices.DeleteFunc(loaded, func(env environments.Environment) bool {
			return !slices.Contains(some, environments.Listed{Name: env.Name, Domain: env.Domain})
		}), nil
	}, err
}

// Choose reads the chosen environments and returns them in the order of the data set. If there are
// none, the error is a usage.Error.
func (e *Environments) Choose() ([]environments.Environment, error) {
	all, read, err := e.list()
	if err != nil {
		return nil, err
	}
	var names, known []string
	for i := range all {
		names = append(names, all[i].Name)
		if !slices.Contains(known, all[i].Domain) {
			known = append(known, all[i].Domain)
		}
	}
	wanted, err := usage.Choose("environment", e.Names, names)
	if err != nil {
		return nil, err
	}
	named := make([]string, len(e.Domains))
	for i, name := range e.Domains {
		named[i] = domaincatalog.Canonical(name)
	}
	inDomains, err := usage.Choose("domain", named, known)
	if err != nil {
		return nil, err
	}
	var except []string
	if len(e.Except) > 0 {
		if except, err = usage.Choose("environment", e.Except, names); err != nil {
			return nil, err
		}
	}
	perDomain := e.PerDomain
	if len(e.Names) == 0 && len(e.Domains) == 0 && e.Data == "" && e.Given == nil {
		perDomain = cmp.Or(perDomain, 1)
		wanted = slices.DeleteFunc(wanted, func(name string) bool {
			return slices.ContainsFunc(all, func(l environments.Listed) bool { return l.Name == name && isGeneral(l.Domain) })
		})
	}
	all = slices.DeleteFunc(all, func(l environments.Listed) bool {
		return !slices.Contains(wanted, l.Name) || !slices.Contains(inDomains, l.Domain) || slices.Contains(except, l.Name)
	})
	if len(all) == 0 {
		orAll := func(list []string) string { return cmp.Or(strings.Join(list, ", "), "all") }
		return nil, usage.Errorf("no environment has a name of %s and a domain of %s and is not among %s",
			orAll(e.Names), orAll(e.Domains), cmp.Or(strings.Join(e.Except, ", "), "none"))
	}
	chosen, err := read(all)
	if err != nil {
		return nil, err
	}
	if perDomain > 0 {
		if chosen, err = firstOfEach(chosen, perDomain); err != nil {
			return nil, err
		}
	}
	if err := e.addJudged(chosen); err != nil {
		return nil, err
	}
	return chosen, e.derive(chosen)
}

// addJudged adds judged edits to built-in environments.
func (e *Environments) addJudged(chosen []environments.Environment) error {
	if !e.Judged {
		return nil
	}
	for i := range chosen {
		if e.Data != "" || e.Given != nil {
			break // they have their own
		}
		if _, err := chosen[i].AddJudged(); err != nil {
			return err
		}
	}
	return environments.CheckJudged(chosen)
}

// deriveSeed is the seed for choosing derived edits. It is the same for all experiments, so that
// they can be compared.
const deriveSeed = 1

// derive adds derived edits to environments.
func (e *Environments) derive(chosen []environments.Environment) error {
	if e.Derived == 0 {
		return nil
	}
	for i := range chosen {
		env := &chosen[i]
		if d, ok := domaincatalog.Lookup(env.Domain); ok {
			if _, err := env.AddDerived(d, e.Derived, deriveSeed); err != nil {
				return fmt.Errorf("deriving edits of %s: %w", env.Name, err)
			}
		}
	}
	return nil
}

// isGeneral reports whether a domain is not from the paper. An experiment has built-in
// environments of such a domain only if it names them.
func isGeneral(domain string) bool {
	d, ok := domaincatalog.Lookup(domain)
	return ok && d.Info().Category == domains.General
}

// firstOfEach returns the first n environments of each domain that can be scored.
func firstOfEach(envs []environments.Environment, n int) ([]environments.Environment, error) {
	taken := map[string]int{}
	var first []environments.Environment
	for _, env := range envs {
		if taken[env.Domain] == n || env.Unscorable() != "" {
			continue
		}
		taken[env.Domain]++
		first = append(first, env)
	}
	if len(first) == 0 {
		return nil, usage.Errorf("per_domain: none of the environments chosen can be scored")
	}
	return first, nil
}

// checkSeeds returns an error for environments whose domain cannot read their seed.
func checkSeeds(chosen []environments.Environment) error {
	var unread *environments.UnreadError
	if errors.As(environments.CheckSeeds(chosen, domaincatalog.Lookup), &unread) {
		return usage.Errorf("%w\nleave them out with agentd run --except %s, or mend the seeds (agentd env validate)", unread, strings.Join(unread.Names, ","))
	}
	return nil
}
