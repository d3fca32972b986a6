package table

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// unescape finds what the standard library finds.
func TestUnescape(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "é", "漢", `\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0041`, `\u0000`, `\u00e9`, `\ud83d`, `\ude00`, `\uD83D\uDE00`, `\uDE00`, "u0041", "xude00", "💡"})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "")
		var want string
		if err := json.Unmarshal([]byte(`"`+s+`"`), &want); err != nil {
			t.Fatal(err)
		}
		if got := string(unescape(nil, []byte(s))); got != want {
			t.Errorf("unescape(%q) = %q, want %q", s, got, want)
		}
	})
}
