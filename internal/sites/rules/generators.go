package rules

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// quoted writes a string between double quotes as JSON, YAML, TOML and JavaScript read it.
func quoted(s string) string {
	raw, _ := json.Marshal(s) // a string cannot fail
	return strings.NewReplacer(`\u0026`, "&", `\u003c`, "<", `\u003e`, ">").Replace(string(raw))
}

// pages writes an entry for each rule whose old URL a generator can make from a source file.
func (w *writer) pages(rules []Rule, entry func(from string, r Rule) (string, bool)) {
	for _, r := range rules {
		from, ok := w.page(r.From)
		if line, fits := entry(from, r); ok && fits && !r.Prefix {
			w.WriteString(line)
		} else {
			w.left++
		}
	}
}

// mkdocs writes targets as URLs, because a URL does not tell the name of its source file.
func (w *writer) mkdocs(rules []Rule) {
	w.pages(rules, func(from string, r Rule) (string, bool) {
		return fmt.Sprintf("        %s: %s\n", quoted(from+".md"), quoted(w.target(r))), true
	})
}

func (w *writer) zensical(rules []Rule) {
	w.pages(rules, func(from string, r Rule) (string, bool) {
		return fmt.Sprintf("%s = %s\n", quoted(from+".md"), quoted(w.target(r))), true
	})
}

// mapped matches a key and its value in YAML or TOML.
var mapped = regexp.MustCompile(`^(\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#].*?)\s*[:=]\s+("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#]\S*)\s*(?:#.*)?$`)

// unquoted returns the value of a word that may be quoted.
func unquoted(s string) string {
	if len(s) > 1 && s[0] == '\'' {
		return s[1 : len(s)-1]
	}
	plain := s
	if json.Unmarshal([]byte(s), &plain) != nil {
		return s
	}
	return plain
}

// entries reads the lines of a map of source files, from the line that opens it until one that ends it.
func (p *parser) entries(text, opens string, ends func(indent int, line string) bool) {
	within, braces, outer := false, false, 0
	lines(text, func(n int, line string) {
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if within && !braces && ends(indent-outer, line) {
			within = false
		}
		_, rest, head := strings.Cut(line, opens)
		if head {
			rest, _, _ = strings.Cut(strings.TrimSpace(rest), " #")
			within, braces, outer = true, strings.HasPrefix(rest, "{"), indent
		}
		switch m := mapped.FindStringSubmatch(line); {
		case within && braces:
			if !head {
				rest = line
			}
			for _, m := range flowing.FindAllStringSubmatch(rest, -1) {
				p.moved(unquoted(m[1]), unquoted(m[2]), n)
			}
			within = !strings.Contains(rest, "}")
		case head && rest != "" && rest[0] != '#':
			p.doubt(Rule{Line: n}, nil, "the map is not read: "+rest)
			within = false
		case head || !within:
		case m == nil:
			p.wrong(n, "no entry such as \"old.md\": \"new.md\": "+strings.TrimSpace(line))
		default:
			p.moved(unquoted(m[2]), unquoted(m[3]), n)
		}
	})
}

// flowing matches an entry of a map in braces.
var flowing = regexp.MustCompile(`("(?:[^"\\]|\\.)*"|'[^']*'|[^\s{},:"']+)\s*:\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^\s{},"']+)`)

// moved adds the rule of a source file. Scripts redirect its parts; no rule does.
func (p *parser) moved(from, to string, line int) {
	if strings.Contains(from, "#") {
		p.wrong(line, "redirects of a part of a page are not checked: "+from)
		return
	}
	p.add(Rule{From: p.doc(from), To: p.doc(to), Line: line})
}

func (p *parser) mkdocs(text string) {
	p.entries(text, "redirect_maps:", func(indent int, _ string) bool { return indent <= 0 })
}

func (p *parser) zensical(text string) {
	p.entries(text, "redirect_maps]", func(_ int, line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "[") })
}

// rediraffe writes source files, of which it has the new ones only if they are pages of the site.
func (w *writer) rediraffe(rules []Rule) {
	w.pages(rules, func(from string, r Rule) (string, bool) {
		to, ok := w.page(r.To)
		return fmt.Sprintf("\"%s\" \"%s\"\n", from, to), ok && !strings.ContainsAny(from+to, "\"\n")
	})
}

