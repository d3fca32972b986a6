package gold

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Marks are read as they were written, with any characters in the names.
func TestMarksRoundTrip(t *testing.T) {
	want := []Mark{
		{Query: "https://a.example", Neighbour: "https://b.example", Verdict: Good, Listed: []Listed{{Method: "anchors", Rank: 1}, {Method: "content", Rank: 3}}},
		{Query: "https://a.example", Neighbour: `tab	back\slash \t not a tab`, Verdict: Bad, Listed: []Listed{{Method: "anchors", Rank: 2}}},
		{Query: "line\nfeed\r", Neighbour: "x", Verdict: DontKnow, Listed: []Listed{{Method: "anchors", Rank: 10}}},
		{Query: "q", Neighbour: "n", Listed: []Listed{{Method: "resemblance", Rank: 1}}},
	}
	var b bytes.Buffer
	if err := WriteMarks(&b, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadMarks(fileOf(t, b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got.Marks); d != "" || len(got.Skipped) > 0 {
		t.Errorf("%s %v", d, got.Skipped)
	}
}

func fileOf(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "marks.tsv")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// Every kind of damaged row is counted, with its line.
func TestReadMarksSkips(t *testing.T) {
	m, err := ReadMarks(fileOf(t, "# query\tneighbour\tmark\tmethods\r\n"+
		"q\tn\tGOOD\ta:1\r\n"+ // spreadsheets
		"q\tn\tbad\ta:1\n"+
		"q\tm\tperhaps\ta:1\n"+
		"q\tm\tgood\n"+
		"\tm\tgood\ta:1\n"+
		"q\tm\tgood\ta\n"+
		"q\tm\tgood\ta:0\n"+
		"q\tm\tgood\t\n\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Marks) != 1 || m.Marks[0].Verdict != Good {
		t.Errorf("%+v", m.Marks)
	}
	var got []string
	for _, s := range m.Skipped {
		got = append(got, s.Reason)
		if s.Reason == BadVerdict && !strings.HasPrefix(s.Examples[0], "marks.tsv:4:") {
			t.Error(s.Examples)
		}
		if s.Reason == BadRow && s.Count != 5 {
			t.Errorf("%d bad rows", s.Count)
		}
	}
	if want := []string{Twice, BadVerdict, BadRow}; !slices.Equal(got, want) {
		t.Errorf("skipped %v, want %v", got, want)
	}
	for _, none := range []string{"", "# query\n", "no row\n"} {
		if _, err := ReadMarks(fileOf(t, none)); err == nil {
			t.Errorf("%q: no error", none)
		}
	}
}
