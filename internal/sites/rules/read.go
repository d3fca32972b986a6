package rules

import (
	"regexp"
	"strings"
)

// Problem is a line of a file that cannot be read, or a rule that depends on more than the URL or never applies.
type Problem struct {
	Line  int
	Why   string
	Never bool
}

// Read reads the rules of a file in a format, in the order in which a server tries them. Rules that are not
// [Rule.Certain] tell a [Checker] which URLs other lines may answer. name is the path of the file below the folder of the site.
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
	before bool // of _redirects: its rules come before pages
	rules  []Rule
	unread []Problem
}

func (p *parser) wrong(line int, why string) {
	if problem := (Problem{Line: line, Why: why}); len(p.unread) == 0 || p.unread[len(p.unread)-1] != problem {
		p.unread = append(p.unread, problem)
	}
}

// lines calls f with each line that is neither empty nor a comment.
func lines(text string, f func(n int, line string)) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		if strings.TrimSpace(line) != "" && strings.TrimSpace(line)[0] != '#' {
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
	if strings.Contains(from, "#") {
		p.unread = append(p.unread, Problem{r.Line, "it never applies, because no server is asked for a part of a page: " + from, true})
		return
	}
	if r.From, err = p.Canonical(from); err != nil {
		p.wrong(r.Line, from+": "+err.Error())
		return
	}
	if r.To != "" || !r.Gone && !r.Serves {
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

// status makes a rule what a status says: a redirect, a page, gone for good, or the end of all rules.
func (r *Rule) status(status string) (redirects bool) {
	switch status = strings.ToLower(status); {
	case regexp.MustCompile(`^(?:30[12378]|permanent|temp|seeother|r|redirect)$`).MatchString(status):
		return true
	case status == "410" || status == "gone" || status == "g":
		r.Gone = true
	case strings.HasPrefix(status, "2"):
		r.Serves = true
	default:
		r.stops = true
	}
	return false
}

// target returns the canonical form of a URL, with its fragment.
func (s *Site) target(url string) (string, error) {
	to, err := s.Canonical(url)
	if _, fragment, ok := strings.Cut(url, "#"); ok && fragment != "" {
		to += "#" + fragment
	}
	return to, err
}
