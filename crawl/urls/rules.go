package urls

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// RulesVersion is the version of the list of rules. Canonical URLs are the ids of pages, so every change of a rule's
// effect needs a new version. Runs of different versions cannot be compared by id.
//
// History: 1 (first); 2 (http stays for addresses of this machine); 3 (ref stays unless its value is a source of visitors;
// session ids are dropped; on code hosts only the repository is lower-case; utm_zone and the like stay).
const RulesVersion = 3

// MaxURL is the maximum length of a canonical URL in bytes.
const MaxURL = 2048

// Rule is one step of the conversion of a URL to its canonical form.
type Rule struct {
	Name  string
	What  string // a one-line description for users
	apply func(p *parts)
	tail  bool // works on the end of the path; apply repeats the tail rules until none changes anything
}

// ruleList holds the rules in the order of their application. Other steps cannot be switched off: white space and
// control characters are removed or encoded, and the host is percent-decoded and converted to lower case and to
// punycode.
var ruleList = [...]Rule{
	{"scheme", "http becomes https, except for addresses of this machine (127.0.0.1, [::1])", useHTTPS, false},
	{"userinfo", "user:password@ is dropped", func(p *parts) { p.user = "" }, false},
	{"dot", "the dot after the host is dropped", trimDot, false},
	{"www", "www. before the host is dropped", trimWWW, false},
	{"port", "the default port of either scheme is dropped", dropPort, false},
	{"fragment", "# and what follows is dropped", func(p *parts) { p.fragment = "" }, false},
	{"percent", "percent escapes are upper-case, and decoded where they need not be", normalisePercent, false},
	{"session", "session ids are dropped (;jsessionid, PHPSESSID, sid of 32 hex digits, ..)", dropSession, false},
	{"dots", "the path segments . and .. are resolved", resolveDots, false},
	{"slashes", "repeated slashes in the path become one", collapseSlashes, false},
	{"codehost", "on code hosts the name of the repository is lower-case and without .git", trimCodeHost, true},
	{"index", "index.html and default.html (and .htm, .php, ..) are dropped", trimIndex, true},
	{"slash", "slashes at the end of the path are dropped", func(p *parts) { p.path = strings.TrimRight(p.path, "/") }, true},
	{"ref", "ref is dropped if its value is a host, a word such as newsletter, or empty", dropRef, false},
	{"tracking", "parameters that follow visitors (utm_*, fbclid, ..) are dropped", dropTracking, false},
	{"query", "empty parameters and an empty query are dropped", dropEmpty, false},
}

// Rules is a set of rules for canonical URLs. The zero value has all rules switched on.
type Rules struct{ off uint32 } // bit i: ruleList[i] is switched off

// DefaultRules returns the rules with all of them switched on.
func DefaultRules() *Rules { return &Rules{} }

// ParseRules returns the rules that the switches describe: "-www" switches a rule off, "www" or "+www" on again.
func ParseRules(switches ...string) (*Rules, error) {
	r := DefaultRules()
	for _, s := range switches {
		name := strings.TrimLeft(s, "+-")
		i := ruleIndex(name)
		if i < 0 {
			return nil, fmt.Errorf("no URL rule %q; there are %s", name, strings.Join(ruleNames(), ", "))
		}
		if strings.HasPrefix(s, "-") {
			r.off |= 1 << i
		} else {
			r.off &^= 1 << i
		}
	}
	return r, nil
}

// AllRules lists the rules in the order of their application.
func AllRules() []Rule { return append([]Rule(nil), ruleList[:]...) }

func ruleIndex(name string) int {
	return slices.IndexFunc(ruleList[:], func(r Rule) bool { return r.Name == name })
}

func ruleNames() []string {
	names := make([]string, len(ruleList))
	for i := range ruleList {
		names[i] = ruleList[i].Name
	}
	return names
}

// apply runs the rules that are on. Every rule only shortens or normalizes, so running the whole list a second time
// changes nothing: canonical forms are fixed points.
func (r *Rules) apply(p *parts) { r.applyEach(p, nil) }

// applyEach is apply. It calls changed, unless that is nil, after each rule that changed the URL, with the form before.
func (r *Rules) applyEach(p *parts, changed func(rule int, before *parts)) {
	for i := range ruleList {
		r.applyOne(i, p, changed)
	}
	for before := -1; before != len(p.path); {
		before = len(p.path)
		for i := range ruleList {
			if ruleList[i].tail {
				r.applyOne(i, p, changed)
			}
		}
	}
}

func (r *Rules) applyOne(i int, p *parts, changed func(rule int, before *parts)) {
	if r.off>>i&1 == 1 {
		return
	}
	if changed == nil {
		ruleList[i].apply(p)
		return
	}
	before := *p
	ruleList[i].apply(p)
	if *p != before {
		changed(i, &before)
	}
}

