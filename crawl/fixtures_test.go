package crawl

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
)

// read reads an input to its end and holds it to what every source promises.
func read(t testing.TB, path string, o Options) ([]Page, *Ledger, error) {
	t.Helper()
	src, err := Open(path, o)
	if err != nil {
		var s *Skip
		if !errors.As(err, &s) || s.Pos.File != path {
			t.Fatalf("Open(%s): %v is not a located *Skip", path, err)
		}
		return nil, &Ledger{}, err
	}
	defer src.Close()
	pages, l := drain(t, src)
	return pages, l, nil
}

func drain(t testing.TB, src Source) (pages []Page, l *Ledger) {
	t.Helper()
	l = &Ledger{}
	for rec, err := range src.Records(context.Background()) {
		if err == nil {
			var p Page
			if p, err = rec.Page(); err == nil {
				pages = append(pages, p)
				l.AddPage(&p)
				continue
			}
		}
		if !l.Add(err) {
			t.Fatalf("%s: %v is not a *Skip", src.Name(), err)
		}
		if err.(*Skip).Pos.File == "" {
			t.Fatalf("%v has no position", err)
		}
	}
	return pages, l
}

func TestProbe(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(dataPath(t, "warc/MANIFEST.tsv")), "*"))
	for _, f := range files {
		pages, l, err := read(t, f, Options{})
		s := ""
		for _, x := range l.Tallies() {
			s += fmt.Sprintf(" %s=%d", x.Reason, x.Count)
			if x.Damage {
				for _, e := range x.Examples {
					s += fmt.Sprintf("\n\t\t%v %s", e.Pos, e.Detail)
				}
			}
		}
		fmt.Println(filepath.Base(f), len(pages), s, err)
	}
}
