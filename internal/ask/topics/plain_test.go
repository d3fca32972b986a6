package topics

import (
	"fmt"
	"testing"

	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/topic/names"
)

// TestSearchPlain finds names and words written without their accents and points, and the exact ones first.
func TestSearchPlain(t *testing.T) {
	c := runtest.Preset(t, "web")
	c.MinDF, c.MaxDF = 1, 1
	var pages [][2]string
	for i, title := range []string{"Malmö", "Łódź", "محمد أحمد", "שָׁלוֹם", "Straßenbahn", "Ёлка", "Αθήνα", "東京タワー", "서울", "ไทย", "Việt", "Malmo"} {
		pages = append(pages, [2]string{fmt.Sprintf("https://a.example/%d", i), "<title>" + title + "</title><p>" + title + " words of a page that number " + fmt.Sprint(i)})
	}
	r := runtest.Opened(t, c, runtest.Lines(t, pages...))
	for asked, want := range map[string]int{
		"Malmö": 0, "Malmo": 11, "lodz": 1, "محمد احمد": 2, "مُحَمَّد أحمد": 2, "שלום": 3, "STRASSENBAHN": 4, "strassenbahn": 4, "елка": 5, "αθηνα": 6, "ΑΘΉΝΑ": 6,
		"東京ﾀﾜｰ": 7, "서울": 8, "ไทย": 9, "viet": 10, "Vie\u0323\u0302t": 10,
	} {
		w, err := ParseWords(r, asked)
		if err != nil {
			t.Errorf("%s: %v", asked, err)
			continue
		}
		got := Find(r, asked, w, 3)
		if len(got) == 0 || r.URL(got[0].ID) != fmt.Sprintf("https://a.example/%d", want) || got[0].Called != names.Whole {
			t.Errorf("%s: %+v", asked, got)
		}
	}
}
