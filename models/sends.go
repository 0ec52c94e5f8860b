package models

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// Secret is an environment variable of this process whose value goes to a server with every request.
type Secret struct {
	Server   string // scheme and host, as https://host:port
	Variable string
}

// Sends lists the secrets that requests by the spec carry: the server's key and the variables of headers, as far as
// they are set in this process's environment.
func (s Spec) Sends() ([]Secret, error) {
	if s.Replay != "" {
		return nil, nil // a recording answers
	}
	s, _, err := s.resolve()
	if err != nil {
		return nil, err
	}
	server, err := serverOf(cmp.Or(s.BaseURL, openaiBase))
	if err != nil {
		return nil, err
	}
	var names []string
	if !s.StandIn {
		names = append(names, cmp.Or(s.KeyEnv, defaultKeyEnv))
	}
	for _, value := range s.Headers {
		for _, reference := range variable.FindAllStringSubmatch(value, -1) {
			names = append(names, reference[1])
		}
	}
	var all []Secret
	for _, name := range names {
		if strings.TrimSpace(os.Getenv(name)) != "" {
			all = append(all, Secret{server, name})
		}
	}
	return all, nil
}

// serverOf is the scheme and the host of an address.
func serverOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%q is no address such as https://host/v1", address)
	}
	return u.Scheme + "://" + strings.ToLower(u.Host), nil
}

// ParseSecret reads SERVER=VARIABLE, where the server is a host or an address; a host alone is one by https. Of an
// address the path means nothing.
func ParseSecret(text string) (Secret, error) {
	server, name, found := strings.Cut(text, "=")
	if !strings.Contains(server, "://") {
		server = "https://" + server
	}
	server, err := serverOf(server)
	if err != nil || !found || name == "" || strings.ContainsAny(name, "= ") {
		return Secret{}, fmt.Errorf("%q is not SERVER=VARIABLE, such as api.example.org=EXAMPLE_KEY", text)
	}
	return Secret{server, name}, nil
}

// OfMaker reports whether a secret is the key of a model's maker that goes to this maker, as OPENAI_API_KEY to
// OpenAI: the servers and variables that agentd itself knows.
func (s Secret) OfMaker() bool {
	makes := func(keyEnv, address string) bool {
		server, err := serverOf(address)
		return err == nil && s == Secret{server, keyEnv}
	}
	if makes(defaultKeyEnv, openaiBase) {
		return true
	}
	for _, m := range makers() {
		for _, address := range m.bases {
			if makes(m.keyEnv, address) {
				return true
			}
		}
	}
	return false
}
