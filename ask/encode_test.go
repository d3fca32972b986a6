package ask

import (
	"errors"
	"strings"
	"testing"
	"time"
)

type model struct {
	Of    string `json:"of" row:"true"`
	Items []item `json:"items"`
	Total int    `json:"total"`
}

type item struct {
	URL    string     `json:"url"`
	Share  float64    `json:"share"`
	Words  []string   `json:"words"`
	Time   *time.Time `json:"time,omitempty"`
	Parts  []struct{} `json:"parts,omitempty"`
	Hidden string     `json:"-"`
}

// TestEncoder checks that every format has the rows of the models, the question in each row, and nothing that a
// terminal or a spreadsheet obeys.
func TestEncoder(t *testing.T) {
	at := time.Date(2024, 5, 17, 12, 0, 0, 0, time.UTC)
	models := []model{{"=a", []item{{URL: "u\x1b", Share: -0.5, Words: []string{"+x", "y"}, Time: &at}, {URL: "&"}}, 2}, {Of: "b"}}
	for _, c := range []struct {
		e    Encoding
		want string
	}{
		{Encoding{Format: CSV}, "of,url,share,words,time,parts\n=a,u ,-0.5,\"+x, y\",2024-05-17T12:00:00Z,\n=a,&,0,,,\n"},
		{Encoding{Format: TSV, Safe: true, NoHeader: true}, "'=a\tu \t-0.5\t'+x, y\t2024-05-17T12:00:00Z\t\n'=a\t&\t0\t\t\t\n"},
		{Encoding{Format: JSONL}, `{"of":"=a","url":"u\u001b","share":-0.5,"words":["+x","y"],"time":"2024-05-17T12:00:00Z"}` + "\n" + `{"of":"=a","url":"&","share":0,"words":null}` + "\n"},
		{Encoding{Format: JSON, Many: true}, "[\n  {\n    \"of\": \"=a\",\n    \"items\": ["},
	} {
		var b strings.Builder
		e := NewEncoder(&b, model{}, c.e)
		if err := errors.Join(e.Put(models[0]), e.Put(&models[1]), e.Close()); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); got != c.want && !(c.e.Format == JSON && strings.HasPrefix(got, c.want) && strings.HasSuffix(got, "\n  }\n]\n")) {
			t.Errorf("%+v:\n%q, want\n%q", c.e, got, c.want)
		}
	}
}

// TestEncoderOfNothing checks that output without models consists of the column names, or of an empty list.
func TestEncoderOfNothing(t *testing.T) {
	for format, want := range map[string]string{CSV: "of,url,share,words,time,parts\n", JSONL: "", JSON: "[]\n"} {
		var b strings.Builder
		if err := NewEncoder(&b, &model{}, Encoding{Format: format, Many: true}).Close(); err != nil || b.String() != want {
			t.Errorf("%s: %q, %v", format, b.String(), err)
		}
	}
}
