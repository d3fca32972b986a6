package rules

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// format is a format of rules. A format with head is written as the head, the entries and the foot.
type format struct {
	name       string
	each       bool // it has no rule for a folder
	ends       bool // it has rules for what has an ending
	write      func(w *writer, rules []Rule)
	read       func(p *parser, text string)
	sign       *regexp.Regexp // occurs in files of this format
	line       *regexp.Regexp // nearly all lines of files of this format; nil if they are a part of other files
	head, foot string
	open       *regexp.Regexp // what new entries follow; nil if they stand at the end of the file
}

// formats lists the formats in the order in which a file is tried. README and --help list them in this order too.
var formats = []format{
	{name: "nginx", ends: true, write: (*writer).nginx, read: (*parser).nginx, sign: regexp.MustCompile(`(?m)^\s*(?:(?:rewrite\s+\S+\s+\S|return\s+(?:\d{3}|https?:|\$)|map\s+\S+\s+\$|set\s+\$).*[;{]|(?:location\s.*|server\s*|if\s*\(\$.*)\{|[/~]\S*\s+\S+;\s*$)`), line: nginxLine},
	{name: "apache", ends: true, write: (*writer).apache, read: (*parser).apache, sign: regexp.MustCompile(`(?im)^\s*(?:Rewrite(?:Engine|Rule|Cond)\s|Redirect(?:Match|Permanent|Temp)?\s+(?:[3-5]\d\d|permanent|temp|seeother|gone|["'/^]))`), line: regexp.MustCompile(`^\s*(?:</?[A-Za-z]|[A-Za-z]+\s+[^\s=]|.*\\$)`), head: "RewriteEngine On\n"},
	{name: "netlify", write: (*writer).netlify, read: (*parser).netlify, sign: netlifyLine, line: netlifyLine},
	{name: "cloudflare", write: (*writer).cloudflare, read: (*parser).cloudflare, sign: cloudflareLine, line: cloudflareLine},
	{name: "hugo", each: true, write: (*writer).hugo, read: (*parser).hugo, sign: regexp.MustCompile(`^(?:---|\+\+\+|\{|# https?://|aliases)(?:.*\n)*?[\s{]*(?:.*,)?"?(?:aliases|redirect_from)"?\s*[:=]`)},
	{name: "mkdocs", each: true, write: (*writer).mkdocs, read: (*parser).entries, sign: regexp.MustCompile(`(?m)^\s*redirect_maps:`), head: "plugins:\n  - redirects:\n      redirect_maps:\n", open: regexp.MustCompile(`(?m)^\s*redirect_maps:[^\n]*\n`)},
	{name: "zensical", each: true, write: (*writer).zensical, read: (*parser).entries, sign: regexp.MustCompile(`(?m)^\s*\[.*redirect_maps\]`), head: "[project.plugins.redirects.redirect_maps]\n", open: regexp.MustCompile(`(?m)^\s*\[[^\n]*redirect_maps\][^\n]*\n`)},
	{name: "rediraffe", each: true, write: (*writer).rediraffe, read: (*parser).rediraffe, sign: regexp.MustCompile(`(?m)[/.][\w-]+["']?(?:[ \t]|$)`), line: edge},
	{name: "docusaurus", each: true, write: (*writer).docusaurus, read: (*parser).docusaurus, sign: regexp.MustCompile(`\bredirects:\s*\[`), head: "redirects: [\n", foot: "],\n", open: jsOpen},
	{name: "readthedocs", write: (*writer).readthedocs, read: (*parser).readthedocs, sign: regexp.MustCompile(`"from_url"`), head: "[\n", foot: "\n]\n"},
	{name: "csv", write: (*writer).csv, read: (*parser).csv, sign: csvHead, head: "from,to,prefix\n"},
	{name: "vercel", each: true, read: (*parser).vercel, sign: regexp.MustCompile(`"(?:source|regex)"\s*:(?:.|\s)*"destination"|"destination"\s*:(?:.|\s)*"source"`)},
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

// ofNames are the formats of files with some names; "" is none, though lines may look like rules.
var ofNames = []struct {
	name    *regexp.Regexp
	formats []string
}{
	{regexp.MustCompile(`^_redirects|\._redirects$`), []string{"netlify"}},
	{regexp.MustCompile(`\.htaccess$`), []string{"apache"}},
	{regexp.MustCompile(`\.toml$`), []string{"netlify", "zensical"}},
	{regexp.MustCompile(`\.ya?ml$`), []string{"mkdocs"}},
	{regexp.MustCompile(`\.json$`), []string{"readthedocs", "vercel"}},
	{regexp.MustCompile(`\.[cm]?[jt]sx?$`), []string{"docusaurus"}},
	{regexp.MustCompile(`\.(?:md|markdown|adoc|rst)$`), []string{"hugo"}},
	{regexp.MustCompile(`(?i)Caddyfile$|\.(?:html?|xml|py|php|rb|go|config|lua|vcl)$`), nil},
}

var (
	nginxLine      = regexp.MustCompile(`^\s*(?:[{}]|[/~"'^]\S*\s+\S+;|(?:rewrite|return|location|if|map|server|set|listen|include|root|index|default|hostnames|volatile|break|http|events|types|upstream|allow|deny|alias|expires|charset|gzip|resolver|internal|user)\b[^=]|[a-z]+_[a-z_]+\s+[^\s=(])`)
	netlifyLine    = regexp.MustCompile(`(?m)^\s*(?:/|https?://)[^\s,]*\s+[^\s;{][^;{]*$`)
	cloudflareLine = regexp.MustCompile(`(?m)^"?[^\s,]+"?,"?https?://[^\s,]*"?,30\d`)
	markup         = regexp.MustCompile(`(?i)^\s*<(?:!|html|\?|head|body)`)
)

// Detect returns the format of a file of rules by its name and its start, or "" if it has none that Detect knows. The
// formats whose lines are rules need nearly all lines to be some.
func Detect(file string, text []byte) string {
	const start = 1 << 20
	if text = text[:min(len(text), start)]; bytes.IndexByte(text, 0) >= 0 || markup.Match(text) {
		return ""
	}
	of := []string{"csv", "cloudflare", "readthedocs", "vercel", "docusaurus", "mkdocs", "zensical", "hugo", "apache", "nginx", "netlify", "rediraffe"}
	for _, known := range ofNames {
		if known.name.MatchString(filepath.Base(file)) {
			of = known.formats
			break
		}
	}
	for _, name := range of {
		format, _ := formatOf(name)
		inTOML := name == "netlify" && bytes.Contains(text, []byte("[[redirects]]"))
		if inTOML || format.sign.Match(text) && format.fits(string(text)) && !strings.HasSuffix(file, ".toml") || name == "zensical" && format.sign.Match(text) {
			return name
		}
	}
	return ""
}

// fits reports whether all lines but one, or nine in ten, are such as the format has.
func (f *format) fits(text string) bool {
	all, other := 0, 0
	lines(text, func(_ int, line string) {
		if all++; f.line != nil && !f.line.MatchString(line) {
			other++
		}
	})
	return other < all && other <= max(1, all/10)
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

// Add returns a file of rules with more rules. They follow those that it has or, where the format nests them, come
// first.
func Add(text []byte, name string, rules []Rule, site Site) ([]byte, error) {
	f, err := formatOf(name)
	if err != nil {
		return nil, err
	}
	if slices.Contains([]string{"hugo", "readthedocs", "vercel"}, name) || name == "netlify" && bytes.Contains(text, []byte("[[redirects]]")) {
		return nil, fmt.Errorf("rules of the format %s are not in one file that can be added to: print them with lshclust moved --rules %[1]s", name)
	}
	entries, head := f.writer(rules, site).Bytes(), strings.TrimSpace(f.head)
	at := []int{len(text), len(text)}
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return slices.Concat([]byte(f.head), entries, []byte(f.foot)), nil
	case f.open != nil:
		if at = f.open.FindIndex(text); at == nil {
			return nil, fmt.Errorf("there is no place for rules of the format %s: %s", name, head)
		}
		indent := text[at[1] : len(text)-len(bytes.TrimLeft(text[at[1]:], " \t"))]
		entries = regexp.MustCompile(`(?m)^\s*\b|^\s*(["'{])`).ReplaceAll(entries, append(slices.Clone(indent), "$1"...))
	case !bytes.Contains(text, []byte(head)):
		entries = append([]byte(f.head), entries...)
	}
	if f.open == nil && text[len(text)-1] != '\n' {
		entries = append([]byte("\n"), entries...)
	}
	return slices.Concat(text[:at[1]], entries, text[at[1]:]), nil
}
