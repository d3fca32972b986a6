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
		to, rest = origin+decoded(to[len(origin):]), "$1"+w.ending(r)
	} else {
		flags += ",NE"
	}
	to = strings.NewReplacer("%", `\%`, "$", `\$`, `"`, `\"`).Replace(to)
	fmt.Fprintf(w, "RewriteRule \"^/?%s$\" \"%s%s\" [%s]\n", s.pattern(r), to, rest, flags)
}

// apacheWord matches a quoted or plain word of a directive.
var apacheWord = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'[^']*'|\S+`)

// apacheMarks matches what is not literal in a target.
var apacheMarks = regexp.MustCompile(`\\.|%\{[^}]*\}|%\d`)

// apacheReader reads what is certain: Redirect, RedirectMatch, and RewriteRule without conditions but for those about the
// query and about files.
type apacheReader struct {
	*parser
	next    Rule   // what conditions say about the next RewriteRule
	conds   []cond // of it
	within  string // a section that depends on more than the URL
	aliases []Rule // of mod_alias, which comes after mod_rewrite
}

func (p *parser) apache(text string) {
	a := apacheReader{parser: p}
	lines(strings.ReplaceAll(text, "\\\n", "  "), func(n int, line string) { // a line that goes on: those after it lose a number
		words := apacheWord.FindAllString(line, -1)
		for i, w := range words {
			if len(w) > 1 && (w[0] == '"' || w[0] == '\'') {
				words[i] = strings.ReplaceAll(w[1:len(w)-1], `\"`, `"`)
			}
		}
		a.directive(Rule{Line: n, Unsure: a.within}, strings.ToLower(words[0]), append(words[1:], "", "", ""))
	})
	p.rules = append(p.rules, a.aliases...)
}

// apacheInert matches sections that always apply, and apacheOther directives that may answer.
var (
	apacheInert = regexp.MustCompile(`^<(?:ifmodule [^!]|directory)`)
	apacheOther = regexp.MustCompile(`^(?:include|proxypass|scriptalias|fallbackresource)`)
)

// elsewhere stands for a virtual host with other names.
const elsewhere = "elsewhere"

func (a *apacheReader) directive(r Rule, kind string, words []string) {
	said := strings.TrimSpace(kind + " " + strings.Join(words, " "))
	names := strings.HasPrefix(kind, "servername") || strings.HasPrefix(kind, "serveralias")
	switch before := len(a.rules); {
	case strings.HasPrefix(kind, "</"), names && a.serves(words):
		a.within = ""
	case names: // they stand before the rules
		a.within = elsewhere
	case a.within == elsewhere:
	case strings.HasPrefix(kind, "<") && !apacheInert.MatchString(said):
		a.within = "it depends on more than the URL: " + said
	case kind == "rewritecond":
		a.condition(words)
	case kind == "rewriterule":
		a.next.Line, a.next.Unsure = r.Line, cmp.Or(a.next.Unsure, a.within)
		a.rewrite(a.next, words)
		a.next, a.conds = Rule{}, nil
	case kind == "rewritebase" && words[0] != "/":
		a.wrong(r.Line, "rules below a RewriteBase other than / are read as if it were /")
	case strings.HasPrefix(kind, "redirect"):
		a.redirect(r, kind, words)
		a.aliases, a.rules = append(a.aliases, a.rules[before:]...), a.rules[:before]
	case apacheOther.MatchString(kind):
		r.Unsure = "what answers is not known: " + said
		a.when(r)
	}
}

// condition adds a RewriteCond.
func (a *apacheReader) condition(words []string) {
	switch {
	case strings.EqualFold(words[0], "%{QUERY_STRING}") && strings.TrimLeft(words[1], "!=<>") == words[1] && words[2] == "":
		a.conds = append(a.conds, cond{of: ofQuery, pattern: words[1]})
	case strings.EqualFold(words[0], "%{REQUEST_FILENAME}") && (words[1] == "!-f" || words[1] == "!-d") && words[2] == "":
		a.next.Weak = true
	case !strings.EqualFold(words[0], "%{ENV:REDIRECT_STATUS}"):
		a.next.Unsure = cmp.Or(a.next.Unsure, "it depends on more than the URL: RewriteCond "+strings.TrimSpace(strings.Join(words, " ")))
	}
}

// redirect adds the rule of a directive of mod_alias.
func (a *apacheReader) redirect(r Rule, kind string, words []string) {
	redirects := true
	if !strings.ContainsAny(words[0], `/^\.(`) {
		redirects, words = r.status(words[0]), words[1:]
	}
	if redirects {
		r.To = words[1]
	}
	switch folder := strings.TrimSuffix(words[0], "/"); {
	case words[0] == "" || redirects && (words[1] == "" || words[2] != ""):
		a.wrong(r.Line, kind+" needs a path and a URL")
	case kind == "redirectmatch":
		a.lead(r, []cond{{pattern: words[0]}})
	case r.stops || r.Unsure != "":
		a.when(r, cond{pattern: "^" + regexp.QuoteMeta(folder) + "(?:/|$)"})
	default:
		r.From, r.Prefix, r.To = encoded(folder), true, strings.TrimSuffix(r.To, "/")
		a.add(r)
	}
}

// pathStart matches how the pattern of a RewriteRule begins, whose path has no slash at the start in .htaccess.
var pathStart = regexp.MustCompile(`^\^(?:\\?/\??)?`)

// rewrite adds the rule of a RewriteRule.
func (a *apacheReader) rewrite(r Rule, words []string) {
	pattern, status, last, to := words[0], "", false, words[1]
	if pattern != "^" {
		pattern = pathStart.ReplaceAllString(pattern, "^/")
	}
	for flag := range strings.SplitSeq(strings.ToUpper(strings.Trim(words[2], "[]")), ",") {
		switch name, value, _ := strings.Cut(strings.TrimSpace(flag), "="); name {
		case "L", "LAST", "END":
			last = true
		case "NC", "NOCASE":
			pattern = "(?i)" + pattern
		case "R", "REDIRECT":
			status = cmp.Or(value, "302")
		case "G", "GONE":
			status = "410"
		case "F", "FORBIDDEN":
			status = "403"
		case "", "NE", "NOESCAPE", "QSA", "QSAPPEND", "QSD", "QSDISCARD":
		default:
			r.Unsure = cmp.Or(r.Unsure, "the flag "+flag)
		}
	}
	r.To = strings.TrimSuffix(to, "?")
	switch outside := strings.Contains(to, "://"); {
	case status != "" && !r.status(status):
		r.To = ""
	case status == "" && to == "-" && !last:
		return
	case status == "" && to == "-":
		r.To, r.stops = "", true
	case strings.HasPrefix(pattern, "!"), status == "" && !outside, !outside && strings.TrimLeft(to, "/$%") == to:
		r.Unsure = cmp.Or(r.Unsure, "the rule is not simulated: "+strings.Join(words[:2], " "))
	}
	conds := append(slices.Clip(a.conds), cond{pattern: pattern})
	if strings.HasPrefix(pattern, "!") {
		conds = nil
	}
	r.To = apacheMarks.ReplaceAllStringFunc(r.To, func(mark string) string {
		if mark[0] == '\\' {
			return mark[1:]
		}
		return "${" + strings.Trim(strings.Replace(mark, "%{", "{", 1), "{}") + "}"
	})
	a.lead(r, conds)
}
