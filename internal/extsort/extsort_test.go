package extsort

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// randomRecords returns n records of size bytes, one after another.
func randomRecords(n, size int, seed byte) []byte {
	b := make([]byte, n*size)
	rand.NewChaCha8([32]byte{seed}).Read(b)
	return b
}

// squeeze leaves the records few different values, so that long prefixes and whole records repeat.
func squeeze(b []byte, size int) []byte {
	for i := range b {
		if i%size < size-1 {
			b[i] &= 1
		}
		if i%size < size/2 {
			b[i] = 7
		}
	}
	return b
}

// sorted returns packed records as a Sorter should sort them.
func sorted(b []byte, size int) []byte {
	list := slices.Collect(slices.Chunk(bytes.Clone(b), size))
	slices.SortFunc(list, bytes.Compare)
	return bytes.Join(list, nil)
}

// sortAll sorts packed records with a Sorter and several appenders. files is the number of files that it needed: one for
// runs, and one for each pass between files.
func sortAll(c Config, b []byte, appenders int) (out []byte, files int, err error) {
	return sortWith(c, func(s *Sorter) error { return appendAll(s, b, appenders) })
}

// sortWith sorts what fill appends.
func sortWith(c Config, fill func(*Sorter) error) (out []byte, files int, err error) {
	s, err := New(c)
	if err != nil {
		return nil, 0, err
	}
	defer s.Close()
	create := s.create
	s.create = func(dir string) (spillFile, error) {
		files++
		return create(dir)
	}
	if err := fill(s); err != nil {
		return nil, files, err
	}
	err = s.Each(context.Background(), func(rec []byte) error {
		out = append(out, rec...)
		return nil
	})
	return out, files, err
}

func appendAll(s *Sorter, b []byte, appenders int) error {
	errs := make([]error, appenders)
	var wg sync.WaitGroup
	n := len(b) / s.c.Size
	for i := range appenders {
		wg.Go(func() {
			a := s.Appender()
			for rec := range slices.Chunk(b[n*i/appenders*s.c.Size:n*(i+1)/appenders*s.c.Size], s.c.Size) {
				errs[i] = errors.Join(errs[i], a.Append(rec))
				if errs[i] != nil {
					break
				}
			}
			errs[i] = errors.Join(errs[i], a.Close())
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// TestKernels sorts every size of record, with lengths on both sides of every threshold of the radix sort.
func TestKernels(t *testing.T) {
	kernels(t, []int{8, 12, 128}, 0, 1, 2, insertionMax+1, 1000, finalMax+1)
	kernels(t, []int{13, 16, 20, 24, 32, 48, 64, 96}, insertionMax+1, finalMax+1)
}

func TestLongKernels(t *testing.T) {
	kernels(t, []int{8, 12, 128}, finalMax, 40000)
	kernels(t, []int{13, 16, 20, 24, 32, 48, 64, 96}, 0, 1, 2, 1000, finalMax, 40000)
}

func kernels(t *testing.T, sizes []int, lengths ...int) {
	t.Helper()
	for _, size := range sizes {
		k, stride := kernelFor(size)
		if stride != size {
			t.Fatalf("size %d has stride %d", size, stride)
		}
		for _, n := range lengths {
			for name, b := range map[string][]byte{
				"random": randomRecords(n, size, 1), "few": squeeze(randomRecords(n, size, 2), size), "equal": make([]byte, n*size),
			} {
				want := sorted(b, size)
				for _, workers := range []int{1, 3} {
					got := bytes.Clone(b)
					k.sort(got, make([]byte, len(b)), workers)
					if !bytes.Equal(got, want) {
						t.Errorf("%d %s records of %d bytes, %d workers: wrong order", n, name, size, workers)
					}
				}
			}
		}
	}
}

// TestConfigurations is metamorphic: one input under many configurations gives the same output, the right one.
func TestConfigurations(t *testing.T) {
	const size = 12
	n, memories := 150_000, []int64{1 << 20, 64 << 20}
	b := randomRecords(n, size, 3)
	want := sorted(b, size)
	for _, memory := range memories {
		for _, workers := range []int{1, 3} {
			for _, appenders := range []int{1, 4} {
				got, files, err := sortAll(Config{Size: size, Memory: memory, Workers: workers, Dir: t.TempDir()}, b, appenders)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, want) {
					t.Errorf("memory %d, workers %d, appenders %d: wrong output", memory, workers, appenders)
				}
				if spilled := files > 0; spilled != (memory < 64<<20) {
					t.Errorf("memory %d: %d files", memory, files)
				}
			}
		}
	}
}

// TestManyRuns makes so many runs that merges from file to file are needed.
func TestManyRuns(t *testing.T) {
	dir := t.TempDir()
	const records = 300_000
	b := randomRecords(records, 16, 4)
	got, files, err := sortWith(Config{Size: 16, Memory: 1 << 20, Dir: dir}, func(s *Sorter) error {
		s.layout.buffer = s.layout.round(64 << 10)
		return appendAll(s, b, 1)
	})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, sorted(b, 16)) {
		t.Error("wrong order")
	}
	if files < 2 {
		t.Error("no merge between files")
	}
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Errorf("left behind: %v", list)
	}
}

// TestLaws: any record size, any key, any values, unique or not.
func TestLaws(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 40).Draw(t, "size")
		c := Config{
			Size: size, Key: rapid.IntRange(1, size).Draw(t, "key"), Memory: 1 << 20, Dir: dir,
			Unique: rapid.Bool().Draw(t, "unique"), Workers: rapid.IntRange(1, 3).Draw(t, "workers"),
		}
		n := rapid.IntRange(0, 25_000).Draw(t, "n")
		b := randomRecords(n, size, byte(n))
		for i := range b {
			b[i] &= []byte{1, 15, 255}[i%3]
		}
		got, _, err := sortAll(c, b, rapid.IntRange(1, 3).Draw(t, "appenders"))
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Collect(slices.Chunk(sorted(b, size), size))
		if c.Unique {
			want = slices.CompactFunc(want, func(x, y []byte) bool { return bytes.Equal(x[:c.Key], y[:c.Key]) })
		}
		if !bytes.Equal(got, bytes.Join(want, nil)) {
			t.Fatalf("wrong output for %+v", c)
		}
	})
}

