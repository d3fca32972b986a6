package crawl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// told is all that a source says, in its order.
func told(t *testing.T, path string, o Options) (out []string) {
	t.Helper()
	src, err := Open(path, o)
	if err != nil {
		return []string{err.Error()}
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background()) {
		if err != nil {
			out = append(out, err.Error())
			continue
		}
		line := fmt.Sprintf("%v %s %s %d %x", rec.Pos, rec.kind, rec.url, len(rec.data), rec.data[:min(len(rec.data), 16)])
		for _, n := range rec.notes {
			line += n.Error()
		}
		out = append(out, line)
	}
	if _, ranges := src.(*rangesSource); ranges != (o.Workers > 1) {
		t.Errorf("%s: %T for %d workers", path, src, o.Workers)
	}
	return out
}

// ranged are archives whose ranges are hard to guess, besides sound ones.
func ranged(t *testing.T) map[string][]byte {
	var plain, nested []string
	for i := range 60 {
		plain = append(plain, warcPage(i%9))
	}
	inner := string(gz(warcPage(1), warcPage(2), warcPage(3)))
	for i := range 20 { // stored members inside of members, and records in the text of records
		nested = append(nested, warcRecord("resource", fmt.Sprint("http://example.org/in/", i), strings.Repeat(inner, 3)), warcRecord("resource", "http://example.org/", "\n"+strings.Repeat(warcPage(3), 3)))
	}
	sound := gz(plain...)
	holed := bytes.Clone(sound)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		copy(holed[rnd.IntN(len(holed)-64):], make([]byte, 64))
	}
	all := strings.Join(plain, "")
	dict := testDict(t)
	var arc strings.Builder
	arc.WriteString(arcHead)
	for i := range 40 {
		arc.WriteString(arcPage(i % 9))
	}
	return map[string][]byte{
		"sound.warc.gz": sound, "holes.warc.gz": holed, "plain.warc": []byte(all), "nested.warc": []byte(strings.Join(nested, "")),
		"nested.warc.gz": stored(nested...), "one.warc.gz": gz(all), "cut.warc.gz": sound[:len(sound)-5], "pairs.warc.gz": gz(all[:len(all)/3], all[len(all)/3:len(all)/2], all[len(all)/2:]),
		"x.warc.zst": zst(nil, plain...), "dict.warc.zst": append(skippable(zstdDictFrame, dict), zst(dict, plain...)...),
		"x.arc": []byte(arc.String()), "x.arc.gz": gz(strings.SplitAfter(arc.String(), "</html>")...),
		"damaged.warc": []byte(all[:2000] + strings.Repeat("garbage\n", 500) + all[2100:]), "first.warc.gz": append([]byte("\x1f\x8bx"), sound[3:]...),
	}
}

// stored writes members that are not compressed, so that what is in them can be mistaken for members of the file.
func stored(parts ...string) (out []byte) {
	for _, p := range parts {
		out = append(out, gzLevel(0, p)...)
	}
	return out
}

// TestRanges: a file says the same in the same order whatever the number of workers and however it is cut.
func TestRanges(t *testing.T) {
	for name, in := range ranged(t) {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, in, 0o666); err != nil {
			t.Fatal(err)
		}
		want := told(t, path, Options{Workers: 1})
		if len(want) < 3 {
			t.Errorf("%s: %q", name, want)
		}
		for _, step := range []int64{50, 97, 700, 3000} {
			for _, workers := range []int{2, 3, 8} {
				if 2*step > int64(len(in)) {
					continue
				}
				if d := cmp.Diff(want, told(t, path, Options{Workers: workers, step: step})); d != "" {
					t.Fatalf("%s of %d bytes, %d workers, step %d: %s", name, len(in), workers, step, d)
				}
			}
		}
	}
}

// TestRangesOfFixtures does the same for real archives.
func TestRangesOfFixtures(t *testing.T) {
	dir := dataPath(t, "warc")
	for name := range warcFixtures {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		step := max(info.Size()/7, 64)
		if !strings.Contains(name, "arc.") && !strings.Contains(name, ".warc") || strings.HasSuffix(name, ".cdxj") || info.Size() < 2*step {
			continue
		}
		if d := cmp.Diff(told(t, path, Options{}), told(t, path, Options{Workers: 3, step: step})); d != "" {
			t.Errorf("%s, step %d: %s", name, step, d)
		}
	}
}

// TestRangesStop: who stops early, or cancels, waits for no reader.
func TestRangesStop(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.warc.gz")
	if err := os.WriteFile(path, ranged(t)["sound.warc.gz"], 0o666); err != nil {
		t.Fatal(err)
	}
	for n := range 12 {
		src, err := Open(path, Options{Workers: 4, step: 500})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		for _, err := range src.Records(ctx) {
			if n--; n == 0 {
				break
			}
			if n == -6 {
				cancel()
			}
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		cancel()
		src.Close()
	}
}
