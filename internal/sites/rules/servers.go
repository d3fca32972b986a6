package rules

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/ascii"
)

// directive is a directive of nginx or Apache.
type directive struct {
	line   int
	words  []string     // without quotes
	block  []*directive // nil if it has none
	unsure string       // of a server: why it is not certain that it answers
	conds  []cond       // of a location or an if of nginx
	place  int          // of a location among others
}

func (d *directive) said() string { return strings.Join(d.words, " ") }

// directives reads the directives of a file by its tokens. A block that does not end ends with the file.
func directives(text string, tokens *regexp.Regexp, end string) []*directive {
	line, d, open := 1, &directive{}, []*directive{{}}
	for _, token := range tokens.FindAllString(text, -1) {
		in, block := open[len(open)-1], token == "{" || token == end && strings.HasPrefix(d.said(), "<")
		switch mark := token[0]; {
		case token == "}" || strings.HasPrefix(token, "</"):
			open, d = open[:max(1, len(open)-1)], &directive{}
		case (block || token == end) && d.words != nil:
			in.block = append(in.block, d)
			if block && len(open) < 50 { // no file needs more
				d.block, open = []*directive{}, append(open, d)
			}
			d = &directive{}
		case (mark == '"' || mark == '\'') && strings.HasSuffix(token[1:], string(mark)):
			token = strings.ReplaceAll(token[1:len(token)-1], `\`+string(mark), string(mark))
			fallthrough
		case !slices.Contains([]string{"{", ";", "\n", "\\\n"}, token) && strings.TrimLeft(token, " \t")[0] != '#':
			d.line, d.words = cmp.Or(d.line, line), append(d.words, token)
		}
		line += strings.Count(token, "\n")
	}
	return open[0].block
}

// named reports whether a server has the name of the site.
func (p *parser) named(server *directive) bool {
	name := regexp.MustCompile(`(?i)^server(?:_?name|alias)(?: .*)? (?:\*?\.|www\.)?` + regexp.QuoteMeta(strings.TrimPrefix(originOf(p.Base), "https://")) + `(?: |$)`)
	return slices.ContainsFunc(server.block, func(d *directive) bool { return name.MatchString(d.said()) })
}

// ours returns the directives of a list without the servers of other hosts, which are those without the name of the site if one
// has it. If none of several has it, none is certain.
func (p *parser) ours(list []*directive, kind string) []*directive {
	servers := slices.DeleteFunc(slices.Clone(list), func(d *directive) bool { return !strings.EqualFold(d.words[0], kind) })
	own := slices.ContainsFunc(servers, p.named)
	for _, s := range servers {
		if !own && len(servers) > 1 {
			s.unsure = "none of the servers has the name of the site"
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(d *directive) bool { return own && strings.EqualFold(d.words[0], kind) && !p.named(d) })
}

// variables gives the variables of servers the names that rules have for them; $is_args$args adds the query, as rules do.
var variables = strings.NewReplacer("$is_args$args", "", "$scheme", "https", "${scheme}", "https", "${REQUEST_SCHEME}", "https",
	"$request_uri", "${uri}", "$uri", "${uri}", "${REQUEST_URI}", "${uri}", "$args", "${args}", "${QUERY_STRING}", "${args}",
	"$http_host", "${host}", "$host", "${host}", "$server_name", "${host}", "${HTTP_HOST}", "${host}", "${SERVER_NAME}", "${host}")

// nginx writes a rewrite for a folder and a return for a single URL, because rewrite decodes %3F and %5C in its target.
func (w *writer) nginx(r Rule) {
	s, to := sourceOf(r), strings.ReplaceAll(w.target(r), "$", "%24") // nginx has no other way to write $
	host, variable, pattern, more := "", "$uri", "/"+s.pattern(r), ""
	if w.hosts {
		host = `(?:www\.)?` + quoteMeta(s.host)
	}
	switch {
	case r.Prefix && w.hosts:
		fmt.Fprintf(w, "if ($host ~ \"^%s$\") { rewrite \"^%s$\" \"%s$1%s\" permanent; }\n", host, pattern, to, w.ending(r))
		return
	case r.Prefix:
		fmt.Fprintf(w, "rewrite \"^%s$\" \"%s$1%s\" permanent;\n", pattern, to, w.ending(r))
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

// nginxToken matches a comment, a quoted or plain word, or a mark.
var nginxToken = expression(`#[^\n]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{};]|(?:[^\s{};"'#\\]|\\.|\$\{\w+\})(?:[^\s{};\\]|\\.|\$\{\w+\})*|\n`)

// nginxHead matches the start of a location, and that of an if with a test of the path.
var nginxHead = expression(`^(?:location (=|\^~|~\*?)? ?(.+)|if \( ?\$(uri|document_uri|request_uri) (=|~\*?) ?(.+?) ?\))$`)

// entry returns the condition of a location or an if, unless it is about more than the URL, and the place of a location among
// others: nginx tries exact ones first, then patterns, then the longest.
func (d *directive) entry() (conds []cond, place int) {
	m := nginxHead().FindStringSubmatch(d.said())
	if m == nil {
		return nil, 0
	}
	text, mark, folder := m[2]+m[5], m[1]+m[4], "^"+regexp.QuoteMeta(m[2]+m[5])
	if m[3] == "" {
		place = cmp.Or(map[string]int{"=": 1, "^~": 1, "~": 2, "~*": 2}[mark], 1<<20-len(text))
	}
	pattern := cmp.Or(map[string]string{"=": folder + "$", "~": text, "~*": "(?i)" + text}[mark], folder)
	return []cond{{of: map[string]part{"request_uri": ofRequest}[m[3]], pattern: pattern}}, place
}

// nginx reads what is certain: return and rewrite in a server of the site, in its locations, and in an if about the path.
func (p *parser) nginx(text string) { p.nginxBlock(directives(text, nginxToken(), ";"), nil, "") }

// nginxBlock reads the directives of a block that is entered under some conditions, those in locations last.
func (p *parser) nginxBlock(list []*directive, in []cond, unsure string) {
	for _, d := range list {
		d.conds, d.place = d.entry()
	}
	slices.SortStableFunc(list, func(a, b *directive) int { return a.place - b.place })
	for _, d := range p.ours(list, "server") {
		why := cmp.Or(unsure, d.unsure)
		switch kind := d.words[0]; {
		case d.block == nil:
			p.answer(d, in, unsure)
			continue
		case kind == "http" || kind == "server":
		case kind != "location" && kind != "if":
			continue
		case in != nil, d.conds == nil, strings.HasPrefix(d.said(), "location ^~"), slices.ContainsFunc(d.block, func(b *directive) bool { return b.words[0] == "location" }):
			why = cmp.Or(unsure, "the block is not simulated: "+d.said())
		}
		conds := append(slices.Clip(in), d.conds...)
		p.nginxBlock(d.block, conds, why)
		if d.place > 0 {
			p.when(Rule{Line: d.line, stops: true, Unsure: why}, conds...)
		}
	}
}

// nginxOther matches directives that may answer, unless they are what nginxInert matches.
var (
	nginxOther = expression(`^(?:include|try_files .* [@/]\S*$|error_page .* =|js_content|\w+_pass|\w+_by_lua\w*)`)
	nginxInert = expression(`^include .*(?:mime\.types|_params)$`)
)

// answer adds the rule of a directive.
func (p *parser) answer(d *directive, conds []cond, unsure string) {
	r, words := Rule{Line: d.line, Unsure: unsure}, append(slices.Clone(d.words), "", "", "")
	switch kind := words[0]; {
	case kind == "return" && strings.Contains(words[1], "://"):
		r.To = words[1]
	case kind == "return" && r.status(words[1]):
		r.To = words[2]
	case kind == "return":
	case kind == "rewrite":
		conds, r.To = append(slices.Clip(conds), cond{pattern: words[1]}), strings.TrimSuffix(words[2], "?")
		if !strings.Contains(r.To, "://") && words[3] != "permanent" && words[3] != "redirect" {
			r.Unsure = cmp.Or(unsure, "later rules see another URL: "+d.said())
		}
	case nginxOther().MatchString(d.said()) && !nginxInert().MatchString(d.said()):
		r.Unsure = "what answers is not known: " + d.said()
	case strings.IndexAny(kind, "/~") == 0: // a row of a map that another file includes
		path := strings.TrimLeft(kind, "~*")
		row := directive{words: []string{"location", cmp.Or(kind[:len(kind)-len(path)], "="), path}}
		conds, _ = row.entry()
		r.To = words[1]
	default:
		return
	}
	p.lead(r, conds)
}

func (w *writer) apache(r Rule) {
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
		to, rest = origin+ascii.Unescaped(to[len(origin):]), "$1"+w.ending(r)
	} else {
		flags += ",NE"
	}
	to = strings.NewReplacer("%", `\%`, "$", `\$`, `"`, `\"`).Replace(to)
	fmt.Fprintf(w, "RewriteRule \"^/?%s$\" \"%s%s\" [%s]\n", s.pattern(r), to, rest, flags)
}

// apacheToken matches a comment, a quoted or plain word, the end of a section, or that of a line that does not go on.
var apacheToken = expression(`(?m)^[ \t]*#.*$|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|</[^>\n]*>|\\?\n|(?:[^\s\\]|\\.)+`)

// apache reads what is certain: Redirect, RedirectMatch, and RewriteRule without conditions but for those about the query and
// about files. The rules of mod_alias come after those of mod_rewrite.
func (p *parser) apache(text string) {
	p.apacheBlock(directives(text+"\n", apacheToken(), "\n"), "")
	slices.SortStableFunc(p.rules, func(a, b Rule) int { return cmp.Compare(a.module, b.module) })
}

// What is certain of conditions and sections, and directives that may answer.
var (
	apacheQuery = expression(`(?i)^rewritecond %\{query_string\} ([^!=<>\s]\S*)$`)
	apacheFile  = expression(`(?i)^rewritecond %\{request_filename\} !-[fd]$`)
	apacheInert = expression(`(?i)^<(?:ifmodule [^!]|directory|virtualhost)`)
	apacheOther = expression(`(?i)^(?:include|use |proxypass|\w*scriptalias|fallbackresource)`)
)

func (p *parser) apacheBlock(list []*directive, unsure string) {
	next, conds := Rule{}, []cond(nil) // of the next RewriteRule
	for _, d := range p.ours(list, "<virtualhost") {
		said, words := d.said(), append(slices.Clone(d.words), "", "", "", "")
		query := apacheQuery().FindStringSubmatch(said)
		switch kind := strings.ToLower(words[0]); {
		case d.block != nil && !apacheInert().MatchString(said):
			p.apacheBlock(d.block, cmp.Or(unsure, "the section is not simulated: "+said))
		case d.block != nil:
			p.apacheBlock(d.block, cmp.Or(unsure, d.unsure))
		case query != nil:
			conds = append(conds, cond{of: ofQuery, pattern: query[1]})
		case apacheFile().MatchString(said):
			next.Weak = true
		case kind == "rewritecond":
			next.Unsure = cmp.Or(next.Unsure, "it depends on more than the URL: "+said)
		case kind == "rewriterule":
			next.Line, next.Unsure = d.line, cmp.Or(next.Unsure, unsure)
			p.rewrite(next, words[1:], conds)
			next, conds = Rule{}, nil
		case strings.HasPrefix(kind, "redirect"):
			p.redirect(Rule{Line: d.line, Unsure: unsure, module: 1}, kind, words[1:])
		case apacheOther().MatchString(said):
			p.when(Rule{Line: d.line, Unsure: "what answers is not known: " + said})
		}
	}
}

// redirect adds the rule of a directive of mod_alias.
func (p *parser) redirect(r Rule, kind string, words []string) {
	if strings.ContainsAny(words[0], `/^\.(`) {
		words = append([]string{"302"}, words...)
	}
	pattern, redirects := words[1], r.status(words[0])
	switch {
	case pattern == "" || redirects && words[2] == "":
		p.wrong(r.Line, kind+" needs a path and a URL")
		return
	case redirects:
		r.To = words[2]
	}
	if kind != "redirectmatch" {
		pattern = "^" + quoteMeta(strings.TrimSuffix(pattern, "/")) + everything + "$"
		if redirects {
			r.To = strings.TrimSuffix(r.To, "/") + "/$1"
		}
	}
	p.lead(r, []cond{{pattern: pattern}})
}

// pathStart matches how the pattern of a RewriteRule begins, whose path has no slash at the start in .htaccess. apacheFlags
// matches the flags that are simulated, and apacheNumber a group of a condition in a target.
var (
	pathStart    = expression(`^!.*|^\^(?:\\?/\??)?`)
	apacheFlags  = expression(`(?i)^(?:\[(?:\s*(?:(L|last|end)|(NC|nocase)|(R|redirect)(?:=(\w+))?|(G|gone)|(F|forbidden)|(?:E|env)=[^,\]]*|NE|noescape|QS[AD]|qsappend|qsdiscard)?\s*[,\]])+)?$`)
	apacheNumber = expression(`(?:^|[^\\])%\d`)
	apacheTarget = strings.NewReplacer(`\%`, "%", `\$`, "%24", `\`, "", "%{", "${")
)

// rewrite adds the rule of a RewriteRule.
func (p *parser) rewrite(r Rule, words []string, conds []cond) {
	pattern, to, flags := pathStart().ReplaceAllString(words[0], "^/"), words[1], apacheFlags().FindStringSubmatch(words[2])
	unsure := cmp.Or(r.Unsure, "the rule is not simulated: "+strings.TrimSpace(strings.Join(words, " ")))
	if flags == nil || strings.HasPrefix(words[0], "!") {
		flags, r.Unsure = []string{"", "L", "", "", "", "", ""}, unsure
	}
	if flags[2] != "" {
		pattern = "(?i)" + pattern
	}
	outside, status := strings.Contains(to, "://"), cmp.Or(flags[4], flags[3], flags[5], flags[6])
	switch {
	case status != "" && !r.status(status):
		to = ""
	case status == "" && to == "-" && flags[1] == "":
		return
	case status == "" && to == "-":
		to, r.stops = "", true
	case status == "" && !outside, !outside && strings.TrimLeft(to, "/$%") == to, apacheNumber().MatchString(to):
		r.Unsure = unsure
	}
	r.To = apacheTarget.Replace(strings.TrimSuffix(to, "?"))
	p.lead(r, append(conds, cond{pattern: pattern}))
}
