package table

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// TestParseLists compares the reading of rows of lists with encoding/json.
func TestParseLists(t *testing.T) {
	for _, line := range []string{
		`{"dest":"a","url":["x","y\\\"z\u00e9"],"text":["one",null],"source":["s","t"]}`,
		` { "url" : [ ] , "dest" : "a" , "source" : [ ], "text":null } `,
		`{"dest":"a","url":["x"],"text":["]","["],"source":["\\"],"more":{"url":[1,2,{"text":"}"}]}}`,
		`{"dest":"a","url":["x"],"url":["y"],"source":[]}`,
		`{"dest":"a","url":"x","source":[]}`, `{"dest":"a","url":[1],"source":[]}`, `{"dest":"a","url":[["x"]],"source":[]}`,
		`{"dest":"a","url":["x",],"source":[]}`, `{"dest":"a","url":["x"],}`, `{"dest":"a"`, `{}`, `[]`, `{"dest":"a","url":["x"]} {}`,
	} {
		var want struct {
			Dest              *string
			URL, Text, Source []string
		}
		bad := json.Unmarshal([]byte(line), &want) != nil
		var l Lists
		rec := &record.Record{Data: []byte(line), Opts: record.Options{}.WithDefaults()}
		err := l.open(rec)
		uneven := len(want.URL) != len(want.Text) || len(want.URL) != len(want.Source)
		if (err != nil) != (bad || uneven) {
			t.Errorf("%s: error %v, encoding/json bad %v", line, err, bad)
		}
		if is := !bad && want.Dest != nil && want.URL != nil && want.Source != nil; isLists([]byte(line)) != is && !bad {
			t.Errorf("%s: is lists %v", line, !is)
		}
		for i := 0; err == nil && i < len(want.URL); i++ {
			if _, ok := l.Next(); !ok {
				t.Fatalf("%s: %d links", line, i)
			}
		}
		row, _ := parseLists([]byte(line))
		for raw, want := range map[string][]string{string(row.url): want.URL, string(row.text): want.Text, string(row.source): want.Source} {
			values := &jsonList{raw: []byte(raw), room: new(payload.Room)}
			var got []string
			if n, err := values.count(); err == nil && !bad {
				for range n {
					got = append(got, string(values.Next()))
				}
				if strings.Join(got, "|") != strings.Join(want, "|") {
					t.Errorf("%s: %q, want %q", raw, got, want)
				}
			}
		}
	}
}
