package rules

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/ascii"
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

// sources writes entries with an old source file and a target, which is a URL, because that does not tell the name of its
// source file.
func sources(entry string) func(w *writer, rules []Rule) {
	return func(w *writer, rules []Rule) {
		w.pages(rules, func(from string, r Rule) (string, bool) {
			return fmt.Sprintf(entry, quoted(from+".md"), quoted(w.target(r))), true
		})
	}
}

// jsText matches a string of JSON and JavaScript.
const jsText = `"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`

// unquoted returns the value of a word that may be quoted.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 1 && s[0] == '\'' {
		return s[1 : len(s)-1]
	}
	plain := s
	if json.Unmarshal([]byte(s), &plain) != nil {
		return s
	}
	return plain
}

// The start of a map of source files, and an entry, in a line or between braces.
var (
	mapOf  = expression(`(?m)^([ \t]*)(?:redirect_maps:|\[.*redirect_maps\])(.*)\n`)
	mapped = expression(`(` + jsText + `|[^\s{},:="'#][^\s{},=]*?)\s*[:=]\s+(` + jsText + `|[^\s{},"'#][^\s{},]*)`)
)

// entries reads the map of mkdocs-redirects, which ends where less is indented or where another table begins.
func (p *parser) entries(text string) {
	at := mapOf().FindStringSubmatchIndex(text + "\n")
	if at == nil {
		return
	}
	before, first, ended := strings.Count(text[:at[0]], "\n"), strings.TrimSpace(text[at[4]:at[5]]), false
	if first != "" && first[0] != '{' && first[0] != '#' {
		p.when(Rule{Line: 1 + before, Unsure: "the map is not read: " + first})
		return
	}
	lines(text[at[4]:], func(n int, line string) {
		entry := strings.TrimLeft(line, " \t")
		indented := text[at[3]] == '[' || len(line)-len(entry) > at[3]-at[2] || entry[0] == '}'
		list := mapped().FindAllStringSubmatch(line, -1)
		switch ended = ended || n > 1 && (entry[0] == '[' || !indented); {
		case ended:
			return
		case len(list) == 0 && n > 1 && strings.Trim(entry, "{}, ") != "":
			p.wrong(before+n, "no entry such as \"old.md\": \"new.md\": "+entry)
		}
		for _, m := range list {
			if from := unquoted(m[1]); strings.Contains(from, "#") {
				p.wrong(before+n, "redirects of a part of a page are not checked: "+from) // scripts redirect it; no rule does
			} else {
				p.add(Rule{From: p.doc(from), To: p.doc(unquoted(m[2])), Line: before + n})
			}
		}
	})
}

// rediraffe writes source files, of which it has the new ones only if they are pages of the site.
func (w *writer) rediraffe(rules []Rule) {
	w.pages(rules, func(from string, r Rule) (string, bool) {
		to, ok := w.page(r.To)
		return fmt.Sprintf("\"%s\" \"%s\"\n", from, to), ok && !strings.ContainsAny(from+to, "\"\n")
	})
}

// edge matches a line of the file of rediraffe.
var edge = expression(`^\s*("[^"]*"|'[^']*'|\S+)\s+("[^"]*"|'[^']*'|\S+)\s*$`)

func (p *parser) rediraffe(text string) {
	lines(text, func(n int, line string) {
		m := edge().FindStringSubmatch(line)
		if m == nil {
			p.wrong(n, "the line has not two paths: "+line)
			return
		}
		p.add(Rule{From: p.doc(strings.Trim(m[1], `"'`)), To: p.doc(strings.Trim(m[2], `"'`)), Line: n})
	})
	to := map[string]string{} // rediraffe follows its own rules
	for _, r := range p.rules {
		to[r.From] = r.To
	}
	for i := range maxHops * len(p.rules) {
		r := &p.rules[i%len(p.rules)]
		r.To = cmp.Or(to[r.To], r.To)
	}
}

// docusaurus writes paths below the base URL of the site. They are not encoded, because Docusaurus encodes them.
func (w *writer) docusaurus(r Rule) {
	from, ok := w.below(r.From)
	to, inside := w.below(w.formOf(r.To))
	if w.Base == "" && originOf(r.To) != originOf(r.From) || !inside {
		to = w.target(r)
	} else {
		to = "/" + to
	}
	path, query, _ := strings.Cut(to, "?")
	ok = ok && !strings.ContainsAny(ascii.Unescaped(from)+ascii.Unescaped(path), "?#") && !strings.Contains(query, "%")
	from, to = ascii.Unescaped(from), strings.Replace(to, path, ascii.Unescaped(path), 1)
	if ok {
		fmt.Fprintf(w, "  {from: %s, to: %s},\n", quoted("/"+from), quoted(to))
	} else {
		w.left++
	}
}

