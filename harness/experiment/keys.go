package experiment

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"agentd/internal/usage"
	"agentd/models"
)

// KeysVariable is an environment variable. It says for all runs which keys may be sent to which
// servers: SERVER=VARIABLE, separated by commas.
const KeysVariable = "AGENTD_KEYS"

// Keys says which environment variables a stored experiment may send to which servers. The
// manifest names both, but somebody else may have made the database, so the manifest alone permits
// nothing. Keys of models' makers may always be sent to these makers.
type Keys struct {
	Named []models.Secret // named on the command line or in the environment
	// Ask asks the user whether the experiment may send a secret; nil if there is no terminal.
	Ask func(models.Secret) bool
}

// ParseKeys reads the flags and KeysVariable. Anything that is not SERVER=VARIABLE is a
// usage.Error.
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

// consent returns a usage.Error if a stored model would be sent a secret that the user has not
// named for its server.
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
