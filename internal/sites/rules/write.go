package rules

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Formats lists the formats of [Write].
var Formats = []string{"nginx", "apache", "netlify", "cloudflare", "hugo", "csv"}

// Write writes rules in the format of a server. form returns a URL of the newer crawl as its site writes it, perhaps
// with a slash at the end, so that the site does not redirect again.
//
//	nginx       directives for a server block
//	apache      mod_rewrite directives for a server, a virtual host or .htaccess
//	netlify     lines of _redirects
//	cloudflare  rows of a list of bulk redirects
//	hugo        aliases for the front matter of each new page; Hugo has no rules for folders, so give it rules without Prefix
//	csv         from, to, prefix
func Write(w io.Writer, format string, rules []Rule, form func(url string) string) error {
	var err error
	b := bufio.NewWriter(w)
	to := writer{b, len(originsOf(rules)) > 1, form}
	switch format {
	case "nginx":
		for _, r := range rules {
			to.nginx(r)
		}
	case "apache":
		fmt.Fprintln(b, "RewriteEngine On")
		for _, r := range rules {
			to.apache(r)
		}
	case "netlify":
		for _, r := range rules {
			to.netlify(r)
		}
	case "cloudflare":
		err = to.cloudflare(rules)
	case "hugo":
		to.hugo(rules)
	case "csv":
		err = to.csv(rules)
	default:
		return fmt.Errorf("format %q is not one of %s", format, strings.Join(Formats, ", "))
	}
	if err != nil {
		return err
	}
	return b.Flush()
}

// originsOf returns the distinct origins of the URLs that rules redirect.
func originsOf(rules []Rule) (origins []string) {
	for _, r := range rules {
		origins = append(origins, originOf(r.From))
	}
	slices.Sort(origins)
	return slices.Compact(origins)
}

type writer struct {
	*bufio.Writer
	hosts bool // rules are for several hosts, so each names its host
	form  func(url string) string
}

// source is the URL that a rule redirects, split into the parts that servers match.
type source struct {
	host  string
	path  string // percent-encoded, without a slash at the end: empty at the top
	query string
}

func sourceOf(r Rule) (s source) {
	origin := originOf(r.From)
	_, s.host, _ = strings.Cut(origin, "://")
	s.path, s.query, _ = strings.Cut(r.From[len(origin):], "?")
	s.path = strings.TrimSuffix(s.path, "/")
	return s
}

// index matches what may follow a path in the forms with the same canonical URL.
const index = `/?(?:(?:index|default)\.\w+)?`

// pattern returns the regular expression, between ^/ and $, of the decoded paths that a rule matches, and whether it
// has a group for what follows a folder.
func (s source) pattern(prefix bool) string {
	path := strings.TrimPrefix(quoteMeta(decoded(s.path)), "/")
	switch {
	case prefix && path == "":
		return "(.*)"
	case prefix:
		return path + "(?:/(.*))?"
	case path == "":
		return strings.TrimPrefix(index, "/?")
	}
	return path + index
}

