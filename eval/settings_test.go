package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/internal/fruit"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/urls"
)

// varied is variations of a configuration: two that weigh otherwise, with terms that the base drops, and two that read
// otherwise.
func varied(t testing.TB, base config.Config) []Variation {
	t.Helper()
	one := func(name string, change func(c *config.Config)) Variation {
		c := base
		change(&c)
		return Variation{Name: name, Changed: []Setting{}, Config: c}
	}
	return []Variation{
		one("window=2", func(c *config.Config) { c.Window = 2 }),
		one("weighting=nmdf;min-df=1", func(c *config.Config) { c.Weighting, c.MinDF = "nmdf", 1 }),
		one("preset=paper2002", func(c *config.Config) { *c = preset(t, "paper2002") }),
		one("max-df=0.02;bag-sum=30", func(c *config.Config) { c.MaxDF, c.Sum = 0.02, 30 }),
		one("window=2;tf=log", func(c *config.Config) { c.Window, c.TF = 2, "log" }),
	}
}

// asRuns compares every row with a whole run of its configuration and with the baseline that compares its bags exactly.
func asRuns(t *testing.T, input string, g *gold.Gold, half score.Half, vary []Variation, got *Ablation) {
	t.Helper()
	var first []float64
	for i, row := range got.Rows {
		if i > 0 && row.Name != vary[i-1].Name {
			t.Fatalf("row %d is %s, asked for was %s", i, row.Name, vary[i-1].Name)
		}
		r := runOf(t, row.Config, input)
		bases, err := ParseBaselines([]string{"exact"})
		if err != nil {
			t.Fatal(err)
		}
		e, err := Evaluate(context.Background(), r, g, Options{Half: half, Apart: true, Baselines: bases, Web: WebOf(nil, 2), Bootstrap: 50, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		var hits []float64
		for j, s := range []*SettingScores{&row.All, row.Apart} {
			want := e.Baselines[0].Related[j]
			if d := cmp.Diff(want.Coverage, s.Coverage); d != "" {
				t.Errorf("%s: %s", row.Name, d)
			}
			for k, h := range s.Hits {
				if d := cmp.Diff(want.Levels[k].Hit, h); d != "" {
					t.Errorf("%s, level %d: %s", row.Name, k+1, d)
				}
				hits = append(hits, h.Value)
			}
			for k, x := range s.Differences {
				if want := s.Hits[k].Value - first[j*got.Levels+k]; !near(x.Value, want) || x.Lists == nil || x.Lists.Low > x.Value || x.Lists.High < x.Value {
					t.Errorf("%s, level %d: difference %+v, want %v", row.Name, k+1, x, want)
				}
			}
			if (i == 0) != (len(s.Differences) == 0) {
				t.Errorf("%s has %d differences", row.Name, len(s.Differences))
			}
		}
		if i == 0 {
			first = hits
		}
	}
}

// Weights are made here of raw bags, but they are those of whole runs, in which terms are dropped before.
func TestSettings(t *testing.T) {
	input := filepath.Join(t.TempDir(), "pages.jsonl")
	if err := os.WriteFile(input, []byte(fruit.Pages(t)), 0o666); err != nil {
		t.Fatal(err)
	}
	base, g := preset(t, "web"), fruit.Gold()
	vary := varied(t, base)
	temp := t.TempDir()
	var begun []string
	o := SettingsOptions{Bootstrap: 50, Seed: 1, Workers: 1, Temp: temp, Progress: func(done, of int, name string) {
		begun = append(begun, fmt.Sprintf("%d/%d %s", done, of, name))
	}}
	one, err := CompareSettings(context.Background(), []string{input}, []*gold.Gold{g, g}, base, vary, o)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"0/6 base", "1/6 weighting=nmdf;min-df=1", "2/6 max-df=0.02;bag-sum=30", "3/6 window=2", "4/6 window=2;tf=log", "5/6 preset=paper2002"}
	if d := cmp.Diff(want, begun); d != "" {
		t.Error(d)
	}
	if one[0].Levels != 2 || one[0].Known != 16 || one[0].Targets != 17 || one[0].Queries != 17 {
		t.Errorf("%+v", one[0])
	}
	asRuns(t, input, g, score.All, vary, one[0])
	if d := cmp.Diff(one[0], one[1]); d != "" {
		t.Error("the second gold is the first: " + d)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	o.Workers, o.Progress = 2, nil
	two, err := CompareSettings(context.Background(), []string{input}, []*gold.Gold{g, g}, base, vary, o)
	if d := cmp.Diff(one, two); d != "" || err != nil {
		t.Error("other figures at two workers: ", d, err)
	}
}

// TestLongSettingsOfManuals does so on real pages, where variations differ.
func TestLongSettingsOfManuals(t *testing.T) {
	docs := shareddata.Dir(t, "docs")
	input := filepath.Join(docs, "pages.jsonl.gz")
	g, err := gold.Read(filepath.Join(docs, "gold.tsv"), urls.DefaultRules())
	if err != nil {
		t.Fatal(err)
	}
	base := preset(t, "web")
	base.Views = []string{config.Topical}
	vary := varied(t, base)[:3]
	got, err := CompareSettings(context.Background(), []string{input}, []*gold.Gold{g}, base, vary, SettingsOptions{Half: score.Dev, Bootstrap: 50, Seed: 1, Temp: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	asRuns(t, input, g, score.Dev, vary, got[0])
	for i, row := range got[0].Rows[1:] {
		if row.All.Hits[1] == got[0].Rows[i].All.Hits[1] {
			t.Errorf("%s and %s: the same", row.Name, got[0].Rows[i].Name)
		}
	}
}

func TestSettingsRefused(t *testing.T) {
	input := crawlOf(t, [2]string{"https://p1.org", links("a:ant", "b:bee")})
	c := preset(t, "web")
	index := c
	index.Keys = 7
	known := &gold.Gold{Name: "gold.tsv", Labels: []score.Label{{URL: "https://a.org", Path: []string{"x"}}}}
	lost := &gold.Gold{Name: "lost.tsv", Labels: []score.Label{{URL: "https://lost.org", Path: []string{"x"}}}}
	wide := c
	wide.Window = 64
	for _, x := range []struct {
		name  string
		known *gold.Gold
		vary  []config.Config
		want  error
	}{
		{"the index makes no bags", known, []config.Config{index}, ErrSameBags},
		{"twice", known, []config.Config{wide, wide}, ErrSameBags},
		{"no target", lost, []config.Config{wide}, ErrNoOverlap},
	} {
		var vary []Variation
		for i, v := range x.vary {
			vary = append(vary, Variation{Name: fmt.Sprint(i), Config: v})
		}
		temp := t.TempDir()
		_, err := CompareSettings(context.Background(), []string{input}, []*gold.Gold{x.known}, c, vary, SettingsOptions{Temp: temp})
		if !errors.Is(err, x.want) {
			t.Errorf("%s: error %v", x.name, err)
		}
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("%s: left behind: %v, %v", x.name, left, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := CompareSettings(ctx, []string{input}, []*gold.Gold{known}, c, nil, SettingsOptions{Temp: t.TempDir()}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestGatherings(t *testing.T) {
	base := preset(t, "web")
	all := append([]Variation{{Name: BaseName, Config: base}}, varied(t, base)...)
	if got := gatherings(all); !slices.EqualFunc(got, [][]int{{0, 2, 4}, {1, 5}, {3}}, slices.Equal) {
		t.Error(got)
	}
}

// TestSameBags: a setting of which nobody has said that it comes after the bags decides them.
func TestSameBags(t *testing.T) {
	base := preset(t, "web")
	after := strings.Fields(`Preset Seed Views Signatures KeySize Keys MaxBucket Reach Floor Similarity Neighbours Threshold Order
		Apart Rounds Width Recall Tree
		Shingle Bits Tokens Labelled Punctuation Modulus Resemblance Containment LinkContain MaxCommon Strip`)
	for i := range reflect.TypeFor[config.Config]().NumField() {
		c, name := base, reflect.TypeFor[config.Config]().Field(i).Name
		switch f := reflect.ValueOf(&c).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString(f.String() + "x")
		case reflect.Bool:
			f.SetBool(!f.Bool())
		case reflect.Int, reflect.Int64:
			f.SetInt(f.Int() + 1)
		case reflect.Uint32, reflect.Uint64:
			f.SetUint(f.Uint() + 1)
		case reflect.Float64:
			f.SetFloat(f.Float() + 1)
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		default:
			t.Fatalf("%s is a %s", name, f.Kind())
		}
		if SameBags(base, c) != slices.Contains(after, name) {
			t.Errorf("%s: the same bags %t", name, SameBags(base, c))
		}
	}
}
