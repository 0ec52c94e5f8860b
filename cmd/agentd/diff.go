package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentd/documents/compare"
	"agentd/documents/guard"
	domaincatalog "agentd/domains/catalog"
	"agentd/internal/printable"
	"agentd/internal/usage"
)

// failOnContent is what --exit-code fails on: whatever documents mean now.
const failOnContent = "content"

// diffFlags are the flags of agentd diff.
type diffFlags struct {
	domain, format, color, textconv, encoding string
	failOn                                    []string
	exitCode, git, hidden                     bool
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
			if o.Encoding, err = encodingOf(f.encoding); err != nil {
				return err
			}
			return f.run(c, args, o)
		},
	}
	c.Flags().StringVar(&f.domain, "domain", "", "domain of the documents (default the one that reads them)")
	oneOf(c.Flags(), &f.format, "format", "format", compare.Formats(), "text, json, markdown or junit")
	oneOf(c.Flags(), &f.color, "color", "colour", []string{"auto", "always", "never"}, "auto, always or never")
	c.Flags().BoolVar(&f.exitCode, "exit-code", false, "exit with 1 if a document means something else than before")
	c.Flags().StringSliceVar(&f.failOn, "fail-on", nil, "exit with 1 on these alone: lost, added, changed, moved, renamed, broken or such as changed:amount, as --deny of guard;\n"+
		"content is all of them, and bytes without another kind is content and bytes")
	registerEncoding(c.Flags(), &f.encoding)
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
	fails, err := f.fails()
	if err != nil {
		return err
	}
	report := compare.Report{}
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
	report.Fails = fails
	coloured := f.color == "always" || f.color == "auto" && printable.Coloured(os.Stdout)
	if err := report.Write(c.OutOrStdout(), f.format, coloured); err != nil {
		return err
	}
	if (f.exitCode || len(f.failOn) > 0) && slices.ContainsFunc(report.Documents, fails) {
		return errDiffers
	}
	return nil
}

// fails returns what a document fails by: the kinds of --fail-on, and every change of meaning with --exit-code, with content, and where
// bytes stand alone.
func (f *diffFlags) fails() (func(compare.Document) bool, error) {
	kinds := slices.DeleteFunc(slices.Clone(f.failOn), func(kind string) bool { return kind == failOnContent })
	content := f.exitCode || len(kinds) < len(f.failOn) || len(kinds) == 0 || len(kinds) == 1 && kinds[0] == compare.KindBytes
	rule, err := guard.NewRule(nil, kinds)
	if err != nil {
		return nil, fmt.Errorf("--fail-on: %w", err)
	}
	return func(d compare.Document) bool { return content && d.Status != compare.Same || rule.Denies(d) }, nil
}