var (
	jsOpen   = expression(`(?:redirects|rewrites|results)["']?\s*:\s*\[[ \t]*\n?`)
	jsString = expression(jsText)
	jsObject = expression(`\{(?:` + jsText + `|[^{}"']|\{(?:` + jsText + `|[^{}"'])*\})*\}`)
	jsField  = expression(`["']?\b(\w+)["']?\s*:\s*(\[[^\]]*\]|` + jsText + `|\w+)`)
	jsMakes  = expression(`fromExtensions|toExtensions|createRedirects`)
	jsRemark = expression(`(?m)(^|[\s,])//.*$`)
)

// objects calls f with the fields of each object in the lists of a file of JSON or JavaScript. It runs no program.
func objects(text string, f func(line int, served bool, of map[string][]string)) {
	lists := append(jsOpen().FindAllStringIndex(text, -1), []int{len(text), len(text)})
	if len(lists) == 1 { // the list is the file
		lists = [][]int{{0, 0}, lists[0]}
	}
	for i, list := range lists[1:] {
		start := lists[i][1]
		for _, at := range jsObject().FindAllStringIndex(text[start:list[0]], -1) {
			of := map[string][]string{}
			for _, m := range jsField().FindAllStringSubmatch(text[start+at[0]:start+at[1]], -1) {
				if of[m[1]] = jsString().FindAllString(m[2], -1); of[m[1]] == nil {
					of[m[1]] = []string{m[2]}
				}
			}
			f(1+strings.Count(text[:start+at[0]], "\n"), strings.HasPrefix(text[lists[i][0]:], "rewrites"), of)
		}
	}
}

// docusaurus reads the objects with from and to of the list of redirects. It names what makes other redirects.
func (p *parser) docusaurus(text string) {
	text = jsRemark().ReplaceAllString(text, "$1")
	for _, at := range jsMakes().FindAllStringIndex(text, -1) {
		p.when(Rule{Line: 1 + strings.Count(text[:at[0]], "\n"), Unsure: "what redirects is not known: " + text[at[0]:at[1]]})
	}
	objects(text, func(line int, _ bool, of map[string][]string) {
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
	for _, r := range rules {
		from, _ := w.below(r.From)
		aliases[r.To] = append(aliases[r.To], "/"+from)
	}
	for _, p := range slices.Sorted(maps.Keys(aliases)) {
		list, _ := json.Marshal(aliases[p])
		fmt.Fprintf(w, "# %s\naliases: %s\n", safe.Replace(p), list)
	}
}

var (
	frontMatter = expression(`(?s)^(?:---|\+\+\+)\n.*?\n(?:---|\+\+\+)|^\{.*?\n\n|^.*`)
	aliasesOf   = expression(`(?m)^# (https?://.*)$|^[\s{]*(?:.*,)?[ \t]*"?(aliases|redirect_from)"?[ \t]*[:=][ \t]*(\[(?:` + jsText + `|[^\]"'])*\]|(?:\n[ \t]*- .*)+|.*)`)
	aliases     = expression(`#.*|` + jsText + `|[^\s,\[\]"'{}#-][^,\[\]\n#]*`)
	ownURL      = expression(`(?m)(?:^|[{,])\s*"?(url|permalink|slug)"?\s*[:=]\s*["']?([^"'\s,]+)`)
)

// hugo reads the aliases of the page that a comment names, as Write does, or of a page of Hugo or Jekyll by the path of its
// file, or by what its front matter says.
func (p *parser) hugo(text string) {
	text = frontMatter().FindString(text)
	page := p.doc(regexp.MustCompile(`^(?:.*?/)??content/|\b_(index\.)`).ReplaceAllString(p.file, "$1"))
	folder := page[:1+strings.LastIndexByte(strings.TrimSuffix(page, "/"), '/')]
	switch own := append(ownURL().FindStringSubmatch(text), "", "", "")[:3]; own[1] {
	case "slug":
		page = folder + own[2]
	case "url", "permalink":
		page, folder = p.within(own[2]), p.Base+"/"
	}
	for _, at := range aliasesOf().FindAllStringSubmatchIndex(text, -1) {
		if at[2] >= 0 {
			page = text[at[2]:at[3]]
			continue
		}
		for _, of := range aliases().FindAllStringIndex(text[at[6]:at[7]], -1) {
			from := unquoted(text[at[6]+of[0] : at[6]+of[1]])
			r := Rule{From: p.within(from), To: page, Line: 1 + strings.Count(text[:at[6]+of[0]], "\n")}
			if text[at[4]] == 'a' && !strings.HasPrefix(from, "/") && !strings.Contains(from, "://") { // Jekyll begins at the top
				r.From = folder + from
			}
			if !strings.HasPrefix(from, "#") {
				p.add(r)
			}
		}
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
		case kind == "" && from == "" || value("enabled") == "false":
			return
		case (kind == "page" || kind == "exact") && from == "":
			p.wrong(line, "the redirect has no from_url")
			return
		case kind == "page":
			from, to = p.within(from), p.within(to)
		case kind != "exact":
			p.when(Rule{Line: line, Unsure: "a redirect of the type " + quoted(kind) + " is not for certain URLs"})
			return
		}
		p.splat(Rule{From: from, To: to, Line: line, Weak: value("force") != "true"}, nil)
	})
}
