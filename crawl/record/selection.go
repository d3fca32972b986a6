package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lshclust/lshclust/internal/ascii"
)

// Selection describes the wanted captures. The zero value selects all pages: any time, status 200, HTML.
type Selection struct {
	From, To time.Time // fetch time, From included and To excluded; a capture without a time is always wanted
	Status   []int     // HTTP status; empty means only 200
	Mime     []string  // media types; empty means all that can be read
}

// ParseSelection parses a selection. Times are in RFC 3339 format or a prefix of it, or have up to 14 digits. The
// selection includes the whole period that to names: "2020" includes the last second of that year. An empty status or
// mime selects the default.
func ParseSelection(from, to string, status, mime []string) (s Selection, err error) {
	if from != "" {
		if s.From = parseTime(from); s.From.IsZero() {
			return s, fmt.Errorf("%q is not a time such as 2020, 2020-05-17 or 20200517120000", from)
		}
	}
	if to != "" {
		if s.To = parseTime(to); s.To.IsZero() {
			return s, fmt.Errorf("%q is not a time such as 2020, 2020-05-17 or 20200517120000", to)
		}
		digits := strings.NewReplacer("-", "", ":", "", "T", "", "Z", "", " ", "").Replace(to)
		if !strings.HasPrefix(digits, s.To.Format("2006")) { // not a date but seconds since 1970
			digits = ""
		}
		s.To = endOf(s.To, len(digits))
	}
	for _, code := range status {
		n, err := strconv.Atoi(strings.TrimSpace(code))
		if err != nil || n < 100 || n > 599 {
			return s, fmt.Errorf("%q is no HTTP status", code)
		}
		s.Status = append(s.Status, n)
	}
	for _, m := range mime {
		s.Mime = append(s.Mime, MediaType(m))
	}
	return s, nil
}

// endOf returns the end of the year, month, day, hour, minute or second that a time of this number of digits names.
func endOf(t time.Time, digits int) time.Time {
	switch digits {
	case 4:
		return t.AddDate(1, 0, 0)
	case 6:
		return t.AddDate(0, 1, 0)
	case 8:
		return t.AddDate(0, 0, 1)
	case 10:
		return t.Add(time.Hour)
	case 12:
		return t.Add(time.Minute)
	}
	return t.Add(time.Second)
}

// WantsTime reports whether a capture of this time is wanted.
func (s *Selection) WantsTime(t time.Time) bool {
	return t.IsZero() || (s.From.IsZero() || !t.Before(s.From)) && (s.To.IsZero() || t.Before(s.To))
}

// WantsStatus reports whether an HTTP status is wanted. The unknown status, 0, always is.
func (s *Selection) WantsStatus(status int) bool {
	if status == 0 || len(s.Status) == 0 {
		return status == 0 || status == 200
	}
	return slices.Contains(s.Status, status)
}

// WantsMime reports whether a media type is wanted. An empty media type always is.
func (s *Selection) WantsMime(kind string) bool {
	return kind == "" || len(s.Mime) == 0 || slices.Contains(s.Mime, kind)
}

// MediaType returns a content type without its parameters and in lower case. It accepts what some servers write around
// it, such as quotes or a colon. It returns "" for what names no type: a word alone and, as the MIME sniffing standard has
// it, */*, unknown/unknown and application/unknown.
func MediaType(contentType string) string {
	s := strings.TrimLeft(contentType, " \t\"'")
	n := 0
	for n < len(s) && (s[n] > ' ' && s[n] < 0x7f && !strings.ContainsRune("\"'(),:;<=>?@[\\]{}", rune(s[n]))) {
		n++
	}
	kind, sub, _ := strings.Cut(ascii.Lower(s[:n]), "/")
	if kind == "" || sub == "" || strings.Contains(sub, "/") || kind == "*" || sub == "unknown" && (kind == sub || kind == "application") {
		return ""
	}
	return kind + "/" + sub
}

// IsHTML reports whether a media type is one of HTML.
func IsHTML(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "application/xhtml+xml" || mediaType == "application/vnd.wap.xhtml+xml"
}

// otherTypes are media types of what is certainly not HTML, or begins of them.
var otherTypes = []string{"image/", "audio/", "video/", "font/", "text/css", "text/csv", "text/xml", "multipart/", "application/pdf",
	"application/xml", "application/zip", "application/gzip", "application/font", "application/vnd.", "application/ogg", "application/wasm"}

// MayBeHTML reports whether a body of a media type other than HTML may be HTML all the same.
func MayBeHTML(mediaType string) bool {
	return !strings.Contains(mediaType, "script") && !strings.Contains(mediaType, "json") && !strings.HasSuffix(mediaType, "+xml") &&
		!slices.ContainsFunc(otherTypes, func(s string) bool { return strings.HasPrefix(mediaType, s) })
}
