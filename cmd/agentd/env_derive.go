package main

import (
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentd/documents/compare"
	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/internal/charset"
	"agentd/internal/datafile"
	"agentd/internal/printable"
	"agentd/internal/usage"
)

// ownFlags say what an environment is made of.
type ownFlags struct {
	environments.Own
	domain, distractors, to, encoding string
}

func (f *ownFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.domain, "domain", "", "domain of the documents (default the one that reads them)")
	flags.StringVar(&f.Name, "name", "", "name of the environment (default that of the first document)")
	flags.StringVar(&f.distractors, "distractors", "", "file or folder of files that no edit needs (distractors)")
	registerEncoding(flags, &f.encoding)
	flags.StringVar(&f.to, "to", "", "folder in which the environment's folder is made")
}

// read reads the documents and finds their domain.
func (f *ownFlags) read(paths []string) (d domains.Domain, err error) {
	if f.to == "" {
		return nil, usage.Errorf("give the folder to write to with --to")
	}
	var reader datafile.Reader
	if reader.Assumed, err = encodingOf(f.encoding); err != nil {
		return nil, err
	}
	if f.Documents, err = compare.OneDocument(&reader, paths); err != nil {
		return nil, err
	}
	f.Encodings = reader.Encodings
	if f.distractors != "" {
		if f.Distractors, err = compare.Documents(f.distractors); err != nil {
			return nil, err
		}
	}
	if f.Name == "" {
		base := filepath.Base(filepath.Clean(paths[0]))
		f.Name = strings.TrimSuffix(base, filepath.Ext(base))
	}
	d, f.Documents, err = domaincatalog.Of(f.Documents, f.domain)
	return d, err
}

// registerEncoding registers the flag of encodingOf.
func registerEncoding(flags *pflag.FlagSet, name *string) {
	flags.StringVar(name, "encoding", "", "encoding of files that are not UTF-8, such as windows-1250 (default detected)")
}

// encodingOf is the encoding that --encoding names; the zero value, which detects it, without one.
func encodingOf(name string) (charset.Encoding, error) {
	if name == "" {
		return charset.Encoding{}, nil
	}
	return charset.Lookup(name)
}

// writeReadAs names the documents that are not in UTF-8, and their encodings.
func writeReadAs(out io.Writer, encodings charset.Encodings) {
	for _, name := range slices.Sorted(maps.Keys(encodings)) {
		printable.Fprintf(out, "%s is read as %s; --encoding names another\n", name, encodings[name])
	}
}

func newEnvCommand() *cobra.Command {
	var own ownFlags
	c := &cobra.Command{
		Use:   "new DOCUMENT... --to FOLDER",
		Short: "Create an environment template",
		Long: "Write the documents and an environment.yaml with an example edit, a comment on every key, and places to\n" +
			"fill in. Until all are filled in, agentd env validate says that the environment is unfinished, and nothing\n" +
			"runs on it. agentd env derive finds edits without your help.",
		Example: "  agentd env new ledger/2026.ledger --to mine/\n  agentd env new --domain transit feed.zip --name tram --to mine/",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			d, err := own.read(paths)
			if err != nil {
				return err
			}
			if err := own.SaveStarter(d, own.to); err != nil {
				return usage.Wrap(err)
			}
			_, err = printable.Fprintf(c.OutOrStdout(), "%s: fill in what begins with %q, then agentd env validate --data %s\n",
				filepath.Join(own.to, own.Name, "environment.yaml"), environments.Placeholder, own.to)
			return err
		},
	}
	own.register(c.Flags())
	return c
}

func deriveCommand() *cobra.Command {
	var own ownFlags
	c := &cobra.Command{
		Use:   "derive DOCUMENT... --to FOLDER",
		Short: "Make an environment of documents of your own",
		Long: "Find out what the files are, and derive reversible edits that are possible on them, each with the exact\n" +
			"program for both directions, so that every step can be scored. Several files make one document, such as\n" +
			"the tables of a transit feed. The environment is written as a folder, to be read and edited.",
		Example: "  agentd env derive ledger/2026.ledger --to mine/\n  agentd env derive feed.zip --domain transit --derived 10 --to mine/\n" +
			"  agentd run --data mine/ --model gpt-5.4 --policy agentic,direct",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			d, err := own.read(paths)
			if err != nil {
				return err
			}
			env, err := own.Environment(d)
			if err != nil {
				return usage.Wrap(err)
			}
			if err := env.Save(own.to); err != nil {
				return err
			}
			printable.Fprintf(c.OutOrStdout(), "%s: %s, %s\n", filepath.Join(own.to, env.Name), env.Domain, printable.Count(len(env.Edits), "edit"))
			for _, edit := range env.Edits {
				printable.Fprintf(c.OutOrStdout(), "  %s\n", edit.Name)
			}
			writeReadAs(c.OutOrStdout(), env.Encodings)
			if env.Metadata.RSIsStrict() {
				printable.Fprintf(c.OutOrStdout(), "no published score can be had of it, so RS is Strict (metadata: {rs: strict})\n")
			}
			return nil
		},
	}
	own.register(c.Flags())
	c.Flags().IntVar(&own.Edits, "derived", 8, "how many edits to derive at most")
	c.Flags().Uint64Var(&own.Own.Seed, "seed", 1, "seed of the choice of edits")
	return c
}
