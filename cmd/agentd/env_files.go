package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/environments/resize"
	"agentd/internal/printable"
)

func (s *envSource) resizeCommand() *cobra.Command {
	var sizes []int
	var seed uint64
	var to string
	c := &cobra.Command{
		Use:   "resize [NAME...] --tokens N,N",
		Short: "Make size variants by balanced downsampling",
		Long: "Leave entries out of the seeds, of every category in proportion, until a seed has at most that\n" +
			"many tokens (o200k_base). Edits and distractors stay as they are, and every edit with an oracle\n" +
			"still leads there and back exactly. Without --to nothing is written.",
		Example: "  agentd env resize accounting1 --tokens 1000,2000,3000 --to sizes/\n  agentd run --data sizes/",
		RunE: func(c *cobra.Command, names []string) error {
			if len(sizes) == 0 {
				return usagef("give the sizes wanted, as in --tokens 1000,2000")
			}
			for _, size := range sizes {
				if size < 1 {
					return usagef("--tokens %d: use at least 1", size)
				}
			}
			envs, err := s.choose(names)
			if err != nil {
				return err
			}
			return resizeAll(c.OutOrStdout(), envs, sizes, seed, to)
		},
	}
	c.Flags().IntSliceVar(&sizes, "tokens", nil, "sizes, as the most tokens of a seed")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of the choice of entries")
	c.Flags().StringVar(&to, "to", "", "folder for the variants, one folder each")
	return c
}

// resizeAll makes all variants and prints a line for each, also for those that
// there are not.
func resizeAll(w io.Writer, envs []environments.Environment, sizes []int, seed uint64, to string) error {
	t := alignedTable(2, "variant", "tokens", "entries", "of")
	var impossible []string
	for i := range envs {
		for _, most := range sizes {
			name := fmt.Sprintf("%s-%d", envs[i].Name, most)
			v, err := resizeOne(&envs[i], most, seed)
			if errors.Is(err, resize.ErrImpossible) || errors.Is(err, domains.ErrNoEntries) {
				impossible = append(impossible, fmt.Sprintf("%s: %v", name, err))
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if to != "" {
				if err := save(&v.Environment, to); err != nil {
					return err
				}
			}
			t.AppendRow([]any{v.Environment.Name, v.Tokens, v.Kept, v.Of})
		}
	}
	if t.Length() > 0 {
		if err := printTable(w, t); err != nil {
			return err
		}
	}
	for _, line := range impossible {
		printable.Fprintf(w, "%s\n", line)
	}
	if len(impossible) > 0 {
		return fmt.Errorf("%d of %d variants cannot be made", len(impossible), len(envs)*len(sizes))
	}
	return nil
}

// resizeOne makes one variant.
func resizeOne(env *environments.Environment, most int, seed uint64) (resize.Variant, error) {
	d, ok := lookup(domaincatalog.Lookup).of(env)
	if !ok {
		return resize.Variant{}, fmt.Errorf("%w: the domain %s is not built yet", resize.ErrImpossible, env.Domain)
	}
	return resize.To(env, d, most, seed)
}

// save writes an environment into a folder of its name.
func save(env *environments.Environment, to string) error {
	err := env.Save(to)
	if errors.Is(err, fs.ErrExist) {
		return usagef("%s is there already; move it away, or choose another folder with --to", filepath.Join(to, env.Name))
	}
	return err
}

func importCommand() *cobra.Command {
	var to string
	c := &cobra.Command{
		Use:   "import FILE [NAME...]",
		Short: "Write environments of a data set file as folders that can be edited",
		Long: "Read a file in the released format, or a folder, and write each environment as a folder:\n" +
			"environment.yaml, seed/, distractors/.",
		Example: "  agentd env import delegate52.jsonl --to environments/\n  agentd env import delegate52.jsonl 'accounting*' --to environments/",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if to == "" {
				return usagef("give the folder to write to with --to")
			}
			if c.Flags().Changed("data") {
				return usagef("name the file as an argument, without --data")
			}
			source := envSource{data: args[0]}
			envs, err := source.choose(args[1:])
			if err != nil {
				return err
			}
			for i := range envs {
				if err := save(&envs[i], to); err != nil {
					return err
				}
			}
			_, err = printable.Fprintf(c.OutOrStdout(), "%d environments are in %s\n", len(envs), to)
			return err
		},
	}
	c.Flags().StringVar(&to, "to", "", "folder to write to, one folder for each environment")
	return c
}

func (s *envSource) exportCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "export [NAME...]",
		Short:   "Print environments in the released format, a line of JSON each",
		Long:    "Print environments in the released format. It has no place for oracles.",
		Example: "  agentd env export > mine.jsonl\n  agentd env export --data environments/ accounting1",
		RunE: func(c *cobra.Command, names []string) error {
			envs, err := s.choose(names)
			if err != nil {
				return err
			}
			encoder := json.NewEncoder(forJSON(c.OutOrStdout()))
			encoder.SetEscapeHTML(false)
			for i := range envs {
				if err := encoder.Encode(envs[i].Sample()); err != nil {
					return fmt.Errorf("writing %s: %w", envs[i].Name, err)
				}
			}
			return nil
		},
	}
}
