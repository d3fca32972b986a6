package rules

import (
	"fmt"
	"regexp"
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

// apache reads the directives of mod_alias and mod_rewrite that redirect.
func (p *parser) apache(text string) {
	var host, query, unknown string // of the conditions so far
	weak := false
	lines(text, func(n int, line string) {
		words := apacheWord.FindAllString(line, -1)
		for i, w := range words {
			if len(w) > 1 && (w[0] == '"' || w[0] == '\'') {
				words[i] = strings.ReplaceAll(w[1:len(w)-1], `\"`, `"`)
			}
		}
		kind := strings.ToLower(words[0])
		switch {
		case kind == "rewritecond" && len(words) >= 3:
			switch subject := strings.ToUpper(words[1]); {
			case subject == "%{HTTP_HOST}":
				host = strings.TrimSuffix(words[2], "$")
			case subject == "%{QUERY_STRING}":
				query = words[2]
			case subject == "%{REQUEST_FILENAME}" && (words[2] == "!-f" || words[2] == "!-d"):
				weak = true
			default:
				unknown = line
			}
			return
		case kind == "rewriterule" && len(words) >= 3:
			if unknown != "" {
				p.wrong(n, "the rule depends on more than the URL: "+strings.TrimSpace(unknown))
			} else {
				p.apacheRewrite(Rule{Line: n, Weak: weak}, words[1:], host, query)
			}
		case kind == "rewritebase" && words[len(words)-1] != "/":
			p.wrong(n, "rules below a RewriteBase other than / are read as if it were /")
		case strings.HasPrefix(kind, "redirect"):
			p.apacheRedirect(Rule{Line: n}, kind, words[1:])
		}
		host, query, unknown, weak = "", "", "", false
	})
}

// apacheRedirect adds the rule of a directive of mod_alias.
func (p *parser) apacheRedirect(r Rule, kind string, words []string) {
	if len(words) > 0 && !strings.ContainsAny(words[0], "/^") {
		redirect, gone := redirects(strings.ToLower(words[0]))
		if r.Gone = gone; !redirect {
			return
		}
		words = words[1:]
	}
	if len(words) != 2 && !(r.Gone && len(words) == 1) {
		p.wrong(r.Line, kind+" needs a path and a URL")
		return
	}
	if !r.Gone {
		r.To = words[1]
	}
	if kind == "redirectmatch" {
		p.match(r, words[0], false)
		return
	}
	r.From, r.Prefix, r.To = strings.TrimSuffix(words[0], "/"), true, strings.TrimSuffix(r.To, "/")
	p.add(r)
}

// apacheRewrite adds the rule of a RewriteRule.
func (p *parser) apacheRewrite(r Rule, words []string, host, query string) {
	flags := ""
	if len(words) > 2 {
		flags = "," + strings.ToUpper(strings.Trim(words[2], "[]")) + ","
	}
	r.Gone = strings.Contains(flags, ",G,")
	if !r.Gone && (words[1] == "-" || !strings.Contains(flags, ",R,") && !strings.Contains(flags, ",R=3") && !strings.Contains(words[1], "://")) {
		return // within the server
	}
	pattern := words[0]
	if rest, ok := strings.CutPrefix(pattern, "^"); ok { // in .htaccess the path has no slash at the start
		path := strings.TrimPrefix(strings.TrimPrefix(rest, "/?"), "/")
		pattern = "^" + strings.TrimPrefix(host, "^") + "/" + path
	}
	if strings.Contains(flags, ",NC,") {
		pattern = "(?i)" + pattern
	}
	if !r.Gone {
		r.To = strings.NewReplacer(`\%`, "%", `\$`, "%24", `%{HTTP_HOST}`, strings.TrimPrefix(originOf(p.Base), "https://"), `%{REQUEST_URI}`, "${0}").Replace(words[1])
		r.To = strings.TrimSuffix(r.To, "?")
	}
	raw := query != ""
	if raw {
		pattern = strings.TrimSuffix(pattern, "$") + `\?` + strings.TrimPrefix(query, "^")
	}
	if strings.Contains(r.To, "%{") {
		p.wrong(r.Line, words[1]+" depends on more than the URL")
		return
	}
	p.match(r, pattern, raw)
}