// edge matches a line of the file of rediraffe.
var edge = regexp.MustCompile(`^\s*("[^"]*"|'[^']*'|\S+)\s+("[^"]*"|'[^']*'|\S+)\s*$`)

func (p *parser) rediraffe(text string) {
	lines(text, func(n int, line string) {
		m := edge.FindStringSubmatch(line)
		if m == nil {
			p.wrong(n, "the line has not two paths: "+line)
			return
		}
		p.add(Rule{From: p.doc(strings.Trim(m[1], `"'`)), To: p.doc(strings.Trim(m[2], `"'`)), Line: n})
	})
}

// docusaurus writes paths below the base URL of the site. They are not encoded, because Docusaurus encodes them.
func (w *writer) docusaurus(rules []Rule) {
	for _, r := range rules {
		from, ok := w.below(r.From)
		to, inside := w.below(w.formOf(r.To))
		if w.Base == "" && originOf(r.To) != originOf(r.From) || !inside {
			to = w.target(r)
		} else {
			to = "/" + to
		}
		path, query, _ := strings.Cut(to, "?")
		ok = ok && !strings.ContainsAny(decoded(from)+decoded(path), "?#") && !strings.Contains(query, "%")
		if from, to = decoded(from), strings.Replace(to, path, decoded(path), 1); ok {
			fmt.Fprintf(w, "  {from: %s, to: %s},\n", quoted("/"+from), quoted(to))
		} else {
			w.left++
		}
	}
}

