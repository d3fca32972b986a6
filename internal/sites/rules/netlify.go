package rules

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/lshclust/lshclust/internal/ascii"
)

func (w *writer) netlify(r Rule) {
	from, to := w.plain(r), w.target(r)
	path, query, _ := strings.Cut(from, "?")
	status := "301"
	if !r.Weak { // which other hosts do not know
		status = "301!"
	}
	switch {
	case strings.Contains(path, "*") || strings.Contains(path, "/:") || strings.Contains(query, "=:"): // it would capture other pages
		w.left++
	case r.Prefix:
		fmt.Fprintf(w, "%s/* %s:splat %s\n", strings.TrimSuffix(from, "/"), to, status)
	case query != "":
		fmt.Fprintf(w, "%s %s %s %s\n", path, strings.ReplaceAll(query, "&", " "), to, status)
	default:
		fmt.Fprintf(w, "%s %s %s\n", from, to, status)
	}
}

// netlifyTarget matches a word that is a target, and not a parameter of the URL or a condition.
var netlifyTarget = expression(`^(/|https?://)`)

// onCloudflare matches the lines that Cloudflare reads. It leaves out those that toIndex matches, too: it removes index.html
// from the target, so that the rule would lead to itself.
var (
	onCloudflare = expression(`^/\S*\s+(?:\S+(?:\s+30[12378])?|/\S*\s+200)$`)
	toIndex      = expression(`^/(?:\S*/)?\*?\s+/(?:\S*/)?index(?:\.html)?(?:\s|$)`)
)

// placeholder matches a part of a path of Vercel or Firebase that stands for others, or what stands for itself.
var placeholder = expression(`/:(\w+)(?:\(((?:[^()]|\([^()]*\))*)\))?([*+?]?)|\((?:[^()]|\([^()]*\))*\)|/?\*\*|\*|\\.|[^(/*\\]+|.`)

