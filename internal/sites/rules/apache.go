package rules

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

func (w *writer) apache(rules []Rule) {
	for _, r := range rules {
		w.apacheRule(r)
	}
}

func (w *writer) apacheRule(r Rule) {
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

// apacheWord matches a quoted or plain word of a directive.
var apacheWord = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'[^']*'|\S+`)

// apacheReader reads what is certain: Redirect, RedirectMatch and RewriteRule without conditions but for those about the
// query, about files, and about HTTPS alone.
type apacheReader struct {
	*parser
	conds   []cond // of the next RewriteRule
	weak    bool   // a condition asks that there is no file
	only    bool   // a condition asks that there is one
	unknown string // a condition, or a section, that depends on more than the URL
	within  string // the section
}

var (
	virtualHost = regexp.MustCompile(`(?is)<VirtualHost.*?</VirtualHost>`)
	serverName  = regexp.MustCompile(`(?im)^\s*Server(?:Name|Alias)\s+(.*)$`)
)

func (p *parser) apache(text string) {
	a := apacheReader{parser: p}
	named := func(host string) int {
		var names []string
		for _, m := range serverName.FindAllStringSubmatch(host, -1) {
			names = append(names, strings.Fields(m[1])...)
		}
		return p.servesAs(names)
	}
	own := false
	for _, host := range virtualHost.FindAllString(text, -1) {
		own = own || named(host) > 0
	}
	text = virtualHost.ReplaceAllStringFunc(text, func(host string) string { // those of other hosts leave empty lines
		if at := named(host); at < 0 || at == 0 && own {
			return strings.Repeat("\n", strings.Count(host, "\n"))
		}
		return host
	})
	var aliases []Rule
	lines(strings.ReplaceAll(text, "\\\n", "  "), func(n int, line string) { // a line that goes on: those after it lose a number
		words := apacheWord.FindAllString(line, -1)
		for i, w := range words {
			if len(w) > 1 && (w[0] == '"' || w[0] == '\'') {
				words[i] = strings.ReplaceAll(w[1:len(w)-1], `\"`, `"`)
			}
		}
		kind, before := strings.ToLower(words[0]), len(p.rules)
		if a.directive(Rule{Line: n}, kind, append(words[1:], "", "", "")); kind != "rewritecond" {
			a.conds, a.weak, a.only, a.unknown = nil, false, false, a.within
		}
		if !strings.HasPrefix(kind, "rewrite") { // mod_rewrite comes first
			aliases, p.rules = append(aliases, p.rules[before:]...), p.rules[:before]
		}
	})
	p.rules = append(p.rules, aliases...)
}

func (a *apacheReader) directive(r Rule, kind string, words []string) {
	switch {
	case strings.HasPrefix(kind, "</"):
		a.within = ""
	case kind == "<ifmodule" && !strings.HasPrefix(words[0], "!") || strings.HasPrefix(kind, "<virtualhost") || strings.HasPrefix(kind, "<directory"):
	case strings.HasPrefix(kind, "<"):
		a.within = strings.TrimSpace(kind + " " + strings.Join(words, " "))
	case kind == "rewritecond":
		a.condition(words)
	case kind == "rewriterule":
		a.rewrite(r, words)
	case kind == "rewritebase" && words[0] != "/":
		a.wrong(r.Line, "rules below a RewriteBase other than / are read as if it were /")
	case strings.HasPrefix(kind, "redirect"):
		a.redirect(r, kind, words)
	case strings.HasPrefix(kind, "include"):
		a.doubt(r, "the file is not read: "+kind+" "+words[0])
	case strings.HasPrefix(kind, "proxypass"), strings.HasPrefix(kind, "scriptalias"), kind == "fallbackresource":
		r.Unsure = kind + " asks a program"
		a.when(r)
	}
}

// condition adds a RewriteCond.
func (a *apacheReader) condition(words []string) {
	switch subject, flags := strings.ToUpper(words[0]), strings.ToUpper(words[2]); {
	case subject == "%{QUERY_STRING}" && strings.TrimLeft(words[1], "!=<>") == words[1] && flags == "":
		a.conds = append(a.conds, cond{part: ofQuery, pattern: words[1]})
	case subject == "%{REQUEST_FILENAME}" && (words[1] == "!-f" || words[1] == "!-d") && flags == "":
		a.weak = true
	case subject == "%{REQUEST_FILENAME}" && (words[1] == "-f" || words[1] == "-d"):
		a.only = true
	case subject != "%{ENV:REDIRECT_STATUS}":
		a.unknown = cmp.Or(a.unknown, strings.TrimSpace("RewriteCond "+strings.Join(words, " ")))
	}
}

