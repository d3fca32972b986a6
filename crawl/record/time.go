package record

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lshclust/lshclust/internal/ascii"
)

// A time of a crawl lies between these years. Numbers and dates outside are something else, or are wrong.
const (
	firstYear = 1990
	lastYear  = 2099
	firstSure = 1995 // of a number of seconds
)

// ParseTime parses the time of a capture. It accepts every form with only one reading:
//   - dates with the year first, with or without a time of day and a zone, as in ISO 8601 and SQL;
//   - dates with the month by name, as in HTTP, mail and the tools of Unix;
//   - yyyymmddhhmmss, cut after any part, or with milliseconds;
//   - seconds, milliseconds, microseconds and nanoseconds since 1970.
//
// A time without a zone is in UTC. ParseTime returns the zero time for anything else, and for years outside 1990 to 2099.
func ParseTime(s string) time.Time {
	if t := parseTime(s); t.Year() >= firstYear && t.Year() <= lastYear {
		return t
	}
	return time.Time{}
}

// parseTime is ParseTime for times of any year.
func parseTime(s string) time.Time {
	if len(s) < 4 {
		return time.Time{}
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return t.UTC()
	}
	s = strings.TrimSpace(s)
	switch {
	case len(s) < 4 || len(s) > 80:
		return time.Time{}
	case ascii.IsDigits(s):
		return digitsTime(s)
	case s[1] == '.':
		return numberTime(s)
	case len(s) > 8 && ascii.IsDigits(s[:8]):
		if s[8] == 'T' || s[8] == 't' {
			s = strings.ToUpper(s)
			return cmp.Or(parsed("20060102T150405Z0700", s), parsed("20060102T150405", s))
		}
		return numberTime(s)
	case ascii.IsDigits(s[:4]):
		return yearFirst(s)
	}
	return monthByName(s)
}

// ParseTime parses the time of the page at url. If it cannot be read, ParseTime adds a note to the record.
func (r *Record) ParseTime(url, s string) time.Time {
	t := ParseTime(s)
	if t.IsZero() && s != "" && !isNoTime(s) {
		r.Notes = append(r.Notes, r.Skip(ReasonBadTime, url, fmt.Errorf("%q", Clip(s, 60))))
	}
	return t
}

// isNoTime reports whether s says that there is no time.
func isNoTime(s string) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "", "-", "0", "null", "none", "nan", "nat", "n/a", `\n`, "0001-01-01t00:00:00z", "1970-01-01t00:00:00z", "0000-00-00 00:00:00":
		return true
	}
	return false
}

// digitsTime reads digits as a date if they are one, and otherwise as a number of seconds or parts of seconds.
func digitsTime(s string) time.Time {
	const layout = "20060102150405"
	t := time.Time{}
	switch n := len(s); {
	case n == len(layout)+3:
		t = parsed(layout+".000", s[:len(layout)]+"."+s[len(layout):])
	case n <= len(layout) && n%2 == 0:
		t = parsed(layout[:n], s)
	}
	if t.Year() >= firstYear && t.Year() <= lastYear || len(s) < 9 {
		return t
	}
	return numberTime(s)
}