func TestAppendAll(t *testing.T) {
	for _, size := range []int{12, 14} {
		b := randomRecords(20_000, size, 5)
		got, _, err := sortWith(Config{Size: size, Memory: 1 << 20, Dir: t.TempDir()}, func(s *Sorter) error {
			a := s.Appender()
			return errors.Join(a.AppendAll(b), a.Close())
		})
		if err != nil || !bytes.Equal(got, sorted(b, size)) {
			t.Errorf("size %d: wrong output, %v", size, err)
		}
	}
}

func TestMisuse(t *testing.T) {
	for _, c := range []Config{{}, {Size: -1}, {Size: MaxSize + 1}, {Size: 8, Key: 9}, {Size: 8, Key: -1}} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v accepted", c)
		}
	}
	s, _ := New(Config{Size: 8})
	a := s.Appender()
	if a.Append(make([]byte, 7)) == nil || a.AppendAll(make([]byte, 12)) == nil {
		t.Error("a wrong length was accepted")
	}
	none := func([]byte) error { return errors.New("a record") }
	if err := s.Each(t.Context(), none); !errors.Is(err, ErrState) {
		t.Errorf("Each with an open appender: %v", err)
	}
	a.Close()
	if err := a.Append(make([]byte, 8)); !errors.Is(err, ErrState) {
		t.Errorf("Append after Close: %v", err)
	}
	if err := s.Each(t.Context(), none); err != nil {
		t.Errorf("no records: %v", err)
	}
	if err := s.Each(t.Context(), none); !errors.Is(err, ErrState) {
		t.Errorf("Each twice: %v", err)
	}
	s.Close()
	if err := s.Appender().Append(make([]byte, 8)); err != nil {
		t.Errorf("the error comes with the flush, not here: %v", err)
	}
}

// checkGoroutines waits until the number of goroutines is no more than when the test began. It fails the test after
// minutes.
func checkGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		for range 60_000 {
			if runtime.NumGoroutine() <= before {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		buf := make([]byte, 1<<16)
		t.Errorf("goroutines stay behind:\n%s", buf[:runtime.Stack(buf, true)])
	})
}

// TestCancel ends the context while runs are merged, and while the only buffer is handed over.
func TestCancel(t *testing.T) {
	for _, memory := range []int64{1 << 20, 64 << 20} {
		t.Run(fmt.Sprint(memory>>20), func(t *testing.T) { testCancel(t, memory) })
	}
}

func testCancel(t *testing.T, memory int64) {
	checkGoroutines(t)
	b := randomRecords(300_000, 12, 6)
	for _, when := range []string{"before", "during", "break"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		stop := fmt.Errorf("stop")
		s, _ := New(Config{Size: 12, Memory: memory, Dir: t.TempDir()})
		if err := appendAll(s, b, 1); err != nil {
			t.Fatal(err)
		}
		if when == "before" {
			cancel(stop)
		}
		n := 0
		err := s.Each(ctx, func([]byte) error {
			n++
			if when == "during" && n == 1 {
				cancel(stop)
			}
			if when == "break" && n == 1000 {
				return stop
			}
			return nil
		})
		if n == len(b)/12 || !errors.Is(err, stop) {
			t.Errorf("%s: %d records, %v", when, n, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		cancel(nil)
	}
}
