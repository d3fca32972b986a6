package rules

import (
	"cmp"
	"fmt"
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
var nginxToken = regexp.MustCompile(`#[^\n]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{};]|(?:[^\s{};"'#\\]|\\.|\$\{\w+\})(?:[^\s{};\\]|\\.|\$\{\w+\})*|\n`)

// directive is a directive of nginx.
type directive struct {
	line  int
	words []string // without quotes
	block []directive
}

// nginxText is what is left of a file.
type nginxText struct {
	tokens []string
	line   int
}

// block reads what is left of a block, and of those around it that are nested deeper than any file needs.
func (t *nginxText) block(depth int) (list []directive) {
	var d directive
	for len(t.tokens) > 0 {
		token, line := t.tokens[0], t.line
		t.tokens, t.line = t.tokens[1:], line+strings.Count(t.tokens[0], "\n")
		switch {
		case token == "}":
			return list
		case token == "{" && depth < 50:
			d.block = t.block(depth + 1)
			fallthrough
		case token == ";" || token == "{":
			if d.words != nil {
				list = append(list, d)
			}
			d = directive{}
		case token[0] != '\n' && token[0] != '#':
			if d.words == nil {
				d.line = line
			}
			if token[0] == '"' || token[0] == '\'' {
				token = strings.NewReplacer(`\`+token[:1], token[:1], " ", `\x20`).Replace(token[1 : len(token)-1])
			}
			d.words = append(d.words, token)
		}
	}
	return list
}

// nginxBlock matches the start of a location, with its mark and name, and of an if, with a test of the path if it is one.
var nginxBlock = regexp.MustCompile(`^(?:location (=|\^~|~\*?)? ?(.+)|if \( ?\$(uri|document_uri|request_uri) (=|~\*?) ?(.+?) ?\)|if .*)$`)

// head returns the parts of the start of a block.
func (d directive) head() []string { return nginxBlock.FindStringSubmatch(strings.Join(d.words, " ")) }

// class orders what stands in a server as nginx does: locations come last, those of some marks by the length of their names.
func (d directive) class() (class, length int) {
	m := append(d.head(), "", "", "")
	if m[2] != "" {
		class = map[string]int{"=": 2, "^~": 3, "~": 4, "~*": 4, "": 5}[m[1]]
	}
	return class, len(m[2]) * (class % 2)
}

// served returns what stands in the servers that have a name of the site.
func (p *parser) served(list []directive) (in []directive) {
	names := func(d directive) int {
		at := slices.IndexFunc(d.block, func(d directive) bool { return d.words[0] == "server_name" })
		if at < 0 {
			return 0
		}
		return p.servesAs(d.block[at].words)
	}
	own := slices.ContainsFunc(list, func(d directive) bool { return names(d) > 0 })
	for _, d := range list {
		switch at := names(d); {
		case d.words[0] == "http":
			in = append(in, p.served(d.block)...)
		case d.words[0] != "server":
			in = append(in, d)
		case at > 0 || at == 0 && !own:
			in = append(in, d.block...)
		}
	}
	return in
}

// nginx reads what is certain: return and rewrite in a server, in its locations, and in an if about the path.
func (p *parser) nginx(text string) {
	list := p.served((&nginxText{nginxToken.FindAllString(text, -1), 1}).block(0))
	slices.SortStableFunc(list, func(a, b directive) int {
		x, length := a.class()
		y, longer := b.class()
		return cmp.Or(x-y, longer-length)
	})
	for _, d := range list {
		m := d.head()
		if m == nil && d.block == nil {
			p.answer(d, nil, "")
		}
		if m == nil {
			continue
		}
		conds, unsure := about(m[3], m[4], m[5]), ""
		switch longer := func(o directive) bool {
			in := o.head()
			return in != nil && in[1] == "" && len(in[2]) > len(m[2]) && strings.HasPrefix(in[2], m[2])
		}; {
		case m[2] != "":
			conds = about("uri", m[1], m[2])
			if m[1] == "^~" && slices.ContainsFunc(list, longer) {
				unsure = "locations within this one are not simulated: " + m[2]
			}
		case conds == nil:
			unsure = "it depends on more than the URL: " + strings.Join(d.words, " ")
		}
		p.answer(directive{block: d.block}, conds, unsure)
		if m[2] != "" {
			p.when(Rule{Line: d.line, stops: true, Unsure: unsure}, conds...)
		}
	}
}

// about returns the conditions of a test of the path, or nil if it is about more.
func about(variable, mark, text string) []cond {
	folder := "^" + regexp.QuoteMeta(text)
	pattern := cmp.Or(map[string]string{"~": text, "~*": "(?i)" + text, "=": folder + "$"}[mark], folder)
	path, query, _ := strings.Cut(strings.TrimSuffix(pattern, "$"), `\?`)
	switch {
	case variable == "uri" || variable == "document_uri":
		return []cond{{pattern: pattern}}
	case variable == "request_uri" && strings.HasSuffix(pattern, "$") && !strings.Contains(strings.ReplaceAll(pattern, "(?", ""), "("):
		return []cond{{pattern: decoded(path) + "$"}, {of: ofQuery, pattern: "^" + query + "$"}}
	}
	return nil
}

// answer adds the rules of a directive, or of those of a block: blocks within it, which are not simulated, first.
func (p *parser) answer(d directive, conds []cond, unsure string) {
	slices.SortStableFunc(d.block, func(a, b directive) int { return min(1, len(b.block)) - min(1, len(a.block)) })
	for _, in := range d.block {
		why := unsure
		if in.block != nil {
			why = cmp.Or(unsure, "a block within a block is not simulated: "+strings.Join(in.words, " "))
		}
		p.answer(in, conds, why)
	}
	r, words := Rule{Line: d.line, Unsure: unsure}, append(slices.Clone(d.words), "", "", "", "")
	last := words[max(0, len(d.words)-1)]
	switch kind := words[0]; {
	case kind == "return" && strings.Contains(words[1], "://"):
		r.To = words[1]
	case kind == "return":
		if r.status(words[1]) {
			r.To = words[2]
		}
	case kind == "rewrite":
		conds, r.To = append(slices.Clip(conds), cond{pattern: words[1]}), strings.TrimSuffix(words[2], "?")
		if !strings.Contains(r.To, "://") && words[3] != "permanent" && words[3] != "redirect" {
			r.Unsure = cmp.Or(r.Unsure, "later rules see another URL: rewrite "+words[1])
		}
	case kind == "include" && !strings.HasSuffix(last, "mime.types") && !strings.HasSuffix(last, "_params"):
		r.Unsure = "the file is not read: include " + last
	case kind == "try_files" && strings.Trim(last, "=$uri/0123456789") != "", strings.HasSuffix(kind, "_pass"):
		r.Unsure = "what answers is not known: " + kind + " " + last
	case strings.HasPrefix(kind, "/"), strings.HasPrefix(kind, "~"): // a row of a map that another file includes
		mark := kind[:len(kind)-len(strings.TrimLeft(kind, "~*"))]
		conds, r.To = about("uri", cmp.Or(mark, "="), kind[len(mark):]), words[1]
	default:
		return
	}
	p.lead(r, conds)
}
