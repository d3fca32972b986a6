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

// directive is a directive of nginx: its words, without quotes, after those of the blocks around it. A block ends with "end".
type directive struct {
	line int
	text string
	form []string // by nginxForm
}

// nginxForm divides a directive that may answer a request: its server, the mark and the name of its location, other blocks,
// its name and its words.
var nginxForm = regexp.MustCompile(`^(?:http )?(?:(server\d+) )?(?:location (?:(=|\^~|~\*?) )?(\S+) )?(.*? )??(return|rewrite|try_files|include|end|\w+_pass)(?: (.*))?$`)

// directives splits a file into directives.
func (p *parser) directives(text string) (list []directive) {
	n, line, servers := 1, 0, 0
	var blocks, words []string
	add := func(words ...string) {
		d := directive{line: line, text: strings.Join(slices.Concat(blocks, words), " ")}
		if strings.IndexAny(d.text, "/~") == 0 { // a row of a map that another file includes
			d.text = "map $uri $to " + d.text
		}
		if d.form = nginxForm.FindStringSubmatch(d.text); d.form == nil {
			d.form = make([]string, 7)
		}
		list = append(list, d)
	}
	for _, token := range nginxToken.FindAllString(text, -1) {
		switch {
		case token == "\n" || token[0] == '#':
		case token == "{":
			if blocks = append(blocks, strings.Join(words, " ")); slices.Equal(words, []string{"server"}) {
				servers++
				blocks[len(blocks)-1] = fmt.Sprint("server", servers)
			}
			words = nil
		case token == "}" && len(blocks) > 0:
			add("end")
			blocks, words = blocks[:len(blocks)-1], nil
		case token == ";":
			add(words...)
			words = nil
		case token != "}":
			if len(words) == 0 {
				line = n
			}
			if token[0] == '"' || token[0] == '\'' {
				token = cmp.Or(strings.NewReplacer(`\`+token[:1], token[:1], " ", `\x20`).Replace(token[1:len(token)-1]), `""`)
			}
			words = append(words, token)
		}
		n += strings.Count(token, "\n")
	}
	if len(words) > 0 || len(blocks) > 0 {
		p.wrong(cmp.Or(line, n), "the directive or block does not end")
	}
	return list
}

// nginxReader reads what is certain: directives return, rewrite and try_files of a server, of its locations, and within an
// if about the path, and rows of maps from paths.
type nginxReader struct {
	*parser
	maps    map[string][]directive // rows, in the order in which nginx tries them
	folders []string               // names of locations that patterns may answer first
}

// nginxRow matches a row of a map: its variables, its key and its value.
var nginxRow = regexp.MustCompile(`^(?:http )?map (\$\w+) (\$\w+) (\S+) (\S+)$`)

func (p *parser) nginx(text string) {
	n, names, own := nginxReader{p, map[string][]directive{}, nil}, map[string][]string{}, false
	list := n.directives(text)
	for i, d := range list {
		if row := nginxRow.FindStringSubmatch(d.text); row != nil {
			list[i].form[5], d.form = "", row
			n.maps[row[2]] = append(n.maps[row[2]], d)
		} else if server, name, ok := strings.Cut(strings.TrimPrefix(d.text, "http "), " server_name "); ok {
			names[server] = append(names[server], strings.Fields(name)...)
			own = own || p.servesAs(names[server]) > 0
		}
		if d.form[2] == "" && d.form[len(d.form)-2] == "end" {
			n.folders = append(n.folders, d.form[3])
		}
	}
	place := func(d directive) (class, length int) { // of locations
		if d.form[3] == "" {
			return 0, 0
		}
		class = cmp.Or(map[string]int{"=": 1, "^~": 2, "~": 3, "~*": 3}[d.form[2]], 4)
		return class, len(d.form[3]) * (class%2 - 1)
	}
	slices.SortStableFunc(list, func(a, b directive) int {
		x, long := place(a)
		y, longer := place(b)
		return cmp.Or(x-y, long-longer)
	})
	for name, rows := range n.maps {
		slices.SortStableFunc(rows, func(a, b directive) int { return rowClass(a.form[3]) - rowClass(b.form[3]) })
		if !strings.Contains(text, "return") && !strings.Contains(text, "rewrite") { // another file uses it
			n.rows(Rule{To: name}, name, rows)
		}
	}
	for _, d := range list {
		if at := p.servesAs(names[d.form[1]]); d.form[5] != "" && (at > 0 || at == 0 && (!own || d.form[1] == "")) {
			n.read(d)
		}
	}
}

// rowClass orders the keys of a map: texts, patterns, the default.
func rowClass(key string) int { return strings.Count(key[:1], "~") + 2*strings.Count(key, "default") }

// nginxIf matches an if: a variable, an operator and a pattern.
var nginxIf = regexp.MustCompile(`^if \( ?(\$\w+)(?: (=|!=|~\*?) ?(\S*?))? ?\) $`)

// about returns the conditions for a variable with a path, or nil if they are about more.
func about(variable, operator, pattern string) []cond {
	pattern = map[string]string{"~": pattern, "~*": "(?i)" + pattern, "=": "^" + regexp.QuoteMeta(pattern) + "$"}[operator]
	path, query, _ := strings.Cut(strings.TrimSuffix(pattern, "$"), `\?`)
	switch {
	case variable == "$uri" || variable == "$document_uri":
		return []cond{{pattern: pattern}}
	case variable == "$request_uri" && strings.HasSuffix(pattern, "$") && !strings.Contains(strings.ReplaceAll(pattern, "(?", ""), "("):
		return []cond{{pattern: decoded(path) + "$"}, {part: ofQuery, pattern: "^" + query + "$"}}
	}
	return nil
}

// read adds the rule of a directive.
func (n *nginxReader) read(d directive) {
	var conds []cond
	mark, name, within, kind, words := d.form[2], d.form[3], d.form[4], d.form[5], append(strings.Fields(d.form[6]), "", "", "")
	last, rows := words[max(0, len(words)-4)], ""
	if folder := "^" + regexp.QuoteMeta(name); name != "" {
		conds = []cond{{pattern: cmp.Or(map[string]string{"=": folder + "$", "~": name, "~*": "(?i)" + name}[mark], folder)}}
	}
	if mark == "^~" && slices.ContainsFunc(n.folders, func(in string) bool { return len(in) > len(name) && strings.HasPrefix(in, name) }) {
		within = "a location within ^~"
	}
	if m := nginxIf.FindStringSubmatch(within); m != nil && n.maps[m[1]] != nil && strings.Trim(m[3], `"`) == "" {
		rows, within = m[1], ""
	} else if m != nil {
		if of := about(m[1], m[2], m[3]); of != nil {
			conds, within = append(conds, of...), ""
		}
	}
	r := Rule{Line: d.line}
	switch {
	case kind == "end" && (name == "" || within != ""):
		return
	case kind == "end":
		r.stops = true
	case kind == "return" && strings.Contains(words[0], "://"):
		r.To = words[0]
	case kind == "return" && strings.HasPrefix(words[0], "2"):
		r.Serves = true
	case kind == "return":
		if r.status(words[0]) {
			r.To = words[1]
		}
	case kind == "rewrite":
		conds, r.To = append(conds, cond{pattern: words[0]}), strings.TrimSuffix(words[1], "?")
		if r.Serves = !strings.Contains(r.To, "://") && words[2] != "permanent" && words[2] != "redirect"; r.Serves {
			within = "later rules see another URL"
		}
	case kind == "try_files" && strings.HasPrefix(last, "/"):
		r.To, r.Serves, r.Weak = last, true, true
	case kind == "include" && !strings.HasSuffix(last, "mime.types") && !strings.HasSuffix(last, "_params"):
		n.doubt(r, "the file is not read: include "+last, conds...)
		return
	case kind == "try_files" && strings.Trim(last, "=$uri/0123456789") != "" || strings.HasSuffix(kind, "_pass"):
		r.Unsure = kind + " " + last + " answers"
	default:
		return
	}
	to := r.To
	switch r.To, within = targetOf(to, conds, within); {
	case rows != "" && strings.HasSuffix(to, rows):
		r.To = to
		n.rows(r, rows, n.maps[rows], conds...)
	case within != "" && r.Unsure == "":
		n.doubt(r, kind+" "+d.form[6]+": it depends on more than the URL: "+strings.TrimSpace(within), conds...)
	default:
		n.when(r, conds...)
	}
}

// variable matches a variable in a target. $is_args$args adds the query, as rules do.
var variable = regexp.MustCompile(`\$is_args\$args|\$\{?\w+\}?`)

// known are the variables that rules have under another name.
var known = map[string]string{"$is_args$args": "", "$scheme": "https", "$request_uri": "${uri}", "$uri": "${uri}", "$host": "${host}", "$http_host": "${host}", "$server_name": "${host}"}

// targetOf returns a target with the variables of rules, and what is unknown: what was, or a variable that is not.
func targetOf(to string, conds []cond, unknown string) (string, string) {
	to = variable.ReplaceAllStringFunc(to, func(v string) string {
		name := strings.Trim(v, "${}")
		value, ok := known["$"+name]
		if ok {
			return value
		}
		if (name[0] < '0' || name[0] > '9') && !slices.ContainsFunc(conds, func(c cond) bool { return strings.Contains(c.pattern, "<"+name+">") }) {
			unknown = cmp.Or(unknown, v)
		}
		return "${" + name + "}"
	})
	return to, unknown
}

// rows adds a rule for each row of a map, whose value stands for a variable in a target.
func (n *nginxReader) rows(r Rule, name string, list []directive, conds ...cond) {
	for _, d := range list {
		in, key, value := r, d.form[3], d.form[4]
		mark := regexp.MustCompile(`^~?\*?`).FindString(key)
		of, unknown := about(d.form[1], cmp.Or(mark, "="), strings.TrimPrefix(key[len(mark):], `\`)), ""
		if in.Line = d.line; of == nil {
			unknown = d.form[1] + " is more than the path"
		}
		switch in.To, unknown = targetOf(strings.Replace(r.To, name, value, 1), of, unknown); {
		case key == "include":
			n.doubt(in, "the file is not read: include "+value, conds...)
		case value == `""` || value == "0":
		case key == "default":
			n.when(in, conds...)
		case unknown != "":
			n.doubt(in, "it depends on more than the URL: "+unknown, conds...)
		default:
			n.when(in, append(conds, of...)...)
		}
	}
}
