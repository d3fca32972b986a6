package main

import (
	"regexp"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"
)

const rootHelp = `lshclust finds the pages of a crawl that belong together. It has two views of every page. The topical view compares what
the web says about a page, the words around the links that point at it, and gives related pages and clusters, even for URLs
that were never crawled. The syntactic view compares what the page says itself, its shingles, and gives near-duplicates,
versions and contained texts. Every pair comes with exact figures and reasons.`

const firstSteps = `  lshclust demo                            make the run lshclust-demo of an embedded sample
  lshclust topics lshclust-demo            what the crawl is about
  lshclust related lshclust-demo postgresql.org/docs/15/gin.html   what is related to a page, and why
  lshclust duplicates lshclust-demo        which pages have similar texts
  lshclust serve lshclust-demo             all of this in a browser, and over HTTP
  lshclust cluster -o RUN crawl.warc.gz    your own crawl: WARC, JSON Lines, a folder of HTML, ...
  lshclust dedup -o OUT corpus/*.jsonl.gz  a corpus without its near-duplicates`

const exitHelp = `Exit codes:
  0    done
  1    failed, or done with a stated condition: a URL that the run does not hold, a check that found damage
  2    wrong usage
  3    done, but some input was unreadable and skipped
  4    refused, because the disk or the memory is too small
  130  interrupted, state saved`

// rootTemplate is the help of lshclust itself: what it is for, first steps, and all commands by group.
var rootTemplate = `{{paragraphs .Long}}

First steps:
{{paragraphs .Example}}
{{$c := .}}{{range $g := .Groups}}
{{$g.Title}}
{{commands $c $g.ID}}
{{end}}
{{exitcodes}}

"lshclust COMMAND --help" shows examples, what the command does, and its flags. "lshclust --version" shows the version.
`

// helpTemplate is the help of a command. What most people look for comes first: what the command is for, examples,
// and arguments. The description, which may be long, and the flags follow.
const helpTemplate = `{{paragraphs .Short}}

Examples:
{{examples .Example}}

Usage:
  {{.UseLine}}
{{if .Long}}
{{paragraphs .Long}}
{{end}}{{if .HasAvailableSubCommands}}
Commands:
{{commands . ""}}
{{end}}{{if .HasAvailableLocalFlags}}
{{flags .}}
{{end}}`

func init() {
	cobra.EnableCommandSorting = false // the commands are in the order in which people need them
	cobra.AddTemplateFunc("flags", flagsHelp)
	cobra.AddTemplateFunc("paragraphs", paragraphs)
	cobra.AddTemplateFunc("examples", examples)
	cobra.AddTemplateFunc("commands", commandsHelp)
	cobra.AddTemplateFunc("exitcodes", func() string { return paragraphs(exitHelp) })
}

// commandsHelp lists the commands of a group below another command.
func commandsHelp(c *cobra.Command, group string) string {
	var b strings.Builder
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.GroupID == group {
			b.WriteString("  " + runewidth.FillRight(sub.Name(), c.Commands()[0].NamePadding()) + "  " + sub.Short + "\n")
		}
	}
	return paragraphs(b.String())
}

// examples moves the comment of an example that is wider than the screen to a line above it.
func examples(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, "\n")
		if command, comment, ok := strings.Cut(l, "  #"); ok && runewidth.StringWidth(l) > helpWidth() {
			l = "  #" + comment + "\n" + strings.TrimRight(command, " ")
		}
		b.WriteString(l + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// helpWidth is the width of help texts.
func helpWidth() int { return min(width(), columnsInPipe) }

// item matches a line of a list in a help text: a name and, after two spaces, its meaning.
var item = regexp.MustCompile(`^( +\S+(?: \S+)*  +)(\S.*)$`)

// paragraphs folds a help text to the width of the screen. Lines that begin with a space are items of a list; the meaning
// of an item that is too wide stays in its column.
func paragraphs(text string) string {
	var b strings.Builder
	for lines := strings.Split(text, "\n"); len(lines) > 0; {
		n := 1
		switch {
		case lines[0] == "":
			b.WriteString("\n")
		case strings.HasPrefix(lines[0], " "):
			n = foldItem(&b, lines)
		default:
			for n < len(lines) && lines[n] != "" && !strings.HasPrefix(lines[n], " ") {
				n++
			}
			helpScreen().fold(&b, strings.Join(lines[:n], " "), 0, 0)
		}
		lines = lines[n:]
	}
	return strings.TrimRight(b.String(), "\n")
}

// helpScreen is the screen of help texts.
func helpScreen() screen { return screen{terminal: true, columns: helpWidth()} }

// foldItem writes the first item of a list, folded if it is too wide, and returns the number of its lines.
func foldItem(b *strings.Builder, lines []string) (n int) {
	s, indent := helpScreen(), len(lines[0])-len(strings.TrimLeft(lines[0], " "))
	name, said := lines[0][:indent], lines[0][indent:]
	if m := item.FindStringSubmatch(lines[0]); m != nil {
		name, said = m[1], m[2]
	}
	column, wide := runewidth.StringWidth(name), widest(lines[:1]) > s.columns
	for n = 1; n < len(lines) && strings.HasPrefix(lines[n], strings.Repeat(" ", max(column, indent+1))); n++ {
		said += " " + strings.TrimSpace(lines[n])
		wide = wide || widest(lines[n:n+1]) > s.columns
	}
	if !wide {
		b.WriteString(strings.Join(lines[:n], "\n") + "\n")
		return n
	}
	var rest strings.Builder
	s.fold(&rest, said, column, column)
	b.WriteString(name + rest.String()[column:])
	return n
}
