package dedup_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/dedup"
)

// TestAgainst plants items of evaluation sets in every format in records: whole, cut, reworded and too short.
func TestAgainst(t *testing.T) {
	r := newTexts(5)
	dir := t.TempDir()
	question, answer := r.text(20), r.text(9)
	phrase := r.text(14) // that all items have
	var other []string
	for range 12 {
		other = append(other, fmt.Sprintf(`{"question":"%s"}`, strings.Join(append(slices.Clone(phrase), r.text(3)...), " ")))
	}
	q, a := strings.Join(question, " "), strings.Join(answer, " ")
	plant := func(words ...string) string {
		return fmt.Sprintf(`{"id":"x","text":"%s %s %s"}`, strings.Join(r.text(30), " "), strings.Join(words, " "), strings.Join(r.text(30), " "))
	}
	lines := []string{
		plant(question...), plant(question[3:16]...), plant(question[3:15]...), plant(answer...), plant(answer[1:]...),
		plant(slices.Concat(question[:8], r.text(1), question[9:])...), plant(phrase...), plant(strings.ToUpper(strings.Join(question[:8], ", ")), "—", strings.Join(question[8:], "; ")),
	}
	want := "1:1:20:true 2:1:13:false 4:1:9:true 8:1:20:true"
	for name, set := range map[string]string{
		"set.jsonl": fmt.Sprintf("{\"task_id\":\"q/1\",\"question\":\"%s\",\"choices\":{\"a\":[\"%s\"]}}\n%s\n{\"question\":\"too short\"}\n", q, a, strings.Join(other, "\n")),
		"set.json":  fmt.Sprintf("[{\"task_id\":\"q/1\",\"question\":\"%s\",\"choices\":[\"%s\"]},%s,{\"q\":\"too short\"}]", q, a, strings.Join(other, ",")),
		"set.csv":   fmt.Sprintf("id,question,answer\nq/1,\"%s\",%s\n%s\n2,too,short\n", q, a, strings.Repeat("7,"+strings.Join(phrase, " ")+" x,\n", 12)),
	} {
		t.Run(name, func(t *testing.T) {
			sets := shards(t, filepath.Join(dir, name+".d"), map[string]string{name: set})
			paths := shards(t, filepath.Join(dir, name+".in"), map[string]string{"a.jsonl": join(lines)})
			out, report := run(t, dedup.Options{Against: sets}, paths...)
			var got []string
			for l := range strings.Lines(read(t, out)[dedup.AgainstName]) {
				var x dedup.Leak
				must(t, json.Unmarshal([]byte(l), &x))
				got = append(got, fmt.Sprintf("%d:%d:%d:%v", x.Record, x.Item, x.Words, x.Whole))
				if x.ItemID != "q/1" || len(strings.Fields(strings.ReplaceAll(x.Passage, "—", ""))) != x.Words || !strings.Contains(strings.ToLower(lines[x.Record-1]), strings.ToLower(x.Passage)) {
					t.Errorf("%+v", x)
				}
			}
			if s := report.Against[0]; strings.Join(got, " ") != want || s.Items != 14 || s.Short != 1 || s.Found != 1 || s.Records != 4 || report.Total.Removed != 0 {
				t.Errorf("%v, %+v", got, s)
			}
			out, report = run(t, dedup.Options{Against: sets, Remove: true}, paths...)
			if n := report.Relations["leaks an item"]; n != 4 || report.Total.Removed != 4 || strings.Count(read(t, out)["a.jsonl"], "\n") != 4 {
				t.Errorf("%d removed, %+v", n, report.Total)
			}
		})
	}
}