// status makes a rule what a status says: a redirect, gone for good, or the end of all rules.
func (r *Rule) status(status string) (redirects bool) {
	switch strings.ToLower(status) {
	case "301", "302", "303", "307", "308", "permanent", "temp", "seeother", "yes":
		return true
	case "410", "gone":
		r.Gone = true
	default:
		r.stops = true
	}
	return false
}

// redirect adds the rule of a directive of mod_alias.
func (a *apacheReader) redirect(r Rule, kind string, words []string) {
	redirects := true
	if !strings.ContainsAny(words[0], `/^\.(`) {
		redirects = r.status(words[0])
		words = words[1:]
	}
	if redirects {
		r.To = words[1]
	}
	switch folder := strings.TrimSuffix(words[0], "/"); {
	case words[0] == "" || redirects && (words[1] == "" || words[2] != ""):
		a.wrong(r.Line, kind+" needs a path and a URL")
	case a.within != "":
		a.doubt(r, "it depends on more than the URL: "+a.within)
	case kind == "redirectmatch":
		r.To = a.target(r.To)
		a.when(r, cond{pattern: words[0]})
	case r.stops:
		a.when(r, cond{pattern: "^" + regexp.QuoteMeta(folder) + "(?:/|$)"})
	default:
		r.From, r.Prefix, r.To = encoded(folder), true, strings.TrimSuffix(r.To, "/")
		a.add(r)
	}
}

// apacheMark matches what is not literal in a target.
var apacheMark = regexp.MustCompile(`\\.|%\{\w+\}|[%$]\d|[$]\{[^}]*\}`)

// target returns the target of a rule with variables. It sets a.unknown if it depends on more than the URL.
func (a *apacheReader) target(to string) string {
	vars := map[string]string{"%{HTTP_HOST}": "${host}", "%{SERVER_NAME}": "${host}", "%{REQUEST_URI}": "${uri}", "%{QUERY_STRING}": "${args}", "%{REQUEST_SCHEME}": "https", `\$`: "%24"}
	return apacheMark.ReplaceAllStringFunc(strings.TrimSuffix(to, "?"), func(mark string) string {
		value, known := vars[mark]
		switch {
		case known:
			return value
		case mark[0] == '\\':
			return mark[1:]
		case len(mark) == 2:
			return "${" + strings.TrimPrefix(mark, "$") + "}"
		}
		a.unknown = cmp.Or(a.unknown, mark)
		return mark
	})
}

// How the pattern of a RewriteRule begins, whose path has no slash at the start in .htaccess, and the flags that are known.
var (
	pathStart  = regexp.MustCompile(`^\^(?:\\?/\??)?`)
	knownFlags = regexp.MustCompile(`^(?:L|LAST|END|NC|NOCASE|NE|NOESCAPE|QSA|QSAPPEND|QSD|QSDISCARD|G|GONE|F|FORBIDDEN|(?:R|REDIRECT)(?:=\w+)?|)$`)
)

// rewrite adds the rule of a RewriteRule.
func (a *apacheReader) rewrite(r Rule, words []string) {
	pattern, status, last := pathStart.ReplaceAllString(words[0], "^/"), "", false
	if words[0] == "^" {
		pattern = "^"
	}
	for flag := range strings.SplitSeq(strings.ToUpper(strings.Trim(words[2], "[]")), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(flag), "=")
		switch {
		case !knownFlags.MatchString(strings.TrimSpace(flag)):
			a.unknown = cmp.Or(a.unknown, "the flag "+flag)
		case name == "NC" || name == "NOCASE":
			pattern = "(?i)" + pattern
		case name == "R" || name == "REDIRECT":
			status = cmp.Or(value, "302")
		case name == "G" || name == "GONE":
			status = "410"
		case name == "F" || name == "FORBIDDEN":
			status = "403"
		case name == "L" || name == "LAST" || name == "END":
			last = true
		}
	}
	r.Weak, r.only, r.To = a.weak, a.only, a.target(words[1])
	switch {
	case status == "" && r.To == "-" && !last:
		return
	case status == "" && r.To == "-":
		r.To, r.stops = "", true
	case status == "" && !strings.Contains(r.To, "://"):
		r.Serves = true
		a.unknown = cmp.Or(a.unknown, "it changes the URL within the server")
	case status != "" && !r.status(status):
		r.To = ""
	case !strings.Contains(r.To, "://") && strings.TrimLeft(r.To, "/$") == r.To:
		a.unknown = cmp.Or(a.unknown, "the target is relative")
	}
	conds := append(slices.Clip(a.conds), cond{pattern: pattern})
	switch {
	case strings.HasPrefix(words[0], "!"):
		a.doubt(r, "it is for all URLs but some: "+words[0])
	case a.unknown != "":
		a.doubt(r, "it depends on more than the URL: "+a.unknown, conds...)
	default:
		a.when(r, conds...)
	}
}