// numberTime reads a number of seconds since 1970, or of thousandths, millionths or billionths of them. The number of
// digits before the point tells which.
func numberTime(s string) time.Time {
	whole, part, _ := strings.Cut(s, ".")
	if strings.ContainsAny(s, "eE") {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || f < 0 || f >= 1<<63 {
			return time.Time{}
		}
		whole, part = strconv.FormatInt(int64(f), 10), ""
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || part != "" && !ascii.IsDigits(part) {
		return time.Time{}
	}
	t := time.Time{}
	switch len(whole) {
	case 9, 10:
		nanos, _ := strconv.ParseInt((part + "000000000")[:9], 10, 64)
		t = time.Unix(n, nanos)
	case 12, 13:
		t = time.UnixMilli(n)
	case 15, 16:
		t = time.UnixMicro(n)
	case 18, 19:
		t = time.Unix(0, n)
	}
	if t = t.UTC(); t.Year() < firstSure || t.Year() > lastYear {
		return time.Time{}
	}
	return t
}

// yearFirst reads a date such as 2024-05-01, 2024/5/1 or 2024-05, and perhaps a time of day and a zone behind it.
func yearFirst(s string) time.Time {
	sep := s[4:5]
	if sep != "-" && sep != "/" && sep != "." {
		return time.Time{}
	}
	date, clock := s, ""
	if i := strings.IndexAny(s, "Tt _"); i >= 0 {
		date, clock = s[:i], strings.TrimSpace(s[i+1:])
	}
	parts := strings.Split(date, sep)
	if len(parts) == 2 && clock == "" && sep != "." {
		parts = append(parts, "1")
	}
	if len(parts) != 3 {
		return time.Time{}
	}
	month, day := number(parts[1], 12), number(parts[2], 31)
	t := time.Date(number(parts[0], 9999), time.Month(month), day, 0, 0, 0, 0, time.UTC)
	since, ok := clockTime(clock)
	if !ok || month < 1 || day < 1 || t.Day() != day {
		return time.Time{}
	}
	return t.Add(since)
}

// number parses a number of one or two digits, or of four, up to most. It returns -1 for anything else.
func number(s string, most int) int {
	n, err := strconv.Atoi(s)
	if err != nil || !ascii.IsDigits(s) || n > most || len(s) > len(strconv.Itoa(most)) {
		return -1
	}
	return n
}

// clockTime returns the time from midnight in UTC to a time of day such as 10:00:00.5 +02:00. Hour 24 and second 60,
// which exist, belong to the next day and minute.
func clockTime(s string) (since time.Duration, ok bool) {
	if s == "" {
		return 0, true
	}
	s, _, _ = strings.Cut(s, "[") // Java adds the name of the zone
	i := strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && !strings.ContainsRune(":.,", r) })
	if i < 0 {
		i = len(s)
	}
	ahead, ok := zone(s[i:])
	clock, part, _ := strings.Cut(strings.Replace(s[:i], ",", ".", 1), ".")
	nanos, err := strconv.Atoi((part + "000000000")[:9])
	parts := append(strings.Split(clock, ":"), "0", "0")
	hour, minute, second := number(parts[0], 24), number(parts[1], 59), number(parts[2], 60)
	if !ok || err != nil || len(parts) > 5 || min(hour, minute, second, nanos) < 0 || hour == 24 && minute+second+nanos > 0 {
		return 0, false
	}
	since = time.Duration(hour*3600+minute*60+second)*time.Second + time.Duration(nanos)
	return since - ahead, true
}

// zones holds the names of zones that mail allows, with their hours ahead of UTC. Other names have several meanings.
var zones = map[string]int{"": 0, "Z": 0, "UTC": 0, "UT": 0, "GMT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6,
	"PST": -8, "PDT": -7}

// zone returns how far a zone is ahead of UTC.
func zone(s string) (ahead time.Duration, ok bool) {
	s = strings.ToUpper(strings.TrimSpace(s))
	if rest := strings.TrimPrefix(strings.TrimPrefix(s, "UTC"), "GMT"); rest != "" {
		s = rest
	}
	hours, ok := zones[s]
	if ok {
		return time.Duration(hours) * time.Hour, true
	}
	for _, layout := range []string{"Z07:00", "Z0700", "Z07"} {
		if t, err := time.Parse(layout, s); err == nil {
			_, offset := t.Zone()
			return time.Duration(offset) * time.Second, true
		}
	}
	return 0, false
}

// monthByName reads times such as "Wed, 01 May 2024 10:00:00 GMT", "Wed May  1 10:00:00 2024" and "May 1, 2024".
func monthByName(s string) time.Time {
	s, _, _ = strings.Cut(s, " (") // JavaScript adds the name of the zone
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' })
	if len(words) > 0 && isWeekday(words[0]) {
		words = words[1:]
	}
	date, clock, behind := []string{}, "", []string{}
	for _, w := range words {
		switch {
		case strings.Contains(w, ":") && clock == "":
			clock = w
		case clock != "" && len(date) == 3, clock != "" && !ascii.IsDigits(w):
			behind = append(behind, w)
		default:
			date = append(date, strings.Split(w, "-")...)
		}
	}
	since, ok := clockTime(strings.TrimSpace(clock + " " + strings.Join(behind, "")))
	if !ok || clock == "" && len(behind) > 0 {
		return time.Time{}
	}
	for _, layout := range []string{"2 Jan 2006", "2 January 2006", "Jan 2 2006", "January 2 2006", "2 Jan 06"} {
		if t := parsed(layout, strings.Join(date, " ")); !t.IsZero() {
			return t.Add(since)
		}
	}
	return time.Time{}
}

func isWeekday(s string) bool {
	for _, layout := range []string{"Mon", "Monday"} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

func parsed(layout, s string) time.Time {
	t, err := time.Parse(layout, s)
	if err != nil || t.Year() < 1 {
		return time.Time{}
	}
	return t.UTC()
}
