package rules

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// format is a format of rules. A format with head is written as the head, the entries and the foot.
type format struct {
	name       string
	each       bool // it has no rule for a folder
	ends       bool // it has rules for what has an ending
	write      func(w *writer, rules []Rule)
	read       func(p *parser, text string)
	file, sign string // regular expressions: the name of a file of this format, and what occurs in it
	head, foot string
}

// formats lists the formats in the order in which a file is tried. README and --help list them in this order too.
var formats = []format{
	{name: "nginx", ends: true, write: each((*writer).nginx), read: (*parser).nginx, file: `\.(?:conf|map|nginx)$`, sign: `(?m)^\s*(?:(?:rewrite|return|location|if|include|server)\b.*[;{]|[/~]\S*\s+\S+;\s*$)`},
	{name: "apache", ends: true, write: each((*writer).apache), read: (*parser).apache, file: `\.(?:htaccess|conf|apache)$`, sign: `(?m)^\s*(?:<|Re(?:write|direct)|Include)`, head: "RewriteEngine On\n"},
	{name: "netlify", write: each((*writer).netlify), read: (*parser).netlify, file: `(?:^|\.)_redirects$|netlify\.toml$`, sign: `(?m)^\s*(?:/|https?://|\[\[redirects\]\])`},
	{name: "cloudflare", write: (*writer).cloudflare, read: (*parser).cloudflare, file: `\.csv$`, sign: cloudflareRow},
	{name: "hugo", each: true, write: (*writer).hugo, read: (*parser).hugo, file: `\.(?:md|markdown|adoc|rst)$`, sign: `^(?:---|\+\+\+|\{|# https?://|aliases)(?:.*\n)*?[\s{]*(?:.*,)?"?(?:aliases|redirect_from)"?\s*[:=]`},
	{name: "mkdocs", each: true, write: sources("        %s: %s\n"), read: (*parser).entries, file: `\.ya?ml$`, sign: `(?m)^\s*redirect_maps:`, head: "plugins:\n  - redirects:\n      redirect_maps:\n"},
	{name: "zensical", each: true, write: sources("%s = %s\n"), read: (*parser).entries, file: `\.toml$`, sign: `(?m)^\s*\[.*redirect_maps\]`, head: "[project.plugins.redirects.redirect_maps]\n"},
	{name: "rediraffe", each: true, write: (*writer).rediraffe, read: (*parser).rediraffe, file: `^redirects\.txt$`, sign: `(?m)^["']?[^\s/"'#][^"'\n]*\s+["']?[^\s/"'][^"'\n]*["']?$`},
	{name: "docusaurus", each: true, write: each((*writer).docusaurus), read: (*parser).docusaurus, file: `\.[cm]?[jt]sx?$`, sign: `\bredirects:\s*\[`, head: "redirects: [\n", foot: "],\n"},
	{name: "readthedocs", write: (*writer).readthedocs, read: (*parser).readthedocs, file: `\.json$`, sign: `"from_url"`, head: "[\n", foot: "\n]\n"},
	{name: "csv", write: (*writer).csv, read: (*parser).csv, file: `\.csv$`, sign: csvStart, head: "from,to,prefix\n"},
	{name: "vercel", each: true, read: (*parser).vercel, file: `\.json$`, sign: `"destination"\s*:`},
}

// expression returns a function that compiles a regular expression when it is first called, because few commands need it.
func expression(s string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s) })
}

// Format is one of [Formats].
type Format string

// Choices returns the formats.
func (Format) Choices() []string { return Formats }

// Formats lists the formats of [Write] and [Read], and Readable also those of Read only.
var (
	Readable []string
	Formats  []string
)

func init() {
	for i := range formats {
		Readable = append(Readable, formats[i].name)
	}
	Formats = Readable[:len(Readable)-1]
}

func formatOf(name string) (*format, error) {
	at := slices.Index(Readable, name)
	if at < 0 {
		return nil, fmt.Errorf("format %q is not one of %s", name, strings.Join(Readable, ", "))
	}
	return &formats[at], nil
}

// Detect returns the format of a file of rules, or "" if its name, with what it holds, is that of none.
func Detect(file string, text []byte) string {
	for i := range formats {
		if f := &formats[i]; regexp.MustCompile(f.file).MatchString(filepath.Base(file)) && regexp.MustCompile(f.sign).Match(text) {
			return f.name
		}
	}
	return ""
}

// Site is what the rules of a site are about. The zero value serves for writing the rules of one or several hosts.
type Site struct {
	Base      string                           // URL of the site without a slash at the end; empty: the host of each rule
	HTML      bool                             // URLs of its pages end in .html rather than in a slash
	Form      func(url string) string          // a canonical URL as the site writes it; nil: the URL itself
	Canonical func(url string) (string, error) // of any URL; needed to read rules
}

// HTML reports whether most of some canonical URLs end in .html.
func HTML(urls []string) bool {
	n := 0
	for _, url := range urls {
		if strings.HasSuffix(url, ".html") {
			n++
		}
	}
	return 2*n > len(urls)
}

// Write writes rules in a format. It returns the number of rules that the format cannot express. Formats that have no rules
// for folders, or none for endings, need rules made [For] them.
func Write(out io.Writer, name string, rules []Rule, site Site) (left int, err error) {
	f, err := formatOf(name)
	if err == nil && f.write == nil {
		err = fmt.Errorf("rules are not written in the format %s", name)
	}
	if err != nil {
		return 0, err
	}
	w := f.writer(rules, site)
	_, err = fmt.Fprint(out, f.head, w.String(), f.foot)
	return w.left, err
}

// Entry returns a rule in a format, as it stands in a file. It is empty if the format cannot express it.
func Entry(name string, rule Rule, site Site) string {
	f, err := formatOf(name)
	if err != nil || f.write == nil {
		return ""
	}
	return strings.TrimSpace(f.writer([]Rule{rule}, site).String())
}