func trimDot(p *parts) {
	p.host = strings.TrimRight(p.host, ".")
}

// trimWWW removes www., except from www.com, where it is the name itself.
func trimWWW(p *parts) { p.host = withoutWWW(p.host) }

func withoutWWW(host string) string {
	for {
		rest, ok := strings.CutPrefix(host, "www.")
		if !ok || !strings.Contains(strings.TrimRight(rest, "."), ".") {
			return host
		}
		host = rest
	}
}

// useHTTPS changes the scheme unless the host is a loopback address, where servers for development answer to http only.
func useHTTPS(p *parts) {
	if !strings.HasPrefix(p.host, "127.") && p.host != "[::1]" {
		p.scheme = "https"
	}
}

// dropPort drops both default ports, because after the scheme rule http and https are the same.
func dropPort(p *parts) {
	if p.port == "443" && p.scheme == "https" || p.port == "80" {
		p.port = ""
	}
}

func trimIndex(p *parts) {
	i := strings.LastIndexByte(p.path, '/')
	if i >= 0 && isIndexName(p.path[i+1:]) {
		p.path = p.path[:i+1]
	}
}

// isIndexName is on the fast path: for most names, the length or the first letter decides.
func isIndexName(name string) bool {
	if len(name) < len("index.htm") || len(name) > len("default.shtml") || name[0]|0x20 != 'i' && name[0]|0x20 != 'd' {
		return false
	}
	switch strings.ToLower(name) {
	case "index.html", "index.htm", "index.php", "index.shtml", "index.xhtml",
		"default.html", "default.htm", "default.php", "default.asp", "default.aspx":
		return true
	}
	return false
}

// Trace tells which rules changed a URL, so that it can be said why two URLs have one canonical form. The zero value is
// that of a name that is not a URL.
type Trace struct {
	Given   uint32 // hash of the URL without the effect of any rule
	Changes uint64 // for each rule three bits, which hash what it changed; 0 for nothing
}

const traceBits = 3

var _ [64/traceBits - len(ruleList)]struct{} // every rule has its bits

// Trace returns the trace of a URL, given its canonical form, or of a name that is no URL and its own canonical form.
func (r *Rules) Trace(raw, canonical string) Trace {
	if untouched(raw, canonical) {
		return Trace{Given: max(1, uint32(xxh3.HashString(raw)))}
	}
	p, err := parse(clean(raw))
	if err != nil {
		return Trace{}
	}
	t := Trace{Given: max(1, uint32(xxh3.HashString(p.String())))}
	r.applyEach(&p, func(rule int, before *parts) {
		shift := traceBits * rule
		old := t.Changes >> shift & (1<<traceBits - 1)
		t.Changes ^= (old ^ (1 + (old+before.hashOther(&p))%(1<<traceBits-1))) << shift
	})
	return t
}

// untouched reports whether a URL is its own canonical form and shows that no rule changed it: none drops the slash after
// the host from a URL with a path. A name with a fragment may be that of a capture.
func untouched(raw, canonical string) bool {
	front, _, _ := strings.Cut(raw, "?")
	scheme, rest, _ := strings.Cut(front, "://")
	return raw == canonical && (scheme == "https" || scheme == "http") && strings.IndexByte(rest, '/') > 0 && strings.IndexByte(raw, '#') < 0
}

// hashOther returns the hash of the components in which p differs from q.
func (p *parts) hashOther(q *parts) (h uint64) {
	for i, s := range [...][2]string{{p.scheme, q.scheme}, {p.user, q.user}, {p.host, q.host}, {p.port, q.port}, {p.path, q.path},
		{p.query, q.query}, {p.fragment, q.fragment}} {
		if s[0] != s[1] {
			h += xxh3.HashStringSeed(s[0], uint64(i))
		}
	}
	return h
}

// suspects are all rules, first those that most easily make one page of different ones.
var suspects = [len(ruleList)]string{"ref", "session", "tracking", "codehost", "fragment", "index", "slash", "query", "slashes", "dots",
	"percent", "userinfo",
	"www", "port", "dot", "scheme"}

// JoinedBy returns the rule that gives two different URLs the same canonical form: of several, the first of suspects. It
// returns "" if there is none.
func (t Trace) JoinedBy(u Trace) string {
	if t.Given == u.Given {
		return ""
	}
	differ, either := t.Changes^u.Changes, t.Changes|u.Changes
	for _, changes := range [...]uint64{differ, either} {
		for _, name := range suspects {
			if changes>>(traceBits*ruleIndex(name))&(1<<traceBits-1) != 0 {
				return name
			}
		}
	}
	return ""
}
