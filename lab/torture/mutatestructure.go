package torture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// The second mutator knows the formats. It writes what a careless or hostile program might write: it changes one
// record, or how records are compressed. All other records must be read.

// structural makes a mutant by changing structure.
func structural(r *rand.Rand, s specimen) mutant {
	m := mutant{specimen: s}
	if s.packing == inItsOwn {
		m.data, m.how = spoilContainer(r, s.kind, s.file())
		return m
	}
	if s.packing == eachRecord && s.pack != nil && r.IntN(4) == 0 {
		return repacked(r, m)
	}
	i := r.IntN(len(s.records))
	s.records = slices.Clone(s.records)
	var how []string
	text := string(s.records[i].data)
	for range 1 + r.IntN(2) {
		var did string
		text, did = restructure(r, s.kind, text)
		how = append(how, did)
	}
	s.records[i].data = []byte(text)
	m.data, m.how, m.sound = s.file(), fmt.Sprintf("record %d: %s", i, strings.Join(how, ", ")), s.others(i)
	return m
}

// restructure changes one record according to its format.
func restructure(r *rand.Rand, kind, text string) (string, string) {
	switch {
	case kind == "html":
		return spoilHTML(r, text), "HTML"
	case strings.HasPrefix(kind, "jsonl"):
		return spoilJSON(r, strings.TrimSuffix(text, "\n")) + "\n", "JSON"
	case kind == "csv":
		return spoilCSV(r, strings.TrimSuffix(text, "\n")) + "\n", "CSV"
	case strings.HasPrefix(kind, "arc"):
		return spoilARC(r, text), "ARC"
	}
	return spoilWARC(r, text)
}

// numbers are typical wrong lengths.
var numbers = []string{"0", "1", "-1", "7", "99", "5000", "65536", "2147483647", "2147483648", "4294967295", "9223372036854775807", "9223372036854775808",
	"99999999999999999999", "1e3", "0x10", "", " ", "x", "12 34", "+5", "٣"}

var hostileURLs = []string{"", " ", "http://", "https://", "://x", "urn:x", "javascript:alert(1)", "http://[::1", "http://[::1]/", "http://x y/", "http://\x00/", "http://a\r\nb/", "//x", "/", "http://xn--a/",
	"http://münchen.example/ä?ö#ü", "http://a.example:99999/", "http://a.example:-1/", "http://user:pass@a.example/", "http://a.example/%zz%", "http://a.example/..//../x", "data:text/html,x", "http://\u202e.example/",
	"file:///etc/passwd", "http://" + strings.Repeat("a.", 200) + "example/", "http://a.example/" + strings.Repeat("a/", 3000), "<http://a.example/x>", "http://a.example/\x1b[31m"}

