package label

import (
	"strings"
	"testing"
)

// A phrase of Japanese is widened to whole runs of katakana.
func TestWholeRuns(t *testing.T) {
	for _, c := range []struct{ text, cut, want string }{
		{"このピボットテーブルを", "ピボットテ", "ピボットテーブル"},
		{"外部データソースの作成", "ータソ", "データソース"},
		{"文書ドキュメントを", "書ドキュメ", "文書ドキュメント"},
		{"表計算ドキュメント", "算ド", "表計算ドキュメント"},
		{"印刷範囲の編集", "刷範", "刷範"},
		{"plain text editor", "text", "text"},
		{"数据透视表", "据透", "据透"},
		{"テ", "テ", "テ"},
	} {
		at := int32(strings.Index(c.text, c.cut))
		from, to := wholeRuns([]byte(c.text), at, at+int32(len(c.cut)))
		if got := c.text[from:to]; got != c.want {
			t.Errorf("%s of %s: %s, want %s", c.cut, c.text, got, c.want)
		}
	}
}
