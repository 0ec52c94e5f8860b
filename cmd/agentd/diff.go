package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentd/documents/compare"
	domaincatalog "agentd/domains/catalog"
	"agentd/internal/charset"
	"agentd/internal/printable"
	"agentd/internal/usage"
)

// failOnContent is what --exit-code fails on: what documents mean.
const failOnContent = "content"

// diffFlags are the flags of agentd diff.
type diffFlags struct {
	domain, format, color, textconv, encoding, failOn string
	exitCode, git, hidden                             bool
}

func diffCommand() *cobra.Command {
	f := diffFlags{format: compare.Formats()[0], color: "auto"}
	c := &cobra.Command{
		Use:   "diff BEFORE AFTER",
		Short: "Compare documents by the meaning of their format",
		Long: "Compare two files, or two folders by path, and name what was lost, added, changed or moved: transactions of\n" +
			"a ledger, stops of a feed. What a format calls free, such as the order of names in JSON, is no change. What became of\n" +
			"the bytes is said separately: encoding, line ends, trailing blanks. A file in a folder may be renamed.\n" +
			"Lines are compared where no domain reads a file, and where it cannot be read any more.",
		Example: "  agentd diff old.ledger new.ledger\n  agentd diff before/ after/ --exit-code\n" +
			"  git config diff.agentd.command 'agentd diff --git'   # then, in .gitattributes: *.ledger diff=agentd",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			o := compare.Options{Hidden: f.hidden}
			var err error
			if f.domain != "" {
				if o.Domain, err = domaincatalog.Find(f.domain); err != nil {
					return err
				}
			}
			if f.encoding != "" {
				if o.Encoding, err = charset.Lookup(f.encoding); err != nil {
					return err
				}
			}
			return f.run(c, args, o)
		},
	}
	c.Flags().StringVar(&f.domain, "domain", "", "domain of the documents (default the one that reads them)")
	oneOf(c.Flags(), &f.format, "format", "format", compare.Formats(), "text, json, markdown or junit")
	oneOf(c.Flags(), &f.color, "color", "colour", []string{"auto", "always", "never"}, "auto, always or never")
	c.Flags().BoolVar(&f.exitCode, "exit-code", false, "exit with 1 if a document means something else than before")
	oneOf(c.Flags(), &f.failOn, "fail-on", "verdict", []string{failOnContent, compare.KindBytes}, "with content or bytes: exit with 1 as with --exit-code; bytes: also if only those changed")
	c.Flags().StringVar(&f.encoding, "encoding", "", "encoding of files that are not UTF-8, such as windows-1250 (default detected)")
	c.Flags().BoolVar(&f.git, "git", false, "take the arguments that git gives an external diff program; what follows it are names, also if they begin with a dash")
	c.Flags().BoolVar(&f.hidden, "hidden", false, "of folders, also compare the hidden folders in them")
	c.Flags().StringVar(&f.textconv, "textconv", "", "print the elements of one file, a line each, for git's textconv")
	return c
}

// endedByGit ends the options of diff after --git: the names that git gives are those of somebody's repository, and one of them may
// look like an option.
func endedByGit(root *cobra.Command, args []string) []string {
	if c, _, err := root.Find(args); err != nil || c.Name() != "diff" {
		return args
	}
	for i, arg := range args {
		switch {
		case arg == "--":
			return args
		case arg == "--git" || strings.HasPrefix(arg, "--git="):
			return slices.Insert(slices.Clone(args), i+1, "--")
		}
	}
	return args
}

func (f *diffFlags) run(c *cobra.Command, args []string, o compare.Options) error {
	var report compare.Report
	var err error
	switch {
	case f.textconv != "":
		text, err := compare.Listing(f.textconv, o.Domain)
		printable.Fprintf(c.OutOrStdout(), "%s", printable.Block(text))
		return err
	case f.git:
		report, err = compare.CompareGit(args, o)
	case len(args) != 2:
		return usage.Errorf("give two files or two folders; see agentd diff --help")
	default:
		report, err = compare.ComparePaths(args[0], args[1], o)
	}
	if err != nil {
		return err
	}
	report.BytesMatter = f.failOn == compare.KindBytes
	coloured := f.color == "always" || f.color == "auto" && printable.Coloured(os.Stdout)
	if err := report.Write(c.OutOrStdout(), f.format, coloured); err != nil {
		return err
	}
	differs := !report.Same || report.BytesMatter && !report.SameBytes()
	if (f.exitCode || f.failOn != "") && differs {
		return errDiffers
	}
	return nil
}