var hostileTimes = []string{"", "0000-00-00T00:00:00Z", "9999-99-99T99:99:99Z", "99999-01-01T00:00:00Z", "-1", "2020", "2020-02-30T00:00:00Z", "20200101", "2020-01-01T00:00:00+99:99", "１２３４-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "2262-04-12T00:00:00Z"}

var contentLength = regexp.MustCompile(`(?m)^Content-Length: \d+`)

// spoilWARC changes a record of a WARC file. If it changes the block, it updates its length.
func spoilWARC(r *rand.Rand, text string) (string, string) {
	head, block, _ := strings.Cut(text, "\r\n\r\n")
	block = strings.TrimSuffix(block, "\r\n\r\n")
	lines := strings.Split(head, "\r\n")
	at := r.IntN(len(lines))
	field, _, _ := strings.Cut(lines[at], ":")
	measured, how := true, "length"
	switch r.IntN(14) {
	case 0:
		measured = false
		head = contentLength.ReplaceAllString(head, "Content-Length: "+pick(r, numbers...))
		lines = strings.Split(head, "\r\n")
	case 1:
		lines[0], how = pick(r, "WARC/0.17", "WARC/2.0", "WARC/1.0\x1b[31m", "WARC/", "WARC/1.0 ", "warc/1.0", "WARC/"+strings.Repeat("9", 4000), ""), "version"
	case 2:
		lines, how = slices.Delete(lines, at, at+1), "a field left out"
	case 3:
		lines, how = append(lines, lines[at]), "a field twice"
	case 4:
		lines[at], how = field+": "+pick(r, hostileURLs...), "URL as a field"
	case 5:
		lines[at], how = field+": "+pick(r, hostileTimes...), "time as a field"
	case 6:
		lines[at], how = field, "a field without colon"
	case 7:
		lines[at], how = field+": "+strings.Repeat(pick(r, "x", "\xff", "\t", ";"), 1<<r.IntN(18)), "a long field"
	case 8:
		lines = append(lines, pick(r, "WARC-Type: revisit", "WARC-Type: request", "WARC-Segment-Number: 2", "WARC-Truncated: length", "WARC-Refers-To-Target-URI: "+pick(r, hostileURLs...), "WARC-Profile: x",
			"Content-Type: application/json", "Content-Type: text/plain; charset=utf-16", " folded line", "WARC-Identified-Payload-Type: image/png"))
		how = "another field"
	case 9:
		lines = strings.Split(strings.Replace(strings.Join(lines, "\n"), "WARC-Type: response", "WARC-Type: "+pick(r, "revisit", "resource", "conversion", "metadata", "request", "continuation", "nonsense", ""), 1), "\n")
		how = "type"
	case 10:
		return strings.ReplaceAll(head, "\r\n", pick(r, "\n", "\r", "\r\n ", "\n\r")) + pick(r, "\n\n", "\r\n\r\n", "\n") + block + pick(r, "", "\n", "\r\n", "\r\n\r\n\r\n\r\n"), "ends of lines"
	case 11:
		block, how = "", "no block"
	default:
		block, how = spoilHTTP(r, block)
	}
	head = strings.Join(lines, "\r\n")
	if measured {
		head = contentLength.ReplaceAllString(head, fmt.Sprint("Content-Length: ", len(block)))
	}
	return head + "\r\n\r\n" + block + "\r\n\r\n", how
}

// spoilHTTP changes an HTTP response.
func spoilHTTP(r *rand.Rand, block string) (string, string) {
	head, body, ok := strings.Cut(block, "\r\n\r\n")
	if !ok || !strings.HasPrefix(block, "HTTP/") {
		if strings.HasPrefix(block, "{") {
			return spoilJSON(r, block), "JSON"
		}
		return spoilHTML(r, block), "text"
	}
	switch r.IntN(10) {
	case 0:
		_, rest, _ := strings.Cut(head, "\r\n")
		return pick(r, "HTTP/1.1 999 x", "HTTP/1.1", "HTTP/9.9 200", "HTTP/1.1 -200 OK", "HTTP/1.1 301 Moved\r\nLocation: "+pick(r, hostileURLs...), "ICY 200 OK", "", "HTTP/1.1 2000000000000 OK", "HTTP/1.1 304 x") +
			"\r\n" + rest + "\r\n\r\n" + body, "status"
	case 1:
		return head + "\r\nContent-Encoding: " + pick(r, "gzip", "br", "deflate", "zstd", "gzip, gzip, gzip, gzip, br", "identity", "x-unknown", "", strings.Repeat("gzip,", 1000)) + "\r\n\r\n" + body, "encoding"
	case 2:
		return head + "\r\nTransfer-Encoding: chunked\r\n\r\n" + pick(r, "ffffffffffffffff", "-1", "0", "zz", "7fffffffffffffff", "5;ext="+strings.Repeat("x", 9999), "", "10\r") + "\r\n" + body, "chunks"
	case 3:
		return head + "\r\nContent-Type: text/html; charset=" + pick(r, "utf-16", "utf-16be", "utf-7", "shift_jis", "gb18030", "iso-2022-jp", "x-user-defined", "replacement", "nonsense", "\"utf-8", "", "big5", "utf-32", "hz-gb-2312") + "\r\n\r\n" + body, "charset"
	case 4:
		return head + "\r\nContent-Type: " + pick(r, "application/pdf", "text/plain", "multipart/mixed; boundary=x", "text/html;;;;", "TEXT/HTML", "image/svg+xml", ";", strings.Repeat("text/html,", 500)) + "\r\n\r\n" + body, "media type"
	case 5:
		return head + "\r\nContent-Length: " + pick(r, numbers...) + "\r\n\r\n" + body, "length of the body"
	case 6:
		return head + body, "no empty line"
	case 7:
		return head + strings.Repeat("\r\nX-Y: z", 1<<r.IntN(14)) + "\r\n\r\n" + body, "many fields"
	}
	if strings.Contains(head, "chunked") || strings.Contains(head, "gzip") {
		p, how := change(r, []byte(body), []byte(block))
		return head + "\r\n\r\n" + string(p.data), "in the body, " + how
	}
	return head + "\r\n\r\n" + spoilHTML(r, body), "HTML"
}

var markup = []string{"<!--", "-->", "<script>", "</script>", "<style>", "<title>", "<textarea>", "<plaintext>", "<xmp>", "<noscript>", "<template>", "<svg>", "<math>", "<![CDATA[", "]]>", "<!doctype", "<?xml", "<", "</", "<a href=", `<a href="`,
	"<a href='x'", "<base href=", "<base href=//x/>", `<meta http-equiv=refresh content="0;url=`, "<meta charset=utf-16>", `<meta charset="nonsense">`, `<link rel=canonical href=" ">`, "<frameset>", "<iframe srcdoc='", "<select>", "<table>", "</table>", "<form>", "<li>", "<h1>",
	"</h7>", "&", "&#x110000;", "&#0;", "&#xD800;", "&lt", "&notanentity;", "&#99999999999;", "\x00", "\xff\xfe", "\xef\xbb\xbf", "\u202e", "\x1b[31m", "\xed\xa0\x80", "\u0301\u0301\u0301", "<html lang='\x00'>", "<area href=x>", "<a rel=nofollow,ugc href=x>", `<meta name=robots content="noindex`}

// spoilHTML adds or removes markup.
func spoilHTML(r *rand.Rand, html string) string {
	at := r.IntN(len(html) + 1)
	switch r.IntN(8) {
	case 0:
		return html[:at] + strings.Repeat(pick(r, "<div>", "<b>", "<a href=x>", "<table><tr><td>", "<ul><li>", "<svg><g>", "<!--", "</p>", "<font>", "<h1>", "<template>"), 1<<r.IntN(14)) + html[at:]
	case 1:
		return html[:at] + "<p" + strings.Repeat(pick(r, " a=b", " a", " href=x", ` "`, " a='", " =", "/"), 1<<r.IntN(14)) + html[at:]
	case 2:
		return html[:at] + `<a href="` + pick(r, hostileURLs...) + `">link</a>` + html[at:]
	case 3:
		return strings.NewReplacer("<", pick(r, "< ", "<<", "&lt;", "<\x00"), "\"", pick(r, "", "'", "\"\"")).Replace(html)
	case 4:
		return html[:at] + strings.Repeat(pick(r, "é", "\u00a0", "a\u0300", "漢", "\U0001F469\u200d", "\x85", "\u2028", "x"), 1<<r.IntN(16)) + html[at:]
	}
	for range 1 + r.IntN(4) {
		at := r.IntN(len(html) + 1)
		html = html[:at] + pick(r, markup...) + html[at:]
	}
	return html
}

// spoilJSON changes tokens of an object on one line.
func spoilJSON(r *rand.Rand, line string) string {
	tokens := regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+`).FindAllStringIndex(line, -1)
	if len(tokens) == 0 {
		return line + "{"
	}
	t := tokens[r.IntN(len(tokens))]
	before, token, after := line[:t[0]], line[t[0]:t[1]], line[t[1]:]
	switch r.IntN(9) {
	case 0:
		return before + after
	case 1:
		return before + token + token + after
	case 2:
		return before + pick(r, "null", "true", "1e999", "-0", "[]", "{}", `""`, "NaN", "'x'", "undefined", strings.Repeat("[", 20000), `{"a":`, "99999999999999999999999", `"\ud800"`, `"\u0000"`, `"\x"`, "\"\xff\"", "\"\x01\"", `"`) + after
	case 3:
		return before + `"url":"` + pick(r, "http://a.example/", "", "x") + `",` + token + after
	case 4:
		return pick(r, "\xef\xbb\xbf", " ", "\x00", "\xff\xfe", "[", ",", "\x1e") + line
	case 5:
		return line + pick(r, ",", "]", "}", line, " x", "\r", "\x00")
	case 6:
		return before + strings.Repeat(pick(r, `{"a":[`, "[", `"a",`, " "), 1<<r.IntN(12)) + token + after
	case 7:
		return before + strings.Trim(token, `"`) + after
	}
	return before + strings.ReplaceAll(token, "o", pick(r, `\u006f`, `\uD83D`, `\uDE00`, `\/`, "\\", "\u2028", "\x7f")) + after
}

// spoilCSV changes a row. It leaves no quote open, because an open quote swallows the rows that follow.
func spoilCSV(r *rand.Rand, row string) string {
	at := r.IntN(len(row) + 1)
	switch r.IntN(8) {
	case 0:
		return row + pick(r, ",", ",,,,,,,,", ",x", ";;;", "\t\t")
	case 1:
		return strings.Replace(row, ",", "", 1)
	case 2:
		return pick(r, hostileURLs[:8]...) + row
	case 3:
		return row + "\r"
	case 4:
		return row[:at] + pick(r, "\x00", "\xff", "\u202e", "\x1b[31m", "=1+1", "'") + row[at:]
	case 5:
		return row[:at] + strings.Repeat(pick(r, "x", " ", ",", ";"), 1<<r.IntN(16)) + row[at:]
	case 6:
		return strings.ReplaceAll(row, `"`, "")
	}
	return ""
}

// spoilARC changes a record of an ARC file.
func spoilARC(r *rand.Rand, text string) string {
	head, block, _ := strings.Cut(strings.TrimPrefix(text, "\n"), "\n")
	words := strings.Split(head, " ")
	at := r.IntN(len(words))
	switch r.IntN(6) {
	case 0:
		words[len(words)-1] = pick(r, numbers...)
	case 1:
		words = slices.Delete(words, at, at+1)
	case 2:
		words[at] = pick(r, hostileURLs...)
	case 3:
		words[at] = strings.Repeat("9", 1<<r.IntN(14))
	default:
		block, _ = spoilHTTP(r, block)
		words[len(words)-1] = fmt.Sprint(len(block))
	}
	return "\n" + strings.Join(words, " ") + "\n" + block
}

// repacked changes how records are compressed: members are joined, split or empty, have fields in their heads or wrong
// sums at their ends, or have something between them.
func repacked(r *rand.Rand, m mutant) mutant {
	s := &m.specimen
	parts := s.parts()
	i := r.IntN(len(s.records))
	plain := s.records[i].data
	m.sound = s.others(i)
	switch r.IntN(7) {
	case 0:
		cut := r.IntN(len(plain))
		parts[i+1], m.how = append(s.packed(plain[:cut]), s.pack(plain[cut:])...), "a record in two members"
		m.sound = s.others(-1)
	case 1:
		if i+1 < len(s.records) {
			parts[i+1], parts[i+2] = s.pack(slices.Concat(plain, s.records[i+1].data)), nil
		}
		m.how, m.sound = "two records in a member", s.others(-1)
	case 2:
		parts[i+1], m.how, m.sound = append(s.pack(nil), parts[i+1]...), "an empty member", s.others(-1)
	case 3:
		parts[i+1], m.how, m.sound = append(parts[i+1], make([]byte, 1+r.IntN(600))...), "zeros between members", s.others(-1)
	case 4:
		b := parts[i+1]
		at := len(b) - 1 - r.IntN(8)
		b[at] ^= 0xff
		m.how = "a lie at the end of a member"
	case 5:
		b := parts[i+1]
		b[min(len(b)-1, 3)] ^= 1 << r.IntN(8) // in gzip, the flags
		m.how = "flags of a member"
	default:
		if i == 0 { // if the first record is not compressed, the file has another format
			i, plain = 1, s.records[1].data
			m.sound = s.others(1)
		}
		parts[i+1], m.how = append(bytes.Repeat(plain, 20), parts[i+1]...), "not packed, 20 times"
	}
	m.data = bytes.Join(parts, nil)
	return m
}

// spoilContainer changes the directory of a zip archive or the footer of a Parquet file, which are at the end, or the
// head of something inside.
func spoilContainer(r *rand.Rand, kind string, file []byte) ([]byte, string) {
	from := len(file) - 22
	if kind == "parquet" {
		from = len(file) - 8 - int(binary.LittleEndian.Uint32(file[len(file)-8:]))
	} else if at := bytes.Index(file, []byte("PK\x01\x02")); at >= 0 {
		from = at
	}
	for range 1 + r.IntN(3) {
		at := from + r.IntN(len(file)-from)
		if r.IntN(4) == 0 { // the head of a page or file
			at = r.IntN(min(len(file), 64))
		}
		switch r.IntN(4) {
		case 0:
			file[at] = pick[byte](r, 0, 1, 0x7f, 0x80, 0xff, 0x15, 0x19, 0x1c)
		case 1:
			copy(file[at:], []byte{0xff, 0xff, 0xff, 0xff, 0x0f})
		case 2:
			file[at] ^= 1 << r.IntN(8)
		default:
			file = slices.Delete(file, at, min(len(file), at+1+r.IntN(3)))
		}
		from = min(from, len(file)-1)
	}
	return file, "directory"
}
