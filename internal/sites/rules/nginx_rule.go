package rules

import (
	"os"
	"regexp"
	"slices"
	"strings"
)

// variable matches a variable in a target. $is_args$args adds the query, as rules do.
var variable = regexp.MustCompile(`\$is_args\$(?:args|query_string)|\?\$(?:args|query_string)$|\$\{?\w+\}?`)

// rule adds the rule of a directive in a scope, or a rule for each row of the map that it asks.
func (n *nginxReader) rule(r Rule, s scope, text string) {
	unknown := s.unknown
	r.To = variable.ReplaceAllStringFunc(r.To, func(v string) string {
		name := strings.Trim(v, "${}")
		of := subjects["$"+name]
		switch value, set := n.sets["$"+name]; {
		case strings.HasPrefix(v, "$is_args"), v[0] == '?', name == "args", name == "query_string":
			return "" // rules keep the query
		case name == "scheme":
			return "https"
		case name[0] >= '0' && name[0] <= '9':
			return "${" + name + "}"
		case of != nil:
			return "${" + []string{"uri", "request_uri", "args", "host"}[*of] + "}"
		case n.maps["$"+name] != nil:
			s.rows = "$" + name
			return "$" + name
		case set && !strings.Contains(value, "$"):
			return value
		case slices.ContainsFunc(s.conds, func(c cond) bool { return strings.Contains(c.pattern, "<"+name+">") }):
			return "${" + name + "}"
		}
		unknown = v
		return v
	})
	switch m := n.maps[s.rows]; {
	case r.Unsure == changes:
		n.doubt(r, s.conds, r.Unsure)
	case unknown != "":
		n.doubt(r, s.conds, text+" depends on more than the URL: "+unknown)
	case m == nil:
		n.when(r, s.conds)
	case subjects[m.words[1]] == nil:
		n.doubt(r, s.conds, text+" depends on more than the URL: map "+m.words[1])
	default:
		n.used[s.rows] = true
		class := func(d directive) int {
			if len(d.words) != 2 {
				return 0 // no row
			}
			return strings.Count(d.words[0][:min(1, len(d.words[0]))], "~") + 2*strings.Count(d.words[0], "default")
		}
		for _, d := range slices.SortedStableFunc(slices.Values(m.block), func(a, b directive) int { return class(a) - class(b) }) {
			if in := r; len(d.words) == 2 {
				in.Line, in.To = d.line, strings.ReplaceAll(r.To, s.rows, d.words[1])
				n.row(in, s, *subjects[m.words[1]], d.words)
			}
		}
	}
}

// row adds a rule for a row of a map.
func (n *nginxReader) row(r Rule, s scope, of part, words []string) {
	pattern, isPattern := strings.CutPrefix(words[0], "~")
	switch fold, ok := strings.CutPrefix(pattern, "*"); {
	case words[0] == "include":
		n.doubt(r, s.conds, "the file is not read: include "+words[1])
		return
	case words[1] == "" || words[1] == "0":
		return
	case words[0] == "default":
		n.when(r, s.conds)
		return
	case ok && isPattern:
		pattern = "(?i)" + fold
	case !isPattern:
		pattern = "^" + regexp.QuoteMeta(strings.TrimPrefix(words[0], `\`)) + "$"
	}
	r.To = os.Expand(r.To, func(name string) string { return "${" + name + "}" })
	n.when(r, s.and(cond{part: of, pattern: pattern}).conds)
}
