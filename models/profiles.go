package models

import (
	"cmp"
	_ "embed"
	"fmt"
	"path"
	"strings"

	"agentd/internal/yamlsafe"
)

// Profile describes what a model supports. The zero value stands for an unknown model, which is
// asked with the defaults of its dialect.
type Profile struct {
	Names     []string `yaml:"names"`      // patterns of path.Match
	API       API      `yaml:"api"`        // of the maker's own server
	EffortAPI API      `yaml:"effort_api"` // used when an effort is set; "" for API
	// Temperature is false if the model refuses a temperature, otherwise nil or true.
	Temperature *bool    `yaml:"temperature"`
	Efforts     []string `yaml:"efforts"` // reasoning efforts
	// Thinking is how an effort is requested, where a dialect has several ways: adaptive, level
	// or budget.
	Thinking  string `yaml:"thinking"`
	MaxOutput int    `yaml:"max_output"` // tokens of one completion at most; 0 if unknown
	Context   int    `yaml:"context"`    // tokens of a conversation at most; 0 if unknown
	// Replay says, for people, what must be sent back with the next request.
	Replay string `yaml:"replay"`
}

// Profiles is a dated table of what models support.
type Profiles struct {
	Date     string    `yaml:"date"`
	Profiles []Profile `yaml:"profiles"`
}

//go:embed profiles.yaml
var profilesFile []byte

// KnownProfiles returns the embedded table.
func KnownProfiles() (Profiles, error) {
	var p Profiles
	if err := yamlsafe.Unmarshal(profilesFile, &p); err != nil {
		return Profiles{}, fmt.Errorf("reading profiles.yaml: %w", err)
	}
	return p, nil
}

// Find returns the profile of a model. It returns false if there is none.
func (p Profiles) Find(model string) (Profile, bool) {
	for _, profile := range p.Profiles {
		for _, pattern := range profile.Names {
			if ok, err := path.Match(pattern, model); err == nil && ok {
				return profile, true
			}
		}
	}
	return Profile{}, false
}

// takesTemperature reports whether the model takes a temperature.
func (p Profile) takesTemperature() bool { return p.Temperature == nil || *p.Temperature }

// reasons reports whether the model accepts a reasoning effort.
func (p Profile) reasons() bool { return len(p.Efforts) > 0 }

// How describes, for people, how the model will be asked.
func (p Profile) How() string {
	api := cmp.Or(p.API, Chat)
	says := []string{string(api)}
	if p.EffortAPI != "" && p.EffortAPI != api {
		says = append(says, "with an effort "+string(p.EffortAPI))
	}
	if !p.takesTemperature() {
		says = append(says, "no temperature")
	}
	if len(p.Efforts) > 0 {
		says = append(says, "efforts "+strings.Join(p.Efforts, " "))
	}
	if p.MaxOutput > 0 {
		says = append(says, fmt.Sprintf("output %d", p.MaxOutput))
	}
	if p.Context > 0 {
		says = append(says, fmt.Sprintf("context %d", p.Context))
	}
	if p.Replay != "" {
		says = append(says, "sends back "+p.Replay)
	}
	return strings.Join(says, ", ")
}

// Dialect returns the API that will be used for the spec's model. It returns an error if the
// spec names an unknown API.
func (s Spec) Dialect() (API, error) {
	resolved, _, err := s.resolve()
	if err == nil {
		err = resolved.check()
	}
	return resolved.API, err
}

// resolve fills in the spec's model name, dialect, server and key variable, and returns the
// model's profile. A model on a server of the user's own uses chat completions unless the spec
// names another dialect.
func (s Spec) resolve() (Spec, Profile, error) {
	s.Model = cmp.Or(s.Model, s.Name)
	known, err := KnownProfiles()
	if err != nil {
		return s, Profile{}, err
	}
	profile, _ := known.Find(s.Model)
	if s.API == "" {
		s.API = Chat
		switch {
		case s.BaseURL != "" || s.APIVersion != "":
		case s.Reasoning != "" && profile.EffortAPI != "":
			s.API = profile.EffortAPI
		case profile.API != "":
			s.API = profile.API
		}
	}
	return s.atMaker(), profile, nil
}
