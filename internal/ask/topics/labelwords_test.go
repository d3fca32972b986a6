package topics

import (
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/topic/label"
)

// TestMayHave checks that mayHave rules out no label that contains the words.
func TestMayHave(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "web"), runtest.SamplePages(t, 200))
	clusters, err := Clusters(r)
	if err != nil {
		t.Fatal(err)
	}
	labels := []string{"C++ 3D printing, command-line", "user's guide", "x86_64 SQL/JSON e-mail", "abc123 123abc", "running, ran, dies dying lying"}
	for _, c := range clusters[:min(len(clusters), 60)] {
		labels = append(labels, label.Join(c.Label))
	}
	all := map[string][]string{}
	for _, l := range labels {
		all[l] = stems(l)
	}
	held, ruledOut := 0, 0
	for _, l := range labels {
		for _, other := range labels {
			for _, s := range all[other] {
				has := slices.Contains(all[l], s)
				may := mayHave(strings.ToLower(l), []string{s})
				if has && !may {
					t.Errorf("%q is ruled out for %q", s, l)
				}
				if has {
					held++
				} else if !may {
					ruledOut++
				}
			}
		}
	}
	if held < 100 || ruledOut < 100 {
		t.Errorf("%d held, %d ruled out", held, ruledOut)
	}
}
