package rules

import (
	"cmp"
	"errors"
	"regexp"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
)

// Problem is a line of a file that cannot be read, or a rule that depends on more than the URL.
type Problem struct {
	Line int
	Why  string
}

// Read reads the rules of a file in a format, in the order in which a server tries them. It leaves out internal
// rewrites and what is no redirect. name is the path of the file below the folder of the site.
func Read(text []byte, name, file string, site Site) ([]Rule, []Problem, error) {
	f, err := formatOf(name)
	if err != nil {
		return nil, nil, err
	}
	p := &parser{Site: site, file: file}
	f.read(p, strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n"))
	return p.rules, p.unread, nil
}

type parser struct {
	Site
	file   string
	rules  []Rule
	unread []Problem
}

func (p *parser) wrong(line int, why string) { p.unread = append(p.unread, Problem{line, why}) }

// lines calls f with each line that is neither empty nor a comment.
func lines(text string, f func(n int, line string)) {
	n := 0
	for line := range strings.Lines(text) {
		if n++; strings.TrimSpace(line) != "" && strings.TrimSpace(line)[0] != '#' {
			f(n, strings.TrimRight(line, "\n"))
		}
	}
}

// absolute returns the URL that a reference in a file of rules stands for.
func (p *parser) absolute(ref string) string {
	switch {
	case strings.Contains(ref, "://"):
		return ref
	case strings.HasPrefix(ref, "//"):
		return "https:" + ref
	case strings.HasPrefix(ref, "/"):
		return originOf(p.Base) + ref
	}
	return p.Base + "/" + ref
}

// encoded encodes what would end the path of a URL; Canonical encodes the rest.
func encoded(path string) string {
	return strings.NewReplacer("%", "%25", "?", "%3F", "#", "%23", `\`, "%5C").Replace(path)
}

// doc returns the URL of the page that a generator makes of a source file.
func (p *parser) doc(file string) string {
	if strings.Contains(file, "://") {
		return file
	}
	file, fragment, found := strings.Cut(strings.Trim(file, "/"), "#")
	for _, suffix := range []string{".md", ".markdown", ".rst", ".txt", ".ipynb"} {
		file = strings.TrimSuffix(file, suffix)
	}
	file = encoded(file)
	switch {
	case file == "index" || file == "README":
		file = ""
	case strings.HasSuffix(file, "/index") || strings.HasSuffix(file, "/README"):
		file = file[:strings.LastIndexByte(file, '/')+1]
	case p.HTML:
		file += ".html"
	default:
		file += "/"
	}
	if found {
		file += "#" + fragment
	}
	return p.Base + "/" + file
}

// add adds a rule. Its URLs may lack the host. It leaves out a rule from one form of a URL to another.
func (p *parser) add(r Rule) {
	from, to := p.absolute(r.From), ""
	var err error
	if r.From, err = p.Canonical(from); err != nil {
		p.wrong(r.Line, from+": "+err.Error())
		return
	}
	if !r.Gone {
		to = p.absolute(r.To)
		if r.To, err = p.target(to); err != nil {
			p.wrong(r.Line, to+": "+err.Error())
			return
		}
	}
	if r.From != r.To || from == to {
		p.rules = append(p.rules, r)
	}
}

// target returns the canonical form of a URL, with its fragment.
func (s *Site) target(url string) (string, error) {
	to, err := s.Canonical(url)
	if _, fragment, ok := strings.Cut(url, "#"); ok && fragment != "" {
		to += "#" + fragment
	}
	return to, err
}

// What may follow a literal path in a pattern: the folder itself and all below it, and other forms of one URL.
var (
	belowFolder = regexp.MustCompile(`(?:\(\?:/\(\.\*\)\)\?|/\(\.[*+]\))\$$`)
	otherForms  = strings.NewReplacer(index, "", index[2:], "")
	wholeHost   = `(?:www\.)?`
)

// match adds a rule whose pattern is a regular expression for the decoded path, or if raw is set for the path as it was
// sent, with its query; before it may stand a host. $1 in the target of the rule stands for a group. If the pattern is
// that of a URL or of a folder, the rule is like those that Compress returns.
func (p *parser) match(r Rule, pattern string, raw bool) {
	body, anchored := strings.CutPrefix(pattern, "^")
	body, host := strings.CutPrefix(body, wholeHost)
	folder := belowFolder.FindString(body)
	rest, hasRest := strings.CutSuffix(r.To, "$1")
	r.Prefix = folder != "" && hasRest && strings.HasSuffix(rest, "/")
	if r.Prefix {
		body, r.To = strings.TrimSuffix(body, folder), strings.TrimSuffix(rest, "/")
	} else {
		body = otherForms.Replace(body)
		trimmed, ends := strings.CutSuffix(body, "$")
		body, anchored = strings.TrimSuffix(trimmed, "/?"), anchored && ends
	}
	literal, err := regexp.Compile(body)
	if err != nil {
		p.wrong(r.Line, err.Error())
		return
	}
	if path, all := literal.LiteralPrefix(); anchored && (all || body == "") && (r.Prefix || !strings.Contains(r.To, "$1")) {
		origin := originOf(p.Base)
		if host || !strings.HasPrefix(path, "/") && path != "" && path[0] != '?' {
			name, rest, _ := strings.Cut(path, "/")
			origin, path = "https://"+name, "/"+rest
		}
		if !raw {
			path = encoded(path)
		}
		r.To = strings.ReplaceAll(r.To, "${0}", path)
		r.From = origin + path
		p.add(r)
		return
	}
	if r.pattern, err = regexp.Compile(pattern); err != nil {
		p.wrong(r.Line, err.Error())
		return
	}
	if r.From = pattern; !r.Gone {
		r.To = p.absolute(r.To)
	}
	p.rules = append(p.rules, r)
}

// Answer returns where a rule sends a canonical URL.
func (s *Site) Answer(r *Rule, url string) (to string, ok bool) {
	plain, _, _ := strings.Cut(url, "?")
	switch {
	case r.past != "" && (url == r.past || strings.HasPrefix(url, strings.TrimSuffix(r.past, "/")+"/")):
		return "", false
	case r.pattern != nil:
		origin := originOf(url)
		if origin != originOf(s.Base) {
			return "", false
		}
		path := cmp.Or(decoded(plain[len(origin):]), "/")
		for _, form := range []string{path, strings.TrimSuffix(path, "/") + "/", url[len(origin):]} {
			if at := r.pattern.FindStringSubmatchIndex(form); at != nil {
				end := string(r.pattern.ExpandString(nil, r.To, form, at))
				to, err := s.target(end)
				if errors.Is(err, urls.ErrTooLong) {
					return end, true
				}
				return to, err == nil || r.Gone
			}
		}
		return "", false
	case url == r.From, plain == r.From:
		return r.To, true
	case r.Prefix && strings.HasPrefix(url, r.From) && url[len(r.From)] == '/':
		return r.To + url[len(r.From):], true
	}
	return "", false
}

// redirects maps the status of a rule to whether it is a redirect.
func redirects(status string) (yes, gone bool) {
	switch status {
	case "301", "302", "303", "307", "308", "permanent", "temp", "seeother", "redirect":
		return true, false
	case "410", "gone":
		return true, true
	}
	return false, false
}