// pathPattern returns the pattern of a path of Vercel or Firebase, and the names of its placeholders in their order.
func pathPattern(path string) (pattern string, names []string) {
	pattern = placeholder().ReplaceAllStringFunc(path, func(part string) string {
		m := placeholder().FindStringSubmatch(part)
		if m[1] != "" {
			names = append(names, m[1])
		}
		group := fmt.Sprintf("(?P<v%d>%s)", len(names)-1, cmp.Or(m[2], map[string]string{"*": ".*", "?": ".*", "+": ".+"}[m[3]], "[^/]+"))
		switch {
		case m[1] != "" && (m[3] == "*" || m[3] == "?"):
			return "(?:/" + group + ")?"
		case m[1] != "":
			return "/" + group
		case part[0] == '(' && len(part) > 1:
			return part
		case part == "/**":
			return "(?:/.*)?"
		case part == "**":
			return ".*"
		case part == "*":
			return "[^/]*"
		}
		return regexp.QuoteMeta(ascii.Unescaped(strings.TrimPrefix(part, `\`)))
	})
	return pattern, names
}

// segments returns the pattern of a path of Netlify or Read the Docs: a segment that begins with a colon stands for any, and
// so does a star at the end of one for all that follows.
func segments(path string, names []string) (pattern string, all []string) {
	for seg := range strings.SplitSeq(path, "/") {
		group := fmt.Sprintf("(?P<v%d>", len(names))
		before, star := strings.CutSuffix(seg, "*")
		switch name, colon := strings.CutPrefix(seg, ":"); {
		case colon && name != "":
			pattern, names = pattern+"/"+group+"[^/]+)", append(names, name)
		case seg == "*":
			pattern, names = pattern+"(?:/"+group+".*))?", append(names, "splat")
		case star:
			pattern, names = pattern+"/"+regexp.QuoteMeta(ascii.Unescaped(before))+group+".*)", append(names, "splat")
		default:
			pattern += "/" + regexp.QuoteMeta(ascii.Unescaped(seg))
		}
	}
	return strings.TrimPrefix(pattern, "/"), names
}

// named returns a target with the placeholders of some names as variables: the first of a name counts, and longer names first.
func named(to string, names []string) string {
	byLength := slices.SortedStableFunc(slices.Values(names), func(a, b string) int { return len(b) - len(a) })
	for _, name := range byLength {
		to = strings.ReplaceAll(to, ":"+name, fmt.Sprintf("${v%d}", slices.Index(names, name)))
	}
	return to
}

// netlify reads lines of _redirects: a path, parameters, a target, a status and conditions; or the table redirects of
// netlify.toml.
func (p *parser) netlify(text string) {
	if strings.Contains(text, "[[redirects]]") {
		text = p.netlifyTOML(text)
	}
	lines(text, func(n int, line string) {
		line, _, _ = strings.Cut(line, " #")
		words := strings.Fields(line)
		to := 1
		for to < len(words) && !netlifyTarget().MatchString(words[to]) {
			to++
		}
		plain := strings.TrimSpace(line)
		if p.before && (!onCloudflare().MatchString(plain) || toIndex().MatchString(plain)) {
			p.wrong(n, "Cloudflare leaves the line out: "+line)
			return
		}
		if to == len(words) || !netlifyTarget().MatchString(words[0]) {
			p.wrong(n, "the line has no path and target: "+line)
			return
		}
		r, rest := Rule{From: words[0], To: words[to], Line: n}, slices.Concat(words[to+1:], []string{"301"})
		status, forced := strings.CutSuffix(rest[0], "!")
		r.Weak = !forced && !p.before
		if !r.status(status) && !r.Serves {
			r.To = ""
		}
		if strings.HasPrefix(r.To, "/.netlify/") { // a program answers
			r.Serves, r.To = true, ""
		}
		if len(rest) > 2 {
			r.Unsure = "it depends on more than the URL: " + strings.Join(rest[1:len(rest)-1], " ")
		}
		p.splat(r, words[1:to])
	})
}

// netlifyTOML returns the lines of _redirects that say what netlify.toml does, each in its place.
func (p *parser) netlifyTOML(text string) string {
	var file struct {
		Redirects []struct {
			From, To          string
			Status            int
			Force             bool
			Query, Conditions map[string]any
		}
	}
	if _, err := toml.Decode(text, &file); err != nil {
		p.wrong(1, err.Error())
	}
	out := make([]string, strings.Count(text, "\n")+1)
	at := regexp.MustCompile(`(?m)^\s*\[\[redirects\]\]`).FindAllStringIndex(text, -1)
	for i, t := range file.Redirects[:min(len(at), len(file.Redirects))] {
		words := []string{t.From}
		for name, value := range t.Query {
			words = append(words, fmt.Sprintf("%s=%v", name, value))
		}
		slices.Sort(words[1:])
		words = append(words, cmp.Or(t.To, t.From), fmt.Sprint(cmp.Or(t.Status, 301)))
		if t.Force {
			words[len(words)-1] += "!"
		}
		if len(t.Conditions) > 0 {
			words = append(words, fmt.Sprint(t.Conditions))
		}
		out[strings.Count(text[:at[i][1]], "\n")] = strings.Join(words, " ")
	}
	return strings.Join(out, "\n")
}

// splat adds a rule that may have * in its path, which is :splat in its target, or placeholders, also in parameters that
// the URL must have. Servers that know :splat do not apply such a rule where the part of its target before :splat leads.
func (p *parser) splat(r Rule, query []string) {
	origin := ""
	if strings.Contains(r.From, "://") {
		origin = originOf(r.From)
	}
	folder, all := strings.CutSuffix(r.From, "/*")
	into, _, carries := strings.Cut(r.To, ":splat")
	if all && carries && below(p.absolute(into), p.absolute(folder)) {
		r.past, _ = p.Canonical(p.absolute(into)) // if it is no URL, the rule is not read either
	}
	if strings.Contains(r.From, "#") {
		p.add(r)
		return
	}
	pattern, names := segments(cmp.Or(strings.TrimPrefix(r.From, origin), "/"), nil)
	if to, ok := strings.CutSuffix(r.To, "/:splat"); ok && all && len(names) == 1 { // as plainly knows it
		pattern, r.To = strings.TrimSuffix(pattern, "(?:/(?P<v0>.*))?")+everything, to+"/${1}"
	} else if pattern != "/" {
		pattern = strings.TrimSuffix(pattern, "/") + "/?"
	}
	var conds []cond
	if _, host, ok := strings.Cut(origin, "://"); ok {
		conds = append(conds, cond{of: ofHost, pattern: "^" + regexp.QuoteMeta(strings.TrimPrefix(host, "www.")) + "$"})
	}
	conds = append(conds, cond{pattern: "^" + pattern + "$"})
	for _, q := range query {
		name, value, _ := strings.Cut(q, "=")
		if value, names = segments(value, names); strings.HasPrefix(value, "(") {
			value = strings.Replace(value, "[^/]+", "[^&]*", 1)
		}
		conds = append(conds, cond{of: ofQuery, pattern: "(?:^|&)" + regexp.QuoteMeta(name) + "=" + value + "(?:&|$)"})
	}
	r.To = named(r.To, names)
	p.when(r, conds...)
}