// quoteMeta quotes a path for a regular expression. Control characters and quotes become escapes, so that the result
// can stand between double quotes.
func quoteMeta(s string) string {
	var b strings.Builder
	for _, r := range []byte(s) {
		switch {
		case r <= ' ' || r == '"' || r == '\'' || r == '\\' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02X`, r)
		case r < 0x80:
			b.WriteString(regexp.QuoteMeta(string(rune(r))))
		default:
			b.WriteByte(r)
		}
	}
	return b.String()
}

// decoded decodes the percent escapes of a path.
func decoded(path string) string {
	s, err := url.PathUnescape(path)
	if err != nil {
		return path
	}
	return s
}

// safe encodes what could end a quoted word or a line of a configuration, or look like a variable.
var safe = strings.NewReplacer(`"`, "%22", `\`, "%5C", " ", "%20", "\n", "%0A", "\r", "%0D", "{", "%7B", "}", "%7D", "`", "%60")

// target returns the URL that a rule leads to, which for a folder ends with the slash before the rest.
func (w writer) target(r Rule) string {
	if r.Prefix {
		return safe.Replace(strings.TrimSuffix(r.To, "/") + "/")
	}
	return safe.Replace(w.form(r.To))
}

// nginx writes a rewrite for a folder and a return for a single URL, because rewrite decodes %3F and %5C in its target.
func (w writer) nginx(r Rule) {
	s, to := sourceOf(r), strings.ReplaceAll(w.target(r), "$", "%24") // nginx has no other way to write $
	host, variable, pattern, more := "", "$uri", "/"+s.pattern(r.Prefix), ""
	if w.hosts {
		host = `(?:www\.)?` + quoteMeta(s.host)
	}
	switch {
	case r.Prefix && w.hosts:
		fmt.Fprintf(w, "if ($host ~ \"^%s$\") { rewrite \"^%s$\" \"%s$1\" permanent; }\n", host, pattern, to)
		return
	case r.Prefix:
		fmt.Fprintf(w, "rewrite \"^%s$\" \"%s$1\" permanent;\n", pattern, to)
		return
	case s.query != "":
		variable, pattern = "$request_uri", quoteMeta(s.path)+index+`\?`+quoteMeta(s.query)
	case !strings.Contains(to, "?"):
		more = "$is_args$args"
	}
	if w.hosts {
		fmt.Fprintf(w, "set $asked \"$host%s\";\n", variable)
		variable = "$asked"
	}
	fmt.Fprintf(w, "if (%s ~ \"^%s%s$\") { return 301 \"%s%s\"; }\n", variable, host, pattern, to, more)
}

func (w writer) apache(r Rule) {
	s, flags := sourceOf(r), "R=301,L"
	if w.hosts {
		fmt.Fprintf(w, "RewriteCond \"%%{HTTP_HOST}\" \"^(?:www\\.)?%s$\" [NC]\n", quoteMeta(s.host))
	}
	if s.query != "" {
		fmt.Fprintf(w, "RewriteCond \"%%{QUERY_STRING}\" \"^%s$\"\n", quoteMeta(s.query))
		flags += ",QSD"
	}
	to, rest := w.target(r), ""
	if r.Prefix { // Apache encodes the whole target, so pass it decoded
		origin := originOf(to)
		to, rest = origin+decoded(to[len(origin):]), "$1"
	} else {
		flags += ",NE"
	}
	to = strings.NewReplacer("%", `\%`, "$", `\$`, `"`, `\"`).Replace(to)
	fmt.Fprintf(w, "RewriteRule \"^/?%s$\" \"%s%s\" [%s]\n", s.pattern(r.Prefix), to, rest, flags)
}

// plain returns the URL that a rule redirects, without its origin if all rules are for one host.
func (w writer) plain(r Rule) string {
	if w.hosts {
		return safe.Replace(r.From)
	}
	return safe.Replace(cmp.Or(r.From[len(originOf(r.From)):], "/"))
}

func (w writer) netlify(r Rule) {
	from, to := w.plain(r), w.target(r)
	path, query, _ := strings.Cut(from, "?")
	switch {
	case r.Prefix:
		fmt.Fprintf(w, "%s/* %s:splat 301!\n", strings.TrimSuffix(from, "/"), to)
	case query != "":
		fmt.Fprintf(w, "%s %s %s 301!\n", path, strings.ReplaceAll(query, "&", " "), to)
	default:
		fmt.Fprintf(w, "%s %s 301!\n", from, to)
	}
}

func (w writer) cloudflare(rules []Rule) error {
	var rows [][]string
	for _, r := range rules {
		_, from, _ := strings.Cut(r.From, "://")
		deep := strings.ToUpper(fmt.Sprint(r.Prefix))
		rows = append(rows, []string{from, w.target(r), "301", "TRUE", "FALSE", deep, deep})
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// hugo lists the aliases of each new page.
func (w writer) hugo(rules []Rule) {
	aliases := map[string][]string{}
	var pages []string
	for _, r := range rules {
		if aliases[r.To] == nil {
			pages = append(pages, r.To)
		}
		origin := originOf(r.From)
		aliases[r.To] = append(aliases[r.To], cmp.Or(r.From[len(origin):], "/"))
	}
	slices.Sort(pages)
	for _, p := range pages {
		list, _ := json.Marshal(aliases[p])
		fmt.Fprintf(w, "# %s\naliases: %s\n", safe.Replace(p), list)
	}
}

func (w writer) csv(rules []Rule) error {
	rows := [][]string{{"from", "to", "prefix"}}
	for _, r := range rules {
		rows = append(rows, []string{r.From, w.target(r), fmt.Sprint(r.Prefix)})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
