package harmless

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCell(t *testing.T) {
	for in, want := range map[string]string{
		"a\x1b[31mb\x00c\x7fd": "a [31mb c d", "a\u009b1mb": "a 1mb", "a\u202eb\u2066c\u2069d\u200ee\u061cf": "a b c d e f",
		"a\nb": "a b", "a\r\n b": "a   b", "a\u2028b\u2029c": "a b c", "a\U000e0041b\u200bc\ufeffd\u2060e": "abcde", "a\xffb": "a b",
		"می\u200cخواهم": "می\u200cخواهم",
	} {
		if got := Cell(in); got != want {
			t.Errorf("Cell(%q) = %q, want %q", in, got, want)
		}
	}
	marks := strings.Repeat("\u0301", 200)
	if got, want := Cell("a"+marks+"b\u0302"), "a"+marks[:2*mostMarks]+"b\u0302"; got != want {
		t.Errorf("Cell leaves %d bytes of a letter with many marks, want %d", len(got), len(want))
	}
	if got := Line(" a\r\n\tb  c\n"); got != "a b c" {
		t.Errorf("%q", got)
	}
}

// TestJSON checks that JSON keeps the value and leaves no such character unescaped.
func TestJSON(t *testing.T) {
	for r := rune(0); r <= 0x10ffff; r++ {
		if r >= 0xd800 && r < 0xe000 {
			continue
		}
		in := "a" + string(r) + "b"
		b, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		b = JSON(b)
		var back string
		if err := json.Unmarshal(b, &back); err != nil || back != in {
			t.Fatalf("%U: %q, %v", r, b, err)
		}
		if s := string(b); r != 0xfffd && Cell(s) != s {
			t.Fatalf("%U: %q", r, b)
		}
	}
}

func TestFormula(t *testing.T) {
	for in, want := range map[string]string{
		"=1": "'=1", "+1": "'+1", "-1": "'-1", "@A": "'@A", "\t=1": "'\t=1", "\r=1": "'\r=1", "\t =1": "'\t =1", "＝1": "'＝1",
		"a=1": "a=1", "": "", "'=1": "'=1", "https://a.example/": "https://a.example/",
	} {
		if got := Formula(in); got != want {
			t.Errorf("Formula(%q) = %q, want %q", in, got, want)
		}
	}
}
