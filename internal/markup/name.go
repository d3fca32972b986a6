package markup

// Name is the name of a tag in lower case, as a number made of its up to eight bytes, the first byte lowest. Longer
// names that matter are small numbers; all other longer names are 0.
type Name uint64

// longNames lists the longer names that matter. The Name of longNames[i] is i+1, which is less than any letter.
var longNames = [...]string{"plaintext", "blockquote", "figcaption", "foreignobject"}

// These are the elements whose content is always a single token.
var (
	plaintext = NameOf("plaintext") // has no end tag
	script    = NameOf("script")
	title     = NameOf("title")    // its text has character references
	textarea  = NameOf("textarea") // and so has this one
)

var rawElements = [...]Name{
	plaintext, script, title, textarea,
	NameOf("style"), NameOf("xmp"), NameOf("iframe"), NameOf("noembed"), NameOf("noframes"), NameOf("noscript"),
}

// hasRawContent reports whether an element is one of rawElements. Few other elements begin with the same letters.
func hasRawContent(n Name) bool {
	if c := byte(n); n > Name(len(longNames)) && (1<<(c-'a'))&rawInitials == 0 {
		return false
	}
	for _, r := range rawElements {
		if n == r {
			return true
		}
	}
	return false
}

const rawInitials = 1<<('s'-'a') | 1<<('t'-'a') | 1<<('x'-'a') | 1<<('i'-'a') | 1<<('n'-'a')

// NameOf returns the Name of an element.
func NameOf(element string) Name {
	n, _ := nameAt([]byte(element), 0)
	return n
}

// nameAt returns the name at page[i:] and where it ends.
func nameAt(page []byte, i int) (n Name, end int) {
	shift := 0
	for end = i; end < len(page) && class[page[end]]&endsName == 0; end++ {
		if shift < 64 {
			n |= Name(packed[page[end]]) << shift
			shift += 8
		}
	}
	if end-i > 8 {
		n = longName(page[i:end])
	}
	return n, end
}

func longName(name []byte) Name {
next:
	for i, l := range longNames {
		if len(l) != len(name) {
			continue
		}
		for j := range name {
			if lower[name[j]] != l[j] {
				continue next
			}
		}
		return Name(i + 1)
	}
	return 0
}

// packed is like lower, except for NUL, which would not be a byte of a Name. No name that matters has a byte 0xFF.
var packed = func() [256]byte {
	t := lower
	t[0] = 0xFF
	return t
}()

// Classes of bytes.
const (
	letter   = 1 << iota
	opens    // with a < before it, begins a token that is no start tag
	space    // white space inside tags
	endsName // ends the name of a tag
	endsKey  // ends the name of an attribute
)

var class = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c] |= letter
		t[c+'A'-'a'] |= letter
	}
	for _, c := range " \t\n\f\r" {
		t[c] |= space | endsName | endsKey
	}
	for _, c := range "/>" {
		t[c] |= endsName | endsKey
	}
	t['='] |= endsKey
	for _, c := range "/!?" {
		t[c] |= opens
	}
	return t
}()

// lower maps A to Z to lower case and all other bytes to themselves.
var lower = func() (t [256]byte) {
	for c := range t {
		t[c] = byte(c)
		if 'A' <= c && c <= 'Z' {
			t[c] += 'a' - 'A'
		}
	}
	return t
}()
