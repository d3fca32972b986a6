//go:build unix

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/lshclust/lshclust/internal/run"
)

// Bounds of a run over a hostile input, on a busy machine. Resident memory includes mapped temporary files, which the
// kernel may drop. The memory limit is for anonymous memory only.
const (
	hostileMemory = "256M"
	hostileAnon   = (256 + 32) << 20
	hostileRSS    = 1280 << 20
	hostileTime   = time.Hour // after which a command is considered to hang
)

// hostileSize returns the size to which inputs expand: LSHCLUST_HOSTILE in MiB, or 64 MiB.
func hostileSize() int64 {
	if n, err := strconv.ParseInt(os.Getenv("LSHCLUST_HOSTILE"), 10, 20); err == nil && n > 0 {
		return n << 20
	}
	return 64 << 20
}

// hostile is an input designed to cost more than it is worth.
type hostile struct {
	name  string
	file  string                     // "-" streams the input, so that it is not stored
	write func(w io.Writer, n int64) // n: size to which it expands
	build func(t *testing.T) []byte  // instead of write
	with  map[string][]byte          // files next to it
	code  int
	pages int64
	left  string // prefix of the dropped input: reasons with counts
	long  bool   // takes more than a few tenths of a second, and there are others of its kind
}

// lyingParquet changes the header of the first page of a table to state n bytes, packed and unpacked, and n values;
// the rest of the file stays true.
func lyingParquet(t *testing.T, in []byte, n int32) []byte {
	const first = 4 // behind the magic bytes
	tail := len(in) - 8
	foot := tail - int(binary.LittleEndian.Uint32(in[tail:]))
	page := bytes.NewReader(in[first:foot])
	var head format.PageHeader
	var meta format.FileMetaData
	var compact thrift.CompactProtocol
	if err := errors.Join(thrift.NewDecoder(compact.NewReader(page)).Decode(&head), thrift.Unmarshal(&compact, in[foot:tail], &meta)); err != nil {
		t.Fatal(err)
	}
	head.CompressedPageSize, head.UncompressedPageSize, head.DataPageHeader.V.NumValues = n, n, n
	lie, err := thrift.Marshal(&compact, head)
	if err != nil {
		t.Fatal(err)
	}
	grown := int64(first+len(lie)) - int64(foot-page.Len())
	meta.RowGroups[0].Columns[0].MetaData.TotalCompressedSize += grown
	for _, g := range meta.RowGroups {
		for i := range g.Columns {
			if at := &g.Columns[i].MetaData.DataPageOffset; *at > first {
				*at += grown
			}
		}
	}
	footer, err := thrift.Marshal(&compact, meta)
	if err != nil {
		t.Fatal(err)
	}
	out := slices.Concat(in[:first], lie, in[foot-page.Len():foot], footer)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(footer))), "PAR1"...)
}

