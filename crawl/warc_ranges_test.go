package crawl_test

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

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

// told returns everything that a source returns, in order.
func told(t *testing.T, path string, o record.Options) (out []string) {
	t.Helper()
	src, err := crawl.Open(path, o)
	if err != nil {
		return []string{err.Error()}
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background()) {
		if err != nil {
			out = append(out, err.Error())
			continue
		}
		line := fmt.Sprintf("%v %s %s %d %x", rec.Pos, rec.About().Type, rec.URL, len(rec.Data), rec.Data[:min(len(rec.Data), 16)])
		for _, n := range rec.Notes {
			line += n.Error()
		}
		if _, err := rec.Page(); err != nil {
			line += err.Error()
		}
		out = append(out, line)
	}
	if kind := fmt.Sprintf("%T", src); (kind == "*warc.rangesSource") != (o.Workers > 1) {
		t.Errorf("%s: %s for %d workers", path, kind, o.Workers)
	}
	return out
}

// ranged returns archives whose ranges are hard to guess, and sound ones.
func ranged(t *testing.T) map[string][]byte {
	var plain, nested []string
	for i := range 60 {
		plain = append(plain, WarcPage(i%9))
	}
	inner := string(Gzip(WarcPage(1), WarcPage(2), WarcPage(3)))
	for i := range 20 { // stored members inside members, and records in the text of records
		nested = append(nested, WarcRecord("resource", fmt.Sprint("http://example.org/in/", i), strings.Repeat(inner, 3)), WarcRecord("resource", "http://example.org/", "\n"+strings.Repeat(WarcPage(3), 3)))
	}
	var wget []string
	for i := range 40 {
		block := []string{"GET", "POST", "POST"}[i%3] + " / HTTP/1.1\r\n\r\n"
		wget = append(wget, fmt.Sprintf("WARC/1.0\r\nWARC-Type: request\r\nWARC-Record-ID: <urn:%d>\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(block), block),
			strings.Replace(WarcPage(1), "\r\n", fmt.Sprintf("\r\nWARC-Concurrent-To: <urn:%d>\r\n", i), 1))
	}
	sound := Gzip(plain...)
	holed := bytes.Clone(sound)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		copy(holed[rnd.IntN(len(holed)-64):], make([]byte, 64))
	}
	all := strings.Join(plain, "")
	dict := Dictionary(t)
	var arc strings.Builder
	arc.WriteString(ArcHead)
	for i := range 40 {
		arc.WriteString(ArcPage(i % 9))
	}
	return map[string][]byte{
		"sound.warc.gz": sound, "holes.warc.gz": holed, "plain.warc": []byte(all), "nested.warc": []byte(strings.Join(nested, "")),
		"nested.warc.gz": Stored(nested...), "one.warc.gz": Gzip(all), "cut.warc.gz": sound[:len(sound)-5], "pairs.warc.gz": Gzip(all[:len(all)/3], all[len(all)/3:len(all)/2], all[len(all)/2:]),
		"wget.warc.gz": Gzip(wget...), "wget.warc": []byte(strings.Join(wget, "")), "wget.warc.zst": Zstd(nil, wget...),
		"x.warc.zst": Zstd(nil, plain...), "dict.warc.zst": append(Skippable(0x184d2a5d, dict), Zstd(dict, plain...)...),
		"x.arc": []byte(arc.String()), "x.arc.gz": Gzip(strings.SplitAfter(arc.String(), "</html>")...),
		"damaged.warc": []byte(all[:2000] + strings.Repeat("garbage\n", 500) + all[2100:]), "first.warc.gz": append([]byte("\x1f\x8bx"), sound[3:]...),
	}
}

// TestRanges checks that a file gives the same records in the same order for any number of workers and any range size.
func TestRanges(t *testing.T) {
	for name, in := range ranged(t) {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, in, 0o666); err != nil {
			t.Fatal(err)
		}
		want := told(t, path, record.Options{Workers: 1})
		if len(want) < 3 {
			t.Errorf("%s: %q", name, want)
		}
		for _, step := range []int64{50, 97, 700, 3000} {
			for _, workers := range []int{2, 3, 8} {
				if 2*step > int64(len(in)) {
					continue
				}
				if d := cmp.Diff(want, told(t, path, record.Options{Workers: workers, Range: step})); d != "" {
					t.Fatalf("%s of %d bytes, %d workers, step %d: %s", name, len(in), workers, step, d)
				}
			}
		}
	}
}

// TestRangesOfFixtures checks the same for real archives.
func TestRangesOfFixtures(t *testing.T) {
	dir := Path(t, "warc")
	for name := range WarcFixtures {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		step := max(info.Size()/7, 64)
		if !strings.Contains(name, "arc.") && !strings.Contains(name, ".warc") || strings.HasSuffix(name, ".cdxj") || info.Size() < 2*step {
			continue
		}
		if d := cmp.Diff(told(t, path, record.Options{}), told(t, path, record.Options{Workers: 3, Range: step})); d != "" {
			t.Errorf("%s, step %d: %s", name, step, d)
		}
	}
}

// TestRangesStop checks that a caller that stops early or cancels does not wait for a reader.
func TestRangesStop(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.warc.gz")
	if err := os.WriteFile(path, ranged(t)["sound.warc.gz"], 0o666); err != nil {
		t.Fatal(err)
	}
	for n := range 12 {
		src, err := crawl.Open(path, record.Options{Workers: 4, Range: 500})
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
