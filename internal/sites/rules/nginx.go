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

// directive is a directive of nginx, or the start or the end of a block.
type directive struct {
	line  int
	words []string   // without quotes; nil for the end of the block that it is in
	in    *directive // the start of the block around it
	depth int
}

// directives reads a file, but for the starts of blocks.
func directives(text string) (list []*directive) {
	line, d := 1, &directive{}
	for _, token := range nginxToken.FindAllString(text, -1) {
		switch {
		case token == ";" && d.words != nil:
			list, d = append(list, d), &directive{in: d.in, depth: d.depth}
		case token == "{" && d.depth < 50: // no file needs more
			d = &directive{in: d, depth: d.depth + 1}
		case token == "}" && d.in != nil:
			list, d = append(list, &directive{line: d.in.line, in: d.in}), &directive{in: d.in.in, depth: d.in.depth}
		case strings.Trim(token[:1], "#{};\n") != "":
			if token[0] == '"' || token[0] == '\'' {
				token = strings.NewReplacer(`\`+token[:1], token[:1], " ", `\x20`).Replace(token[1 : len(token)-1])
			}
			d.line, d.words = cmp.Or(d.line, line), append(d.words, token)
		}
		line += strings.Count(token, "\n")
	}
	return list
}

// blocks returns the server that a directive is in, the outermost block in that, and the number of blocks in it.
func (d *directive) blocks() (server, block *directive, n int) {
	for b := d.in; b != nil; b = b.in {
		switch strings.Join(b.words, " ") {
		case "server":
			server = b
		case "http":
		default:
			block, n = b, n+1
		}
	}
	return server, block, n
}

// nginxHead matches the start of a location, with its mark and name, and of an if with a test of the path.
var nginxHead = regexp.MustCompile(`^(?:location (=|\^~|~\*?)? ?(.+)|if \( ?\$(uri|document_uri|request_uri) (=|~\*?) ?(.+?) ?\)|if .*)$`)

// head returns the parts of the start of a block.
func (d *directive) head() []string {
	if d == nil {
		return make([]string, 7)
	}
	return append(nginxHead.FindStringSubmatch(strings.Join(d.words, " ")), "", "", "", "", "", "")
}

// place orders what stands in a server as nginx does: locations come last, and of those without a mark the longest first.
func (d *directive) place() (at int) {
	_, block, n := d.blocks()
	if m := block.head(); m[1] != "" {
		at = 1 + strings.Count(m[1], "~")
	} else if m[2] != "" {
		at = 1<<20 - len(m[2])
	}
	return 2*at - min(1, n/2)
}

// nginx reads what is certain: return and rewrite in a server of the site, in its locations, and in an if about the path.
func (p *parser) nginx(text string) {
	list, own, some := directives(text), map[*directive]bool{}, false // whether a server has a name of the site, and whether one has
	slices.SortStableFunc(list, func(a, b *directive) int { return a.place() - b.place() })
	for _, d := range list {
		if server, _, _ := d.blocks(); server != nil {
			own[server] = own[server] || d.words != nil && d.words[0] == "server_name" && p.serves(d.words[1:])
			some = some || own[server]
		}
	}
	for _, d := range list {
		server, block, n := d.blocks()
		m := block.head()
		location, conds, unsure := m[2] != "", about(m[3], m[4], m[5]), ""
		switch {
		case block != nil && m[0] == "", some && server != nil && !own[server]:
			continue
		case location:
			conds = about("uri", m[1], m[2])
		case conds == nil && block != nil:
			unsure = "it depends on more than the URL: " + strings.Join(block.words, " ")
		}
		if m[1] == "^~" || n > 1 {
			unsure = "of locations, only plain ones are simulated: " + strings.Join(block.words, " ")
		}
		if server != nil && len(own) > 1 && !some {
			unsure = "none of the servers has the name of the site"
		}
		if d.words != nil {
			p.answer(d, conds, unsure)
		} else if location && (n == 1 || d.in.head()[2] != "") {
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

// answer adds the rule of a directive.
func (p *parser) answer(d *directive, conds []cond, unsure string) {
	r, words, last := Rule{Line: d.line, Unsure: unsure}, append(slices.Clone(d.words), "", "", ""), d.words[len(d.words)-1]
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
	case strings.Trim(kind[:1], "/~") == "": // a row of a map that another file includes
		mark := kind[:len(kind)-len(strings.TrimLeft(kind, "~*"))]
		conds, r.To = about("uri", cmp.Or(mark, "="), kind[len(mark):]), words[1]
	default:
		return
	}
	p.lead(r, conds)
}