func hostiles(t *testing.T) []hostile {
	size := hostileSize()
	overlong := func(n string) string {
		return strings.Replace(warcOf(2, "", "<p>two"), "Content-Length: ", "Content-Length: "+n+"\r\nX: ", 1)
	}
	return []hostile{
		{name: "a page of <", long: true, file: "-", write: func(w io.Writer, n int64) { io.WriteString(w, "<html>"); fill(w, "<", n) }, pages: 1, left: "page-too-big=1"},
		{name: "a long page in WARC", file: "-", write: func(w io.Writer, n int64) { longRecord(w, n); io.WriteString(w, warcOf(1, "", "<p>one")) }, pages: 2, left: "page-too-big=1"},
		{name: "gzip bomb, a member", long: true, file: "a.warc.gz", build: func(*testing.T) []byte {
			return append(gzipped(func(w io.Writer) { longRecord(w, size) }), gzipped(saying(warcOf(1, "", "<p>one")))...)
		}, pages: 2, left: "page-too-big=1"},
		{name: "gzip bomb, a body", file: "a.warc", build: func(*testing.T) []byte {
			body := gzipped(func(w io.Writer) { io.WriteString(w, "<html>"); fill(w, "x", 256<<20) })
			return []byte(warcOf(1, "Content-Encoding: gzip\r\n", string(body)) + warcOf(2, "", "<p>two"))
		}, pages: 2, left: "page-too-big=1"},
		{name: "gzip bomb, one line of JSON", long: true, file: "a.jsonl.gz", build: func(*testing.T) []byte {
			return append(gzipped(func(w io.Writer) {
				io.WriteString(w, `{"url":"https://a.example/","html":"`)
				fill(w, "x", max(size, 300<<20))
				io.WriteString(w, "\n")
			}), gzipped(saying(okayLine))...)
		}, code: exitSkipped, pages: 1, left: "line-too-long=1"},
		{name: "zstd bomb, a frame", long: true, file: "a.warc.zst", build: func(*testing.T) []byte {
			return append(frame(func(w io.Writer) { longRecord(w, size) }), frame(saying(warcOf(1, "", "<p>one")))...)
		}, pages: 2, left: "page-too-big=1"},
		{name: "zstd with a window of 3 GiB", file: "a.warc.zst", build: func(*testing.T) []byte {
			return append([]byte("(\xb5/\xfd\x00\xac\x02\x00\x00x\x01\x00\x00"), frame(saying(warcOf(1, "", "<p>one")))...)
		}, code: exitSkipped, pages: 1, left: "unsupported-format=1"},
		{name: "zip bomb in WACZ", long: true, file: "a.wacz", build: func(t *testing.T) []byte {
			return zipped(t, map[string]func(io.Writer){"archive/a.warc": func(w io.Writer) { longRecord(w, max(size, 256<<20)) }, "archive/b.warc": saying(warcOf(1, "", "<p>one"))})
		}, code: exitSkipped, pages: 2, left: "decompression-ratio=1 page-too-big=1 truncated-record=1"},
		{name: "zip slip in WACZ", file: "a.wacz", build: func(t *testing.T) []byte {
			return zipped(t, map[string]func(io.Writer){"archive/../../../evil.warc": saying(warcOf(1, "", "<p>one")), "/etc/evil.warc": saying(""), "archive/a.warc": saying(warcOf(2, "", "<p>two"))})
		}, code: exitSkipped, pages: 1, left: "unsafe-name=2"},
		{name: "files of a zip overlap", file: "a.zip", build: func(t *testing.T) []byte {
			b := zipped(t, map[string]func(io.Writer){"a.html": saying("<p>a"), "b.html": saying("<p>b")})
			first := bytes.Index(b, []byte("PK\x01\x02"))
			second := first + 4 + bytes.Index(b[first+4:], []byte("PK\x01\x02"))
			copy(b[second+42:second+46], b[first+42:first+46])
			return b
		}, code: exitSkipped, left: "bad-zip=1"},
		{name: "lengths of 2^63", file: "a.warc", build: func(*testing.T) []byte {
			return []byte(warcOf(1, "", "<p>one") + overlong("9223372036854775808") + overlong("9223372036854775807") + overlong("-9223372036854775808") + warcOf(3, "", "<p>three"))
		}, code: exitSkipped, pages: 3, left: "bad-record=3"}, // the second record ends where the next one begins
		{name: "a WARC header without end", file: "-", write: func(w io.Writer, n int64) { io.WriteString(w, "WARC/1.0\r\nX: "); fill(w, "x", n) }, code: exitSkipped, left: "bad-record=1"},
		{name: "an index that points outside", file: "a.cdxj", build: func(*testing.T) []byte {
			var b strings.Builder
			for _, at := range []string{"99999999", "9223372036854775807", "7"} {
				fmt.Fprintf(&b, `org,example)/ 20200102030405 {"url": "http://example.org/", "offset": "%s", "filename": "b.warc"}`+"\n", at)
			}
			for _, name := range []string{"../../../../etc/passwd", "/etc/passwd", "..", "b.warc/../../x"} {
				fmt.Fprintf(&b, `org,example)/ 20200102030405 {"url": "http://example.org/", "offset": "0", "filename": "%s"}`+"\n", name)
			}
			b.WriteString(`org,example)/ 20200102030405 {"url": "http://example.org/", "offset": "0", "filename": "b.warc"}` + "\n")
			return []byte(b.String())
		}, with: map[string][]byte{"b.warc": []byte(warcOf(1, "", "<p>one"))}, code: exitSkipped, pages: 1, left: "no-archive=7"},
		{name: "Parquet, a page of 2 GiB", file: "a.parquet", build: func(t *testing.T) []byte { return lyingParquet(t, parquetLinks(t), 1<<31-1) }, code: exitSkipped, left: "bad-parquet=1"},
		{name: "an endless cell", file: "-", write: func(w io.Writer, n int64) {
			io.WriteString(w, "source,target,anchor\nhttps://a.example/,https://b.example/,one\nhttps://a.example/,https://b.example/,\"")
			fill(w, "x", n)
			io.WriteString(w, "\"\nhttps://a.example/,https://c.example/,two\n")
		}, code: exitSkipped, left: "line-too-long=1"},
		{name: "an endless cell of lines", long: true, file: "-", write: func(w io.Writer, n int64) {
			io.WriteString(w, "source,target,anchor\nhttps://a.example/,https://b.example/,\"")
			fill(w, "x y\n", n/16)
			io.WriteString(w, "\"\nhttps://a.example/,https://c.example/,two\n")
		}, code: exitSkipped, left: "bad-row"},
		{name: "a million attributes", long: true, file: "a.jsonl", build: func(*testing.T) []byte {
			return []byte(linePage("<p "+strings.Repeat("a=b ", 1_000_000)+">") + okayLine)
		}, pages: 2},
		{name: "200,000 attributes of names", file: "a.jsonl", build: func(*testing.T) []byte {
			var b strings.Builder
			for i := range 200_000 {
				fmt.Fprintf(&b, " a%d", i)
			}
			return []byte(linePage("<a"+b.String()+" href=/x>y</a>") + okayLine)
		}, pages: 2},
		{name: "3 million open elements", long: true, file: "a.jsonl", build: func(*testing.T) []byte {
			return []byte(linePage(strings.Repeat("<b><div><table>", 1_000_000)) + okayLine)
		}, pages: 2},
		{name: "a million links", long: true, file: "a.jsonl", build: func(*testing.T) []byte {
			var b strings.Builder
			for i := range 1_000_000 {
				fmt.Fprintf(&b, "<a href=/%d>x</a> ", i)
			}
			return []byte(linePage(b.String()) + okayLine)
		}, pages: 2, left: "page-too-big=1 too-many-links"},
		{name: "JSON 100,000 deep", file: "a.jsonl", build: func(*testing.T) []byte {
			return []byte(`{"url":"https://a.example/","x":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `,"html":"<p>"}` + "\n" + okayLine)
		}, code: exitSkipped, pages: 1, left: "bad-json=1"},
		{name: "a URL of 10 MB", file: "a.jsonl", build: func(*testing.T) []byte {
			return []byte(`{"url":"https://a.example/` + strings.Repeat("x", 10<<20) + `","html":"<p>"}` + "\n" + okayLine)
		}, pages: 1, left: "url-too-long=1"},
		{name: "a sitemap that leads out", file: "site", build: func(*testing.T) []byte { return nil }, with: map[string][]byte{
			"site/index.html": []byte("<p>top"), "site/sitemap.xml": []byte(`<!DOCTYPE a [<!ENTITY b "&c;&c;"><!ENTITY c SYSTEM "file:///etc/passwd">]><sitemapindex><sitemap><loc>https://a.example/../../../etc/passwd</loc></sitemap><sitemap><loc>&b;</loc></sitemap></sitemapindex>`),
		}, code: exitSkipped, pages: 1, left: "bad-sitemap=1 not-html=1"},
	}
}

