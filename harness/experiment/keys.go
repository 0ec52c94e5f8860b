package experiment

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"agentd/internal/usage"
	"agentd/models"
)

// KeysVariable names the environment variable in which a user says for all runs which keys go to which servers:
// SERVER=VARIABLE, with commas.
const KeysVariable = "AGENTD_KEYS"

// Keys says which environment variables a stored experiment may send to which servers. The manifest of a database
// that somebody else made names both, so it alone is no reason to send anything. The keys of models' makers go to
// these makers without it.
type Keys struct {
	Named []models.Secret // by the command line or the environment
	// Ask asks the user whether the experiment may send a secret; nil if there is no terminal.
	Ask func(models.Secret) bool
}

// ParseKeys reads what flags say, and the KeysVariable. Anything that is not SERVER=VARIABLE is a usage error.
func ParseKeys(flags []string) (k Keys, err error) {
	if of := os.Getenv(KeysVariable); of != "" {
		flags = slices.Concat(flags, strings.Split(of, ","))
	}
	for _, text := range flags {
		secret, err := models.ParseSecret(strings.TrimSpace(text))
		if err != nil {
			return Keys{}, usage.Errorf("--key or %s: %w", KeysVariable, err)
		}
		k.Named = append(k.Named, secret)
	}
	return k, nil
}

// consent returns a usage error if a stored model would be sent a secret that nobody named for its server.
func (k Keys) consent(spec models.Spec) error {
	secrets, err := spec.Sends()
	if err != nil {
		return usage.Errorf("model %s: %w", spec.Name, err)
	}
	for _, secret := range secrets {
		if secret.OfMaker() || slices.Contains(k.Named, secret) || k.Ask != nil && k.Ask(secret) {
			continue
		}
		return usage.Errorf("model %s: the stored experiment would send the value of %s to %s. If that is meant, give --key %s, or set %s to it",
			spec.Name, secret.Variable, secret.Server, fmt.Sprintf("%s=%s", secret.Server, secret.Variable), KeysVariable)
	}
	return nil
}
