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

// Strings of JSON and JavaScript, and entries of maps of source files, by line and in braces.
const jsText = `"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`

var (
	mapped  = regexp.MustCompile(`^\s*(` + jsText + `|[^\s"'#].*?)\s*[:=]\s+(` + jsText + `|[^\s"'#]\S*)\s*(?:#.*)?$`)
	flowing = regexp.MustCompile(`(` + jsText + `|[^\s{},:"']+)\s*:\s*(` + jsText + `|[^\s{},"']+)`)
)

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

// entries reads a map of source files, from what opens it to a line that ends it.
func (p *parser) entries(text, opens string, ends func(indent int, line string) bool) {
	before, text, _ := strings.Cut(text, opens)
	start, indent := strings.Count(before, "\n"), len(before)-1-strings.LastIndexByte(before, '\n')
	first, body, _ := strings.Cut(text, "\n")
	if first = strings.TrimSpace(first); strings.HasPrefix(first, "{") {
		text, _, _ = strings.Cut(text, "}")
		for _, m := range flowing.FindAllStringSubmatchIndex(text, -1) {
			p.moved(unquoted(text[m[2]:m[3]]), unquoted(text[m[4]:m[5]]), 1+start+strings.Count(text[:m[0]], "\n"))
		}
		return
	} else if first != "" && first[0] != '#' {
		p.doubt(Rule{Line: 1 + start}, "the map is not read: "+first)
		return
	}
	ended := false
	lines(body, func(n int, line string) {
		ended = ended || ends(len(line)-len(strings.TrimLeft(line, " \t"))-indent, line)
		if m := mapped.FindStringSubmatch(line); m != nil && !ended {
			p.moved(unquoted(m[1]), unquoted(m[2]), 1+start+n)
		} else if !ended {
			p.wrong(1+start+n, "no entry such as \"old.md\": \"new.md\": "+strings.TrimSpace(line))
		}
	})
}

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
	jsOpen   = regexp.MustCompile(`(?:redirects|rewrites|results)["']?\s*:\s*\[[ \t]*\n?`)
	jsString = regexp.MustCompile(jsText)
	jsObject = regexp.MustCompile(`\{(?:` + jsText + `|[^{}"']|\{(?:` + jsText + `|[^{}"'])*\})*\}`)
	jsField  = regexp.MustCompile(`["']?\b(\w+)["']?\s*:\s*(\[[^\]]*\]|` + jsText + `|\w+)`)
	jsRemark = regexp.MustCompile(`(?m)(^|[\s,])//.*$`)
)

// objects calls f with the fields of each object in the lists of a file of JSON or JavaScript. It runs no program.
func objects(text string, f func(line int, served bool, of map[string][]string)) {
	lists := append(jsOpen.FindAllStringIndex(text, -1), []int{len(text), len(text)})
	if len(lists) == 1 { // the list is the file
		lists = [][]int{{0, 0}, lists[0]}
	}
	for i, list := range lists[1:] {
		start := lists[i][1]
		for _, at := range jsObject.FindAllStringIndex(text[start:list[0]], -1) {
			of := map[string][]string{}
			for _, m := range jsField.FindAllStringSubmatch(text[start+at[0]:start+at[1]], -1) {
				if of[m[1]] = jsString.FindAllString(m[2], -1); of[m[1]] == nil {
					of[m[1]] = []string{m[2]}
				}
			}
			f(1+strings.Count(text[:start+at[0]], "\n"), strings.HasPrefix(text[lists[i][0]:], "rewrites"), of)
		}
	}
}

// docusaurus reads the objects with from and to of the list of redirects.
func (p *parser) docusaurus(text string) {
	objects(jsRemark.ReplaceAllString(text, "$1"), func(line int, _ bool, of map[string][]string) {
		if len(of["to"]) != 1 || len(of["from"]) == 0 || !strings.ContainsAny(of["to"][0][:1], `"'`) || !strings.ContainsAny(of["from"][0][:1], `"'`) {
			p.wrong(line, "the redirect has no from and to that are strings")
			return
		}
		for _, from := range of["from"] {
			to := strings.ReplaceAll(unquoted(of["to"][0]), "%", "%25")
			p.add(Rule{From: p.within(encoded(unquoted(from))), To: p.within(to), Line: line})
		}
	})
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

// readthedocs reads every object with a from_url.
func (p *parser) readthedocs(text string) {
	objects(text, func(line int, _ bool, of map[string][]string) {
		value := func(name string) string { return unquoted(append(of[name], "")[0]) }
		from, to, kind := value("from_url"), value("to_url"), value("type")
		switch {
		case from == "":
			return
		case kind == "page":
			from, to = p.within(from), p.within(to)
		case kind != "exact":
			p.wrong(line, "a redirect of the type "+quoted(kind)+" is not for certain URLs")
			return
		}
		p.splat(Rule{From: from, To: to, Line: line, Weak: value("force") != "true"}, nil)
	})
}
