package urls

import (
	"strings"

	"github.com/zeebo/xxh3"
)

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
var suspects = [len(ruleList)]string{"ref", "session", "tracking", "codehost", "fragment", "index", "slash", "query", "slashes", "dots", "percent", "userinfo",
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
