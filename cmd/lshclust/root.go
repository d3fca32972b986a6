package main

import (
	"strings"

	"github.com/spf13/cobra"
)

const rootHelp = `lshclust finds the pages of a crawl that belong together. It has two views of every page. The topical view compares what
the web says about a page, the words around the links that point at it, and gives related pages and clusters, even for URLs
that were never crawled. The syntactic view compares what the page says itself, its shingles, and gives near-duplicates,
versions and contained texts. Every pair comes with exact figures and reasons.

First steps:
  lshclust demo                                   cluster and show an embedded sample
  lshclust doctor crawl.warc.gz                   what a file holds, and what is wrong with it
  lshclust plan crawl.warc.gz                     how long it takes to cluster it, and whether it fits
  lshclust cluster -o RUN crawl.warc.gz           cluster a crawl (WARC, JSONL, folder of HTML)
  lshclust related RUN https://example.org/       what is related to a page
  lshclust clusters RUN                           which pages belong together
  lshclust explain RUN URL URL                    why two pages are related, or why not
  lshclust duplicates RUN URL                     which pages have similar texts
  lshclust diff RUN URL URL                       two texts side by side
  lshclust query RUN draft.html                   which pages have a text similar to any document
  lshclust who RUN draft.html                     who has a text or a paragraph of it, by host
  lshclust fold RUN results.txt                   near-copies in a list of URLs under the best one
  lshclust compare RUN                            where the two views disagree
  lshclust changes RUN1 RUN2                      what changed between two crawls of a site
  lshclust moved RUN1 RUN2 --rules nginx          redirect rules for the pages that moved
  lshclust find RUN1 RUN2 URL                     where a lost page is now, or what is nearest to it
  lshclust serve RUN                              answer all of these over HTTP
  lshclust mcp RUN                                answer an assistant, by the Model Context Protocol
  lshclust related RUN --all --top 10 > all.tsv   related pages of every page
  lshclust eval directory RUN --gold gold.tsv     how good the results are, by categories that people made`

const exitHelp = `
Exit codes: 0 done; 1 failed, or done with a stated condition (a URL that the run does not hold, a check that found
damage); 2 wrong usage; 3 done, but some input was unreadable and skipped; 4 refused, because the disk or the memory is too
small; 130 interrupted, state saved.`

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use: "lshclust", Short: "Which pages of a crawl belong together",
		Long: rootHelp + "\n" + exitHelp, Version: versionLine(),
		SilenceUsage: true, SilenceErrors: true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		Args:              cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return usage(&hint{unknownCommand(c, args[0]), c})
		},
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage(&hint{wrongFlag(c, err), c})
	})
	root.SetHelpTemplate(helpTemplate)
	root.SetVersionTemplate("lshclust {{.Version}}\n")
	root.SetHelpCommand(newHelp())
	root.AddCommand(newDemo(), newCluster(), newRelated(), newExplain(), newInfo(), newExport(), newCompare(), newChanges(), newMoved(), newFind(), newCheck(), newDoctor(), newPlan(),
		newDuplicates(), newQuery(), newWho(), newFold(), newDiff(), newClusters(), newRecluster(), newClassify(), newBounds(), newEval(), newTune(), newWorkload(), newTask(),
		newConfig(), newServe(), newMCP())
	root.AddCommand(newReport())
	ready(root.Commands())
	return root
}

// newHelp returns a help command like that of cobra, which also suggests a command for an unknown name.
func newHelp() *cobra.Command {
	c := &cobra.Command{
		Use: "help [COMMAND]", Short: "Help about any command", Args: cobra.ArbitraryArgs,
		Example: "  lshclust help cluster\n  lshclust help eval recall",
		RunE: func(c *cobra.Command, args []string) error {
			of, rest, err := c.Root().Find(args)
			if err != nil {
				return usage(err)
			}
			if len(rest) > 0 {
				return usage(&hint{unknownCommand(of, rest[0]), of})
			}
			of.InitDefaultHelpFlag()
			return of.Help()
		},
	}
	c.SetUsageTemplate(usageTemplate)
	return c
}

// ready makes commands and their subcommands show examples first and explain wrong usage.
func ready(commands []*cobra.Command) {
	for _, c := range commands {
		ready(c.Commands())
		c.DisableFlagsInUseLine = true
		c.SetUsageTemplate(usageTemplate)
		args := c.Args
		c.Args = func(c *cobra.Command, given []string) error {
			if args(c, given) != nil {
				return usage(&hint{wrongArguments(c, given), c})
			}
			return nil
		}
	}
}

// usageTemplate is cobra's, with the examples first.
var usageTemplate = strings.TrimLeft(`
Examples:
{{.Example}}

Usage:
  {{.UseLine}}{{if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

{{flags .}}{{end}}
`, "\n")

func init() {
	cobra.AddTemplateFunc("flags", flagsHelp)
	cobra.AddTemplateFunc("paragraphs", paragraphs)
}

// helpTemplate is cobra's, with the text folded to the width of the screen.
const helpTemplate = "{{with (or .Long .Short)}}{{paragraphs .}}\n\n{{end}}{{if or .Runnable .HasSubCommands}}{{.UsageString}}{{end}}"

// hint adds to an error of usage where to find help.
type hint struct {
	err error
	c   *cobra.Command
}

func (h *hint) Error() string { return h.err.Error() + "; see " + h.c.CommandPath() + " --help" }
func (h *hint) Unwrap() error { return h.err }
