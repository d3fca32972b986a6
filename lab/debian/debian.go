// Package debian assembles a crawl from the documentation packages of Debian: pages that nobody wrote for a test, with the
// frames, indexes, templates and versions of many generators.
package debian

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"hash"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

//go:embed packages.txt
var packages string

// Command reads the flags and writes the crawl.
func Command(args []string) error {
	flags := flag.NewFlagSet("debian", flag.ContinueOnError)
	cache := flags.String("cache", filepath.Join(os.TempDir(), "debian-docs"), "folder for the packages, about 1.2 GB")
	out := flags.String("o", "debian.warc.gz", "file to write")
	most := flags.Int("most", 1<<31-1, "stop after the package that has page `N`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := os.MkdirAll(*cache, 0o777); err != nil {
		return err
	}
	f, err := os.Create(*out)
	if err != nil {
		return err
	}
	w := &warc{f: f, list: sha256.New()}
	for line := range strings.Lines(packages) {
		if name := strings.TrimSpace(line); name != "" && !strings.HasPrefix(name, "#") && w.pages < *most {
			if err := w.add(*cache, name); err != nil {
				return fmt.Errorf("%s: %w", name, errors.Join(err, f.Close()))
			}
		}
	}
	fmt.Printf("%d pages, %d bytes; SHA-256 of the list of URLs, sizes and digests: %x\n", w.pages, w.bytes, w.list.Sum(nil))
	return f.Close()
}

// warc writes responses.
type warc struct {
	f     io.Writer
	zip   *gzip.Writer
	list  hash.Hash
	pages int
	bytes int64
}

// add downloads a package, unless the folder has it, and writes its pages.
func (w *warc) add(cache, name string) error {
	found, err := filepath.Glob(filepath.Join(cache, name+"_*.deb"))
	if err != nil {
		return err
	}
	if len(found) == 0 {
		get := exec.Command("apt-get", "download", "-q", name)
		get.Dir = cache
		if said, err := get.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, said)
		}
		if found, err = filepath.Glob(filepath.Join(cache, name+"_*.deb")); err != nil || len(found) == 0 {
			return errors.Join(err, errors.New("apt-get left no file"))
		}
	}
	c := exec.Command("dpkg-deb", "--fsys-tarfile", found[len(found)-1])
	files, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	before := w.pages
	for t := tar.NewReader(files); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := w.page(name, h, t); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "%-28s %6d pages\n", name, w.pages-before)
	return c.Wait()
}

// page writes a file if it is a page.
func (w *warc) page(host string, h *tar.Header, r io.Reader) error {
	name := strings.TrimPrefix(h.Name, ".")
	plain := strings.TrimSuffix(name, ".gz")
	switch strings.ToLower(filepath.Ext(plain)) {
	case ".html", ".htm", ".xhtml":
	default:
		return nil
	}
	if h.Typeflag != tar.TypeReg {
		return nil // a link to another page
	}
	if plain != name {
		z, err := gzip.NewReader(r)
		if err != nil {
			return err
		}
		r = z
	}
	content, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	at := (&url.URL{Scheme: "https", Host: strings.ReplaceAll(host, "+", "p") + ".debian.example", Path: plain}).String()
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
	if w.zip == nil {
		if w.zip, err = gzip.NewWriterLevel(w.f, gzip.BestSpeed); err != nil {
			return err
		}
	} else {
		w.zip.Reset(w.f)
	}
	_, err = fmt.Fprintf(w.zip, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s%s\r\n\r\n",
		at, h.ModTime.UTC().Format(time.RFC3339), len(head)+len(content), head, content)
	w.pages, w.bytes = w.pages+1, w.bytes+int64(len(content))
	fmt.Fprintf(w.list, "%s\t%d\t%x\n", at, len(content), sha256.Sum256(content))
	return errors.Join(err, w.zip.Close())
}
