package models

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// Secret is an environment variable of this process whose value is sent to a server with every
// request.
type Secret struct {
	Server   string // scheme and host, as https://host:port
	Variable string
}

// Sends lists the secrets that requests for the spec carry: the server's key and the variables
// in headers, if they are set in this process's environment.
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

// serverOf returns the scheme and host of an address.
func serverOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%q is no address such as https://host/v1", address)
	}
	return u.Scheme + "://" + strings.ToLower(u.Host), nil
}

// ParseSecret parses SERVER=VARIABLE. SERVER is a host, for which https is assumed, or an
// address, whose path is ignored.
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

// OfMaker reports whether a secret is a maker's key that is sent to this maker's own server,
// such as OPENAI_API_KEY to OpenAI. Only makers known to agentd count.
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
