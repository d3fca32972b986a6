package rules

import (
	"fmt"
	"regexp"
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

// nginxBlock is an open block, with the pattern of the URLs that enter it.
type nginxBlock struct {
	kind    string
	pattern string
	raw     bool
	unknown bool // it depends on more than the URL
}

// nginx reads rewrite, return and map directives, and the blocks location and if around them.
func (p *parser) nginx(text string) {
	var blocks []nginxBlock
	var words []string
	asked := map[string]string{"$uri": "$uri", "$document_uri": "$uri", "$request_uri": "$request_uri"}
	n, line := 1, 1 // where the token and its directive begin
	for _, token := range nginxToken.FindAllString(text, -1) {
		at := nginxBlock{}
		if len(blocks) > 0 {
			at = blocks[len(blocks)-1]
		}
		switch {
		case token == "\n" || token[0] == '#':
		case token == "{":
			blocks = append(blocks, nginxOpen(at, words, asked))
			words = nil
		case token == "}":
			blocks, words = blocks[:max(0, len(blocks)-1)], nil
		case token == ";":
			p.nginxDirective(line, at, words, asked)
			words = nil
		default:
			if len(words) == 0 {
				line = n
			}
			if token[0] == '"' || token[0] == '\'' {
				token = strings.ReplaceAll(token[1:len(token)-1], `\`+token[:1], token[:1])
			}
			words = append(words, token)
		}
		n += strings.Count(token, "\n")
	}
	if len(words) > 0 || len(blocks) > 0 {
		p.wrong(line, "the directive or block does not end")
	}
}

// nginxOpen returns the block that begins with some words.
func nginxOpen(at nginxBlock, words []string, asked map[string]string) nginxBlock {
	if len(words) == 0 {
		return nginxBlock{unknown: true}
	}
	b := nginxBlock{kind: words[0], pattern: at.pattern, raw: at.raw, unknown: at.unknown}
	switch {
	case b.kind == "map" && len(words) == 3:
		b.raw, b.unknown = asked[words[1]] == "$request_uri", asked[words[1]] == ""
	case b.kind == "location" && len(words) == 2:
		b.pattern = "^" + regexp.QuoteMeta(words[1])
	case b.kind == "location" && len(words) == 3:
		b.pattern = map[string]string{"=": "^" + regexp.QuoteMeta(words[2]) + "$", "~": words[2], "~*": "(?i)" + words[2], "^~": "^" + regexp.QuoteMeta(words[2])}[words[1]]
	case b.kind == "if":
		cond := strings.Fields(strings.Trim(strings.Join(words[1:], " "), "()"))
		if len(cond) == 3 && strings.HasPrefix(cond[1], "~") {
			pattern := strings.TrimSuffix(strings.Trim(cond[2], `"'`), ")")
			if host, ok := strings.CutSuffix(pattern, "$"); ok && cond[0] == "$host" && strings.HasPrefix(host, "^") {
				b.pattern = host + at.pattern
				return b
			}
			variable := asked[cond[0]]
			b.pattern, b.raw, b.unknown = pattern, strings.HasSuffix(variable, "$request_uri"), b.unknown || variable == ""
			return b
		}
		b.unknown = b.unknown || len(cond) != 1 // if ($new) asks for a value of a map
	}
	return b
}

// nginxDirective adds the rule of a directive, if it is one.
func (p *parser) nginxDirective(line int, at nginxBlock, words []string, asked map[string]string) {
	if len(words) == 0 {
		return
	}
	r := Rule{Line: line}
	pattern, raw := at.pattern, at.raw
	switch kind := words[0]; {
	case at.kind == "map" && len(words) == 2 && kind != "default" && kind != "include":
		if r.To = words[1]; strings.HasPrefix(kind, "~") {
			pattern = strings.TrimPrefix(strings.TrimPrefix(kind, "~"), "*")
		} else {
			pattern = "^" + regexp.QuoteMeta(kind) + "$"
		}
	case kind == "set" && len(words) == 3:
		asked[words[1]] = strings.TrimPrefix(words[2], "$host")
		return
	case kind == "rewrite" && len(words) >= 3:
		if r.To = words[2]; !strings.Contains(r.To, "://") && (len(words) < 4 || words[3] != "permanent" && words[3] != "redirect") {
			return // within the server
		}
		pattern, raw = words[1], false
		if host, ok := strings.CutPrefix(at.pattern, "^"); ok && at.kind == "if" {
			pattern = "^" + host + strings.TrimPrefix(pattern, "^")
		}
		r.To = strings.TrimSuffix(r.To, "?")
	case kind == "return" && len(words) >= 2:
		if len(words) == 2 && strings.Contains(words[1], "://") {
			words = []string{kind, "302", words[1]}
		}
		redirect, gone := redirects(words[1])
		if !redirect || !gone && len(words) < 3 {
			return
		}
		if r.Gone = gone; !gone {
			if r.To = words[2]; asked[r.To] == "" && regexp.MustCompile(`^\$\w+$`).MatchString(r.To) {
				return // a value of a map, whose rows are the rules
			}
		}
		if pattern == "" {
			pattern = "^/.*"
		}
	default:
		return
	}
	r.To = strings.NewReplacer("$is_args$args", "", "$scheme", "https", "$http_host", "$host", "$server_name", "$host", "$request_uri", "${0}", "$uri", "${0}").Replace(r.To)
	r.To = strings.ReplaceAll(r.To, "$host", strings.TrimPrefix(originOf(p.Base), "https://"))
	if strings.HasSuffix(r.To, "${0}") && !strings.HasSuffix(pattern, "$") {
		pattern += ".*" // the whole path
	}
	if at.unknown || regexp.MustCompile(`\$[a-z]`).MatchString(r.To) {
		p.wrong(line, fmt.Sprintf("%s depends on more than the URL", strings.Join(words, " ")))
		return
	}
	p.match(r, pattern, raw)
}