var (
	jsOpen   = regexp.MustCompile(`redirects:\s*\[[ \t]*\n?`)
	jsString = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`)
	jsObject = regexp.MustCompile(`\{(?:` + jsString.String() + `|[^{}"'])*\}`)
	jsField  = regexp.MustCompile(`["']?\b(from|to)["']?\s*:\s*(\[[^\]]*\]|` + jsString.String() + `)`)
	jsRemark = regexp.MustCompile(`(?m)(^|[\s,])//.*$`)
)

// docusaurus reads the objects with from and to of the list of redirects. It does not run createRedirects.
func (p *parser) docusaurus(text string) {
	text = jsRemark.ReplaceAllString(text, "$1")
	at := jsOpen.FindStringIndex(text)
	if at == nil {
		p.wrong(1, "there is no list of redirects")
		return
	}
	for _, found := range jsObject.FindAllStringIndex(text[at[1]:], -1) {
		object := text[at[1]+found[0] : at[1]+found[1]]
		line := 1 + strings.Count(text[:at[1]+found[0]], "\n")
		fields := map[string][]string{}
		for _, f := range jsField.FindAllStringSubmatch(object, -1) {
			fields[f[1]] = jsString.FindAllString(f[2], -1)
		}
		if len(fields["to"]) != 1 || len(fields["from"]) == 0 {
			if fields["to"] != nil || fields["from"] != nil {
				p.wrong(line, "the redirect has no from and to that are strings")
			}
			continue
		}
		for _, from := range fields["from"] {
			to := strings.ReplaceAll(unquoted(fields["to"][0]), "%", "%25")
			p.add(Rule{From: p.within(encoded(unquoted(from))), To: p.within(to), Line: line})
		}
	}
}

// within returns the URL of a path below the base of the site.
func (p *parser) within(path string) string {
	if strings.Contains(path, "://") {
		return path
	}
	return p.Base + "/" + strings.TrimPrefix(path, "/")
}

// hugo lists the aliases of each new page.
func (w *writer) hugo(rules []Rule) {
	aliases := map[string][]string{}
	var pages []string
	for _, r := range rules {
		if aliases[r.To] == nil {
			pages = append(pages, r.To)
		}
		from, _ := w.below(r.From)
		aliases[r.To] = append(aliases[r.To], "/"+from)
	}
	slices.Sort(pages)
	for _, p := range pages {
		list, _ := json.Marshal(aliases[p])
		fmt.Fprintf(w, "# %s\naliases: %s\n", safe.Replace(p), list)
	}
}

var (
	alias   = regexp.MustCompile(`^\s*"?(?:aliases|redirect_from)"?\s*[:=]\s*(.*)|^\s*-\s+(.*)|^\s*(["'].*|\].*)$`) // the start of the list, or one of its lines
	aliases = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s,\[\]"'{}][^,\[\]]*`)
	ownURL  = regexp.MustCompile(`^\s*"?(url|permalink|slug)"?\s*[:=]\s*["']?([^"'\s,]+)`)
)

// hugo reads the aliases of the page that a comment names, as Write does, or of a page of Hugo or Jekyll by the path of its
// file, or by what its front matter says.
func (p *parser) hugo(text string) {
	page, root := p.doc(regexp.MustCompile(`(^|/)_index\.`).ReplaceAllString(p.file, "${1}index.")), false
	if strings.HasPrefix(text, "{") {
		var front struct {
			URL, Slug string
			Aliases   []string
		}
		if err := json.NewDecoder(strings.NewReader(text)).Decode(&front); err != nil {
			p.wrong(1, err.Error())
		}
		text = fmt.Sprintf("aliases: [%s]\nurl: %s\nslug: %s", strings.Join(front.Aliases, ", "), front.URL, front.Slug)
	}
	type named struct {
		from, to string
		line     int
	}
	var list []named
	within, n := false, 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\n")
		if url, ok := strings.CutPrefix(line, "# "); ok && strings.Contains(url, "://") {
			page = url
			continue
		}
		if n > 1 && (line == "---" || line == "+++") {
			break
		}
		if own := ownURL.FindStringSubmatch(line); own != nil && own[1] == "slug" {
			page = strings.TrimSuffix(page, "/")
			page = page[:strings.LastIndexByte(page, '/')+1] + own[2]
		} else if own != nil {
			page, root = p.within(own[2]), true
		}
		m := alias.FindStringSubmatch(line)
		if within = m != nil && (within || m[1] != "" || strings.Contains(line, "aliases") || strings.Contains(line, "redirect_from")); !within {
			continue
		}
		text, _, _ := strings.Cut(strings.Join(m[1:], ""), " #")
		for _, from := range aliases.FindAllString(text, -1) {
			list = append(list, named{strings.TrimSpace(unquoted(strings.TrimSpace(from))), page, n})
		}
	}
	folder := strings.TrimSuffix(page, "/")
	folder = folder[:strings.LastIndexByte(folder, '/')+1]
	for _, a := range list {
		r := Rule{From: p.within(a.from), To: page, Line: a.line}
		if strings.HasPrefix(text, "# ") {
			r.To = a.to
		} else if !strings.HasPrefix(a.from, "/") && !strings.Contains(a.from, "://") && !root {
			r.From = folder + a.from
		}
		p.add(r)
	}
}

// redirect is a redirect in the API of Read the Docs.
type redirect struct {
	From   string `json:"from_url"`
	To     string `json:"to_url"`
	Type   string `json:"type"`
	Status int    `json:"http_status,omitempty"`
	Force  bool   `json:"force,omitempty"`
}

func (w *writer) readthedocs(rules []Rule) {
	comma := ""
	for _, r := range rules {
		from, to := w.plain(r), w.target(r)
		if strings.ContainsAny(from, "?*") || w.hosts {
			w.left++
			continue
		}
		if r.Prefix {
			from, to = strings.TrimSuffix(from, "/")+"/*", to+":splat"
		}
		raw, _ := json.Marshal(redirect{from, to, "exact", 301, true})
		fmt.Fprintf(w, "%s%s", comma, raw)
		comma = ",\n"
	}
}

// readthedocs reads every object with a from_url, whatever is around it.
func (p *parser) readthedocs(text string) {
	for _, at := range jsObject.FindAllStringIndex(text, -1) {
		var r redirect
		line := 1 + strings.Count(text[:at[0]], "\n")
		switch err := json.Unmarshal([]byte(text[at[0]:at[1]]), &r); {
		case err != nil:
			p.wrong(line, err.Error())
		case r.From == "":
		case r.Type == "exact":
			p.splat(Rule{From: r.From, To: r.To, Line: line, Weak: !r.Force}, nil)
		case r.Type == "page":
			p.splat(Rule{From: p.within(r.From), To: p.within(r.To), Line: line, Weak: !r.Force}, nil)
		default:
			p.wrong(line, "a redirect of the type "+quoted(r.Type)+" is not for certain URLs")
		}
	}
}
