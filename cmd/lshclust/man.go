package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:   "man FOLDER",
		Short: "Write the manual pages",
		Long: `Man writes a manual page for lshclust and one for each command, with what --help says, into a folder. The
packages install them. After "lshclust man ~/.local/share/man/man1", "man lshclust-cluster" shows the page of cluster.`,
		Example: `  lshclust man ~/.local/share/man/man1
  lshclust man . && man ./lshclust-related.1`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			return writeManual(args[0], c.Root())
		},
	}
}

// writeManual writes the page of a command, and those of its subcommands, into a folder.
func writeManual(folder string, c *cobra.Command) error {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	if err := os.WriteFile(filepath.Join(folder, manName(c)+".1"), []byte(manual(c)), 0o666); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			if err := writeManual(folder, sub); err != nil {
				return err
			}
		}
	}
	return nil
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manual returns the page of a command in the language of man(7).
func manual(c *cobra.Command) string {
	var b strings.Builder
	_, _, date := built()
	fmt.Fprintf(&b, ".TH %s 1 %q %q %q\n.SH NAME\n%s %s\n", roff(strings.ToUpper(manName(c))), date, "lshclust "+version(), "lshclust",
		roff(manName(c)), `\- `+roff(c.Short))
	_, args, _ := strings.Cut(c.UseLine(), c.CommandPath())
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n%s\n.SH DESCRIPTION\n", roff(c.CommandPath()), roff(strings.TrimSpace(args)))
	manText(&b, c.Long)
	seeAlso := []string{}
	if c.HasParent() {
		seeAlso = append(seeAlso, manName(c.Parent()))
	}
	for i, sub := range c.Commands() {
		if i == 0 {
			b.WriteString(".SH COMMANDS\n")
		}
		if sub.IsAvailableCommand() {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(sub.Name()), roff(sub.Short))
			seeAlso = append(seeAlso, manName(sub))
		}
	}
	b.WriteString(".SH OPTIONS\n")
	eachGroup(c, func(group string, flags *pflag.FlagSet) {
		fmt.Fprintf(&b, ".SS %s\n", roff(group))
		flags.VisitAll(func(f *pflag.Flag) { manFlag(&b, f) })
	})
	fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n.SH EXIT STATUS\n", roff(c.Example))
	_, codes, _ := strings.Cut(exitHelp, "\n")
	manText(&b, codes)
	for i, name := range seeAlso {
		seeAlso[i] = `\fB` + roff(name) + `\fR(1)`
	}
	b.WriteString(".SH SEE ALSO\n" + strings.Join(seeAlso, ",\n") + "\n")
	return b.String()
}

// manFlag writes a flag with its value, what it does and its default.
func manFlag(b *strings.Builder, f *pflag.Flag) {
	value, usage := pflag.UnquoteUsage(f)
	b.WriteString(".TP\n")
	if f.Shorthand != "" {
		b.WriteString(`\fB\-` + f.Shorthand + `\fR, `)
	}
	b.WriteString(`\fB\-\-` + roff(f.Name) + `\fR`)
	if value != "" {
		b.WriteString(` \fI` + roff(value) + `\fR`)
	}
	switch f.DefValue {
	case "", "0", "false", "[]", "0s":
	default:
		usage += " (default " + f.DefValue + ")"
	}
	b.WriteString("\n" + roff(usage) + "\n")
}

// manText writes a help text. Lines that begin with a space are items of a list: a name and, after two spaces, its meaning.
func manText(b *strings.Builder, text string) {
	ended := false // the paragraph or list before the line
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, "\n")
		switch m := item.FindStringSubmatch(l); {
		case l == "":
			ended = true
			continue
		case m != nil:
			fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(m[1])), roff(m[2]))
		case ended:
			b.WriteString(".PP\n" + roff(l) + "\n")
		default:
			b.WriteString(roff(strings.TrimSpace(l)) + "\n")
		}
		ended = false
	}
}

// roff escapes text for the language of man(7).
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`, "`", `\(ga`).Replace(text)
	return strings.ReplaceAll("\n"+text, "\n.", "\n\\&.")[1:]
}
