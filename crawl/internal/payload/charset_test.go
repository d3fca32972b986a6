package payload

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCharset(t *testing.T) {
	pad := strings.Repeat(" ", 2000)
	for _, c := range []struct{ name, in, contentType, want, charset string }{
		{"ASCII", "abc", "", "abc", "utf-8"},
		{"UTF-8", "ä", "text/html; charset=iso-8859-1", "ä", "utf-8"},
		{"BOM", "\xef\xbb\xbfabc\xff", "", "abc\uFFFD", "utf-8"},
		{"UTF-16LE", "\xff\xfea\x00\xe4\x00", "", "aä", "utf-16le"},
		{"UTF-16BE", "\xfe\xff\x00a\x00\xe4", "text/html; charset=utf-8", "aä", "utf-16be"},
		{"UTF-16 odd", "\xff\xfea\x00b", "", "a\uFFFD", "utf-16le"},
		{"header", "\xe4", "text/html; charset=ISO-8859-2", "ä", "iso-8859-2"},
		{"header before meta", "<meta charset=koi8-r>\xe4", "text/html;charset=iso-8859-2", "<meta charset=koi8-r>ä", "iso-8859-2"},
		{"header quoted", "\xc4", `text/html; charset="koi8-r"`, "д", "koi8-r"},
		{"header broken", "\xc4", `text/html; charset=koi8-r;;x`, "д", "koi8-r"},
		{"header empty", "\xe4", `text/html; charset=;;`, "ä", "windows-1252"},
		{"header unknown", "<meta charset='koi8-r'>\xc4", "text/html; charset=nonsense", "<meta charset='koi8-r'>д", "koi8-r"},
		{"meta", "<meta charset=koi8-r>\xc4", "", "<meta charset=koi8-r>д", "koi8-r"},
		{"meta http-equiv", `<META http-equiv=Content-Type content="text/html; CHARSET=koi8-r">` + "\xc4", "", `<META http-equiv=Content-Type content="text/html; CHARSET=koi8-r">д`, "koi8-r"},
		{"meta content only", `<meta content="text/html; charset=koi8-r">` + "\xe4", "", `<meta content="text/html; charset=koi8-r">ä`, "windows-1252"},
		{"meta late in the head", pad + "<meta charset=koi8-r>\xc4", "", pad + "<meta charset=koi8-r>д", "koi8-r"},
		{"meta in the body", pad + "<body><meta charset=koi8-r>\xe4", "", pad + "<body><meta charset=koi8-r>ä", "windows-1252"},
		{"meta in a late script", pad + "<script>'<meta charset=koi8-r>'</script>\xe4", "", pad + "<script>'<meta charset=koi8-r>'</script>ä", "windows-1252"},
		{"script before meta", "<script src=x charset=utf-8></script><link charset='utf-8'/><meta charset=koi8-r>\xc4", "", "<script src=x charset=utf-8></script><link charset='utf-8'/><meta charset=koi8-r>д", "koi8-r"},
		{"meta in an early script", "<script>'<meta charset=gbk>'</script><meta charset=koi8-r>\xc4", "", "<script>'<meta charset=gbk>'</script><meta charset=koi8-r>д", "koi8-r"},
		{"comment before meta", "<!-- <meta charset=utf-8> > --><meta name=description content='charset=utf-8'><meta charset=koi8-r>\xc4", "", "<!-- <meta charset=utf-8> > --><meta name=description content='charset=utf-8'><meta charset=koi8-r>д", "koi8-r"},
		{"meta before XML", "<?xml version='1.0' encoding='utf-8'?><meta charset=koi8-r>\xc4", "", "<?xml version='1.0' encoding='utf-8'?><meta charset=koi8-r>д", "koi8-r"},
		{"UTF-16LE of the header", "!\x04B\x04 \x00", "text/html; charset=utf-16le", "Ст ", "utf-16le"},
		{"UTF-16BE of zeros", "\x00<\x00p\x00>\x04B", "", "<p>т", "utf-16be"},
		{"header without a semicolon", "\xc4", "text/html charset = koi8-r", "д", "koi8-r"},
		{"ISO-2022-JP undeclared", "\x1b$B\x46\x7c\x1b(B", "", "日", "iso-2022-jp"},
		{"UTF-8 cut in a character", "süß тест\xd1", "", "süß тест\uFFFD", "utf-8"},
		{"UTF-8 denied", "<meta charset=utf-8>\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0", "", "<meta charset=utf-8>Привет, как дела", "windows-1251"},
		{"gbk of four bytes", "\x819\xee9\xd7\xd6", "text/html; charset=gbk", "㐀字", "gbk"},
		{"XML", `<?xml version="1.0" encoding="koi8-r"?>` + "\xc4", "", `<?xml version="1.0" encoding="koi8-r"?>д`, "koi8-r"},
		{"meta says UTF-16", "<meta charset=utf-16>\xe4", "", "<meta charset=utf-16>\uFFFD", "utf-8"},
		{"meta lies", "<meta charset=utf-8>\xe4", "", "<meta charset=utf-8>\uFFFD", "utf-8"},
		{"fallback", "\x80\xe4", "", "€ä", "windows-1252"},
		{"Shift JIS", "\x93\xfa\x96\x7b", "text/html; charset=shift_jis", "日本", "shift_jis"},
		{"Shift JIS lies", "\x93", "text/html; charset=shift_jis", "\uFFFD", "shift_jis"},
		{"ISO-2022-JP", "\x1b$B\x46\x7c\x1b(B", "text/html; charset=iso-2022-jp", "日", "iso-2022-jp"},
		{"gb18030", "\xc4\xe3", "text/html; charset=gb2312", "你", "gbk"},
	} {
		got, name, _ := ToUTF8([]byte(c.in), c.contentType)
		if string(got) != c.want || name != c.charset {
			t.Errorf("%s: %.60q in %s, want %.60q in %s", c.name, got, name, c.want, c.charset)
		}
	}
}

func FuzzCharset(f *testing.F) {
	f.Add([]byte("<meta charset=koi8-r>\xc4"), "text/html; charset=x")
	f.Add([]byte("\xff\xfea\x00"), "")
	f.Add([]byte("\x1b$B\x46\x7c\x80"), "text/html; charset=iso-2022-jp")
	f.Add([]byte("\x81\x30\x81"), "a; charset=gb18030")
	f.Fuzz(func(t *testing.T, in []byte, contentType string) {
		if out, name, _ := ToUTF8(in, contentType); !utf8.Valid(out) || name == "" || len(out) > 6*len(in)+8 {
			t.Fatalf("%q as %q: %q in %q", in, contentType, out, name)
		}
	})
}
