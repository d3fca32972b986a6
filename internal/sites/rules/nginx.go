package rules

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// nginx writes a rewrite for a folder and a return for a single URL, because rewrite decodes %3F and %5C in its target.
func (w *writer) nginx(rules []Rule) {
	for _, r := range rules {
		w.nginxRule(r)
	}
}

func (w *writer) nginxRule(r Rule) {
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

// nginxToken matches a comment, a quoted or plain word, or a mark.
var nginxToken = regexp.MustCompile(`#[^\n]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{};]|(?:[^\s{};"'#\\]|\\.|\$\{\w+\})(?:[^\s{};\\]|\\.|\$\{\w+\})*|\n`)

// directive is a directive of nginx, perhaps with a block.
type directive struct {
	line  int
	words []string
	block []directive
}

// nginxTree splits a file into directives.
func (p *parser) nginxTree(text string) []directive {
	blocks, open, n := [][]directive{nil}, []directive{}, 1
	var d directive
	for _, token := range nginxToken.FindAllString(text, -1) {
		last := len(blocks) - 1
		switch {
		case token == "\n" || token[0] == '#':
		case token == "{":
			blocks, open, d = append(blocks, nil), append(open, d), directive{}
		case token == "}" && last > 0:
			outer := open[last-1]
			outer.block = append([]directive{}, blocks[last]...)
			blocks, open, d = blocks[:last], open[:last-1], directive{}
			blocks[last-1] = append(blocks[last-1], outer)
		case token == ";" && len(d.words) > 0:
			blocks[last], d = append(blocks[last], d), directive{}
		case token != ";" && token != "}":
			if len(d.words) == 0 {
				d.line = n
			}
			if token[0] == '"' || token[0] == '\'' {
				token = strings.ReplaceAll(token[1:len(token)-1], `\`+token[:1], token[:1])
			}
			d.words = append(d.words, token)
		}
		n += strings.Count(token, "\n")
	}
	if len(d.words) > 0 || len(open) > 0 {
		p.wrong(cmp.Or(d.line, n), "the directive or block does not end")
	}
	return blocks[0]
}

// nginxReader reads rewrite, return and map directives, and the blocks server, location and if around them.
type nginxReader struct {
	*parser
	maps map[string]*directive
	sets map[string]string
	used map[string]bool // maps whose rows are rules
}

// scope is what must hold where a directive stands.
type scope struct {
	conds   []cond
	weak    bool
	inside  bool   // a location
	rows    string // the map of which a row must match
	unknown string // a condition that depends on more than the URL
}

func (s scope) and(c ...cond) scope {
	s.conds = slices.Concat(s.conds, c)
	return s
}

func (p *parser) nginx(text string) {
	n := nginxReader{p, map[string]*directive{}, map[string]string{}, map[string]bool{}}
	root := n.nginxTree(text)
	servers := n.collect(root)
	n.directives(root, scope{})
	named := slices.ContainsFunc(servers, func(d directive) bool { return n.host(d) > 0 })
	for _, d := range servers {
		if at := n.host(d); at > 0 || at == 0 && !named {
			n.directives(d.block, scope{})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.maps)) {
		if d := n.maps[name]; !n.used[name] && subjects[d.words[1]] != nil { // another file uses it
			n.rule(Rule{To: name, Line: d.line}, scope{}, d.words[0])
		}
	}
}

// collect finds the maps, the variables and the servers of a file.
func (n *nginxReader) collect(list []directive) (servers []directive) {
	for i, d := range list {
		switch kind := d.words; {
		case len(kind) == 0:
		case kind[0] == "server" && d.block != nil:
			servers = append(servers, d)
		case kind[0] == "map" && len(kind) == 3:
			n.maps[kind[2]] = &list[i]
			continue
		}
		servers = append(servers, n.collect(d.block)...)
	}
	return servers
}

// host returns 1 if a server names the host of the site, 0 if it names none, and -1 if it names others.
func (n *nginxReader) host(d directive) int {
	var names []string
	for _, in := range d.block {
		if len(in.words) > 1 && in.words[0] == "server_name" {
			names = append(names, in.words[1:]...)
		}
	}
	return n.named(names)
}

// named returns 1 if some names of a server include the host of the site, 0 if there are none, and -1 if they are others.
func (p *parser) named(names []string) (at int) {
	_, host, _ := strings.Cut(originOf(p.Base), "://")
	for _, name := range names {
		name = strings.ToLower(name)
		pattern, isPattern := strings.CutPrefix(name, "~")
		if re, err := regexp.Compile(pattern); isPattern && err == nil && (re.MatchString(host) || re.MatchString("www."+host)) {
			return 1
		}
		domain := strings.TrimPrefix(strings.TrimPrefix(name, "*"), ".")
		wild := domain != name && strings.HasSuffix("."+host, "."+domain)
		if wild || strings.TrimPrefix(name, "www.") == host {
			return 1
		}
		if name != "" && name != "_" && name != "localhost" {
			at = -1
		}
	}
	return at
}

// subjects are the variables of which conditions are understood.
var subjects = map[string]*part{"$uri": new(ofPath), "$document_uri": new(ofPath), "$request_uri": new(ofRaw), "$args": new(ofQuery), "$query_string": new(ofQuery), "$host": new(ofHost), "$http_host": new(ofHost), "$server_name": new(ofHost)}

// directives adds the rules of a server or location, in the order in which nginx tries them: the directives of a server
// before its locations, those within a location instead of its own.
func (n *nginxReader) directives(list []directive, s scope) {
	var locations []directive
	for _, d := range list {
		if len(d.words) > 1 && d.words[0] == "location" && d.block != nil {
			locations = append(locations, d)
		}
	}
	if s.inside {
		n.locations(locations, s)
	}
	for _, d := range list {
		r := Rule{Line: d.line, Weak: s.weak}
		switch kind := slices.Concat(d.words, []string{""}); {
		case kind[0] == "if" && d.block != nil:
			n.directives(d.block, n.condition(s, d.words[1:]))
		case kind[0] == "set" && len(d.words) == 3:
			if n.sets[kind[1]] = kind[2]; s.conds != nil || s.unknown != "" {
				n.sets[kind[1]] = "$"
			}
		case kind[0] == "http":
			n.directives(d.block, s)
		case kind[0] == "include" && !strings.HasSuffix(kind[1], "mime.types") && !strings.HasSuffix(kind[1], "_params"):
			n.doubt(r, s.conds, "the file is not read: include "+kind[1])
		case strings.HasSuffix(kind[0], "_pass"):
			r.Unsure = kind[0] + " asks a program"
			n.when(r, s.conds)
		case kind[0] == "rewrite" && len(d.words) > 2:
			n.rewrite(r, s, d.words)
		case kind[0] == "return" && len(d.words) > 1:
			n.answers(r, s, d.words)
		case kind[0] == "try_files" && len(d.words) > 1:
			n.tries(r, s, d.words[len(d.words)-1])
		case kind[0][0:min(1, len(kind[0]))] == "/" || strings.HasPrefix(kind[0], "~"):
			if len(d.words) == 2 && d.block == nil { // a file that a map includes
				n.row(Rule{To: d.words[1], Line: d.line}, s, ofPath, d.words)
			}
		}
	}
	if !s.inside {
		n.locations(locations, s)
	}
}

// locations adds the rules of locations. A URL enters one of them only: the exact one, one with a pattern unless the
// longest folder forbids it, or that with the longest folder.
func (n *nginxReader) locations(list []directive, s scope) {
	rank := func(d directive) (class, length int) {
		return slices.Index([]string{"=", "^~", "~", "~*"}, d.words[1]), -len(d.words[len(d.words)-1])
	}
	slices.SortStableFunc(list, func(a, b directive) int {
		x, long := rank(a)
		y, longer := rank(b)
		of := []int{4, 0, 1, 2, 2}
		if of[x+1] == 2 && of[y+1] == 2 {
			return 0
		}
		return cmp.Or(of[x+1]-of[y+1], long-longer)
	})
	for _, d := range list {
		class, _ := rank(d)
		name := d.words[len(d.words)-1]
		if name == "" || name[0] == '@' {
			continue
		}
		c := cond{pattern: []string{"^" + regexp.QuoteMeta(name), "^" + regexp.QuoteMeta(name) + "$", "^" + regexp.QuoteMeta(name), name, "(?i)" + name}[class+1]}
		in := s.and(c)
		for _, o := range list {
			if longer := o.words[1]; class == 1 && len(longer) > len(name) && strings.HasPrefix(longer, name) {
				in = in.and(cond{pattern: "^" + regexp.QuoteMeta(longer), not: true})
			}
		}
		in.inside = true
		n.directives(d.block, in)
		n.when(Rule{Line: d.line, stops: true}, in.conds)
	}
}

// condition returns the scope within an if.
func (n *nginxReader) condition(s scope, words []string) scope {
	text := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.Join(words, " "), "("), ")"))
	w := strings.SplitN(text, " ", 3)
	subject, of := n.sets[w[0]], subjects[w[0]]
	switch {
	case len(w) == 2 && (w[0] == "!-f" || w[0] == "!-e" || w[0] == "!-d"):
		s.weak = true
		return s
	case n.maps[w[0]] != nil && (len(w) == 1 || text == w[0]+" !="):
		s.rows = w[0]
		return s
	case len(w) < 3:
		s.unknown = "if (" + text + ")"
		return s
	}
	op, not := strings.CutPrefix(w[1], "!")
	c := cond{pattern: w[2], not: not}
	switch arg, ofArg := strings.CutPrefix(w[0], "$arg_"); {
	case ofArg && op == "=":
		c.pattern, of = "(?:^|&)"+regexp.QuoteMeta(arg+"="+w[2])+"(?:&|$)", new(ofQuery)
	case op == "=":
		c.pattern = "^" + regexp.QuoteMeta(w[2]) + "$"
	case op == "~*":
		c.pattern = "(?i)" + w[2]
	}
	rest, both := strings.CutPrefix(subject, "$host")
	text, whole := literal(strings.Replace(otherForms.Replace(c.pattern), wholeHost, "", 1))
	switch host, path, _ := strings.Cut(text, "/"); {
	case of != nil:
		c.part = *of
		return s.and(c)
	case both && whole && subjects[rest] != nil: // "$host$uri", as Write has it
		return s.and(cond{part: ofHost, pattern: "^" + regexp.QuoteMeta(host) + "$"}, cond{part: *subjects[rest], pattern: "^/" + regexp.QuoteMeta(path) + "$"})
	}
	s.unknown = "if (" + strings.Join(words, " ") + ")"
	return s
}

// program matches the path of a program, whose answers no rule tells.
var program = regexp.MustCompile(`\.(?:php\d?|f?cgi|p[ly]|aspx?|jsp|do)(?:[/?]|$)`)

func (n *nginxReader) rewrite(r Rule, s scope, words []string) {
	s, flag := s.and(cond{pattern: words[1]}), append(words, "")[3]
	r.To = strings.TrimSuffix(words[2], "?")
	if !strings.Contains(r.To, "://") && !strings.HasPrefix(r.To, "$scheme") && flag != "permanent" && flag != "redirect" {
		n.inside(&r, flag != "")
	}
	n.rule(r, s, strings.Join(words, " "))
}

const changes = "later rules see another URL"

// inside makes a rule one that changes the URL within the server.
func (p *parser) inside(r *Rule, last bool) {
	switch r.Serves, r.Weak = true, true; {
	case program.MatchString(r.To):
		r.Unsure, r.To = r.To+" is a program", ""
	case !last:
		r.Unsure = changes
	}
}

func (n *nginxReader) answers(r Rule, s scope, words []string) {
	if len(words) == 2 && strings.Contains(words[1], "://") {
		words = []string{"return", "302", words[1]}
	}
	switch {
	case strings.HasPrefix(words[1], "2"):
		r.Serves = true
	case !r.status(words[1]): // gone, or no page
	case len(words) > 2:
		r.To = words[2]
	default:
		r.stops = true
	}
	n.rule(r, s, strings.Join(words, " "))
}

// tries adds what answers if try_files finds no file.
func (n *nginxReader) tries(r Rule, s scope, last string) {
	if r.To = last; last == "" || last[0] == '=' || strings.HasPrefix(last, "$uri") {
		return
	}
	if n.inside(&r, true); last[0] == '@' {
		r.Unsure, r.To = "location "+last+" answers", ""
	}
	n.rule(r, s, "try_files "+last)
}
