package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// presentNames are the flags that had another name, of any command: the present name by the former one.
func presentNames() map[string]string {
	return map[string]string{
		"addr": "listen", "budget-usd": "max-usd", "edits": "derived", "fault-seed": "seed",
		"judge-most": "judge-limit", "max-failures": "max-faults", "out": "to", "runs": "repeats",
	}
}

// spellings accepts the former names of flags, and remembers which were used.
type spellings struct{ used map[string]string }

// accept has a command, and all below it, take the former names of flags.
func (s *spellings) accept(root *cobra.Command) {
	names := presentNames()
	s.used = map[string]string{}
	root.SetGlobalNormalizationFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if present, former := names[name]; former {
			s.used[name], name = present, present
		}
		return pflag.NormalizedName(name)
	})
}

// Annotations of hidden flags. Each holds one text.
const (
	nowSaid = "agentd_now" // what to write in place of the flag
	keySaid = "agentd_key" // the key of an experiment file that does the same
)

// hide leaves a flag out of the help. why is an annotation's name, and instead what the user is told to write.
func hide(flags *pflag.FlagSet, name, why, instead string) {
	f := flags.Lookup(name)
	f.Hidden = true
	f.Annotations = map[string][]string{why: {instead}}
}

// tell says what is written now in place of the former spellings that were used.
func (s *spellings) tell(log zerolog.Logger, c *cobra.Command) {
	for _, former := range slices.Sorted(maps.Keys(s.used)) {
		log.Warn().Msgf("--%s is now --%s", former, s.used[former])
	}
	var keys []string
	c.Flags().Visit(func(f *pflag.Flag) {
		if value, ok := f.Value.(*choice); ok && value.given != "" {
			log.Warn().Msgf("--%s %s is now --%s %s", f.Name, value.given, f.Name, value)
		}
		if now := f.Annotations[nowSaid]; len(now) > 0 {
			log.Warn().Msgf("--%s is now %s", f.Name, now[0])
		}
		if key := f.Annotations[keySaid]; len(key) > 0 {
			keys = append(keys, fmt.Sprintf("%s (--%s)", key[0], f.Name))
		}
	})
	if len(keys) > 0 {
		log.Info().Msgf("an experiment file has keys for this: %s", strings.Join(keys, ", "))
	}
}