// TestHostile gives the command inputs designed to cost more than they are worth. Memory must stay within bounds,
// what is left out must be counted, and the exit code must say whether the input is damaged.
func TestHostile(t *testing.T) { giveHostile(t, false) }

func TestLongHostile(t *testing.T) { giveHostile(t, true) }

func giveHostile(t *testing.T, long bool) {
	t.Logf("%-32s %-8s %5s %4s %9s %9s  %s", "input", "", "pages", "exit", "time", "rss MiB", "left out")
	for _, h := range hostiles(t) {
		if h.long != long {
			continue
		}
		t.Run(h.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, b := range h.with {
				at := filepath.Join(dir, filepath.FromSlash(name))
				if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, b, 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			path := h.file
			if h.build != nil {
				path = filepath.Join(dir, h.file)
				if b := h.build(t); b != nil {
					if err := os.WriteFile(path, b, 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			debug.FreeOSMemory()
			_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // a child's peak begins with that of its parent
			out := filepath.Join(dir, "run")
			used := h.run(t, h.code, "cluster", "-q", "--memory", hostileMemory, "-o", out, path)
			pages, left, peak := leftOut(t, out)
			if peak > hostileAnon {
				t.Errorf("%d MiB of anonymous memory, more than %d", peak>>20, hostileAnon>>20)
			}
			t.Logf("%-32s %-8s %5d %4d %9v %9d  %s", h.name, "cluster", pages, h.code, used.took.Round(time.Millisecond), used.rss>>20, left)
			if pages != h.pages || !strings.HasPrefix(left, h.left) || h.left == "" && left != "" {
				t.Errorf("%d pages, %q left out; want %d, %q\n%s", pages, left, h.pages, h.left, used.said)
			}
			if evil, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "*evil*")); len(evil) > 0 {
				t.Errorf("written: %v", evil)
			}
			used = h.run(t, cmp.Or(h.code, 0), "doctor", "--memory", hostileMemory, "--format", "json", path)
			t.Logf("%-32s %-8s %5s %4d %9v %9d", "", "doctor", "", h.code, used.took.Round(time.Millisecond), used.rss>>20)
		})
	}
}

// spent holds the resources that a command used.
type spent struct {
	took time.Duration
	rss  int64
	said string
}

// run runs the command on the input and checks its exit code and the bounds.
func (h *hostile) run(t *testing.T, code int, args ...string) spent {
	t.Helper()
	c := exec.Command("lshclust", args...)
	var said bytes.Buffer
	c.Stderr = &said
	began := time.Now()
	if h.file == "-" {
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		size := hostileSize()
		go func() {
			w := bufio.NewWriterSize(in, 1<<20)
			h.write(w, size)
			w.Flush()
			in.Close()
		}()
	}
	stop := time.AfterFunc(hostileTime, func() { _ = c.Process.Kill() })
	err := c.Run()
	if !stop.Stop() {
		t.Fatalf("%s: still running after %v", args[0], hostileTime)
	}
	var x *exec.ExitError
	if err != nil && !errors.As(err, &x) {
		t.Fatal(err)
	}
	used := spent{took: time.Since(began), said: said.String()}
	if u, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		used.rss = u.Maxrss
		if runtime.GOOS != "darwin" {
			used.rss <<= 10
		}
	}
	if got := c.ProcessState.ExitCode(); got != code {
		t.Errorf("%s: exit code %d, want %d\n%.2000s", args[0], got, code, said.String())
	}
	if used.rss > hostileRSS {
		t.Errorf("%s: %d MiB, more than %d", args[0], used.rss>>20, hostileRSS>>20)
	}
	if strings.Contains(said.String(), "goroutine ") || strings.Contains(said.String(), "warning:") {
		t.Errorf("%s says:\n%.2000s", args[0], said.String())
	}
	return used
}

// leftOut reads the manifest of a run: pages, reasons with counts, and the peak of its anonymous memory.
func leftOut(t *testing.T, out string) (pages int64, left string, peak int64) {
	t.Helper()
	r, err := run.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, d := range r.Manifest.Dropped {
		list = append(list, fmt.Sprintf("%s=%d", d.Reason, d.Count))
	}
	slices.Sort(list)
	for _, s := range r.Manifest.Stages {
		peak = max(peak, s.PeakAnon)
	}
	return r.Manifest.Counts["pages"], strings.Join(list, " "), peak
}
