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

// apacheReader reads what is certain: Redirect, RedirectMatch, and RewriteRule without conditions but for those about the
// query and about files.
type apacheReader struct {
	*parser
	next    Rule     // what conditions say about the next RewriteRule
	conds   []cond   // of it
	within  string   // a section that depends on more than the URL
	aliases []Rule   // of mod_alias, which comes after mod_rewrite
	names   []string // of the virtual host
	before  [3]int   // the number of rules, aliases and problems before it
}

// apacheMarks matches what is not literal in a target.
var apacheMarks = regexp.MustCompile(`\\.|%\{[^}]*\}|%\d`)

func (p *parser) apache(text string) {
	a := apacheReader{parser: p}
	lines(strings.ReplaceAll(text, "\\\n", "  "), func(n int, line string) { // a line that goes on: those after it lose a number
		words := apacheWord.FindAllString(line, -1)
		for i, w := range words {
			if len(w) > 1 && (w[0] == '"' || w[0] == '\'') {
				words[i] = strings.ReplaceAll(w[1:len(w)-1], `\"`, `"`)
			}
		}
		a.directive(n, strings.ToLower(words[0]), append(words[1:], "", "", ""))
	})
	p.rules = append(p.rules, a.aliases...)
}

func (a *apacheReader) directive(line int, kind string, words []string) {
	r, before := Rule{Line: line, Unsure: a.within}, len(a.rules)
	switch {
	case strings.HasPrefix(kind, "<virtualhost"):
		a.names, a.before = nil, [3]int{len(a.rules), len(a.aliases), len(a.unread)}
	case strings.HasPrefix(kind, "servername"), strings.HasPrefix(kind, "serveralias"):
		a.names = append(a.names, words...)
	case strings.HasPrefix(kind, "</virtualhost") && a.servesAs(a.names) < 0:
		a.rules, a.aliases, a.unread = a.rules[:a.before[0]], a.aliases[:a.before[1]], a.unread[:a.before[2]]
	case strings.HasPrefix(kind, "</"):
		a.within = ""
	case kind == "<ifmodule" && !strings.HasPrefix(words[0], "!"), strings.HasPrefix(kind, "<directory"):
	case strings.HasPrefix(kind, "<"):
		a.within = "it depends on more than the URL: " + strings.TrimSpace(kind+" "+strings.Join(words, " "))
	case kind == "rewritecond":
		a.condition(words)
	case kind == "rewriterule":
		a.next.Line, a.next.Unsure = line, cmp.Or(a.next.Unsure, a.within)
		a.rewrite(a.next, words)
		a.next, a.conds = Rule{}, nil
	case kind == "rewritebase" && words[0] != "/":
		a.wrong(line, "rules below a RewriteBase other than / are read as if it were /")
	case strings.HasPrefix(kind, "redirect"):
		a.redirect(r, kind, words)
		a.aliases, a.rules = append(a.aliases, a.rules[before:]...), a.rules[:before]
	case strings.HasPrefix(kind, "include"):
		r.Unsure = "the file is not read: " + kind + " " + words[0]
		a.when(r)
	case strings.HasPrefix(kind, "proxypass"), strings.HasPrefix(kind, "scriptalias"), kind == "fallbackresource":
		r.Unsure = "what answers is not known: " + kind + " " + words[0]
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
		redirects = r.status(words[0])
		words = words[1:]
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

// How the pattern of a RewriteRule begins, whose path has no slash at the start in .htaccess, and the flags that are known.
var (
	pathStart  = regexp.MustCompile(`^\^(?:\\?/\??)?`)
	knownFlags = regexp.MustCompile(`^(?:(L|LAST|END)|(NC|NOCASE)|NE|NOESCAPE|QSA|QSAPPEND|QSD|QSDISCARD|(G|GONE|F|FORBIDDEN)|(R|REDIRECT)(?:=(\w+))?|)$`)
)

// rewrite adds the rule of a RewriteRule.
func (a *apacheReader) rewrite(r Rule, words []string) {
	pattern, status, last := words[0], "", false
	if pattern != "^" {
		pattern = pathStart.ReplaceAllString(pattern, "^/")
	}
	for flag := range strings.SplitSeq(strings.ToUpper(strings.Trim(words[2], "[]")), ",") {
		m := append(knownFlags.FindStringSubmatch(strings.TrimSpace(flag)), "", "", "", "", "", "")
		switch {
		case m[0] == "" && flag != "":
			r.Unsure = cmp.Or(r.Unsure, "the flag "+flag)
		case m[2] != "":
			pattern = "(?i)" + pattern
		case m[4] != "":
			status = cmp.Or(m[5], "302")
		}
		last, status = last || m[1] != "", cmp.Or(status, map[string]string{"G": "410", "F": "403"}[m[3][:min(1, len(m[3]))]])
	}
	r.To = strings.TrimSuffix(words[1], "?")
	switch outside := strings.Contains(r.To, "://"); {
	case status == "" && r.To == "-" && !last:
		return
	case status == "" && r.To == "-":
		r.To, r.stops = "", true
	case status == "" && !outside:
		r.Unsure = cmp.Or(r.Unsure, "it changes the URL within the server: "+words[0])
	case status != "" && !r.status(status):
		r.To = ""
	case !outside && strings.TrimLeft(r.To, "/$%") == r.To:
		r.Unsure = cmp.Or(r.Unsure, "the target is relative: "+words[1])
	}
	conds := append(slices.Clip(a.conds), cond{pattern: pattern})
	if strings.HasPrefix(words[0], "!") {
		r.Unsure, conds = "it is for all URLs but some: "+words[0], nil
	}
	r.To = apacheMarks.ReplaceAllStringFunc(r.To, func(mark string) string {
		if mark[0] == '\\' {
			return mark[1:]
		}
		return "${" + strings.Trim(strings.Replace(mark, "%{", "{", 1), "{}") + "}"
	})
	a.lead(r, conds)
}
