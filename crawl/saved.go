package crawl

import (
	"bytes"
	"encoding/json"
	"html"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lshclust/lshclust/crawl/record"
)

// savedHead is the number of bytes in which the program that saved a page says where it is from.
const savedHead = 1 << 10

// savedBy finds the URL and the time that browsers, SingleFile, HTTrack, monolith, Save Page WE and WebScrapBook write
// into a saved page, and Firefox's MAFF into index.rdf beside it.
var savedBy = []struct {
	mark string
	find *regexp.Regexp
}{
	{"saved from url=", regexp.MustCompile(`<!--\s*saved from url=\(\d+\)(\S+)()`)},
	{"SingleFile", regexp.MustCompile(`SingleFile\s+url:\s*(\S+)\s+saved date:\s*(.{20,40}?)(?: \(|\n)`)},
	{"by HTTrack", regexp.MustCompile(`<!--\s*Mirrored from (\S+) by HTTrack[^>]*?, (\w{3}, \d[^>]*?GMT)`)},
	{"using monolith", regexp.MustCompile(`<!--\s*Saved from (\S+) at (\S+) using monolith`)},
	{"savepage-url", regexp.MustCompile(`<meta name="savepage-url" content="([^"]+)"()`)},
	{"MAF:originalurl", regexp.MustCompile(`MAF:originalurl\s+RDF:resource="([^"]+)"(?s:.*?)MAF:archivetime\s+RDF:resource="([^"]+)"`)},
	{"data-scrapbook-source", regexp.MustCompile(`data-scrapbook-source="([^"]+)"(?:[^>]*data-scrapbook-create="(\d{14}))?`)},
}

// savedFrom returns the URL from which a page was saved, and the time if it is known. Internet Explorer's marks for
// local files name no page.
func savedFrom(page []byte) (from *url.URL, at time.Time) {
	head := page[:min(len(page), savedHead)]
	for _, by := range savedBy {
		if !bytes.Contains(head, []byte(by.mark)) {
			continue
		}
		m := by.find.FindSubmatch(head)
		if m == nil {
			continue
		}
		said := html.UnescapeString(string(m[1]))
		if by.mark == "by HTTrack" && !strings.Contains(said, "://") {
			said = "https://" + said
		}
		u, err := url.Parse(said)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Host == "internet.e-mail" {
			return nil, at
		}
		return u, record.ParseTime(string(m[2]))
	}
	return nil, at
}

// companionEnds are the endings of the folders in which browsers and office programs save the parts of a page, in the
// languages in which they do.
var companionEnds = []string{"_files", ".files", "-files", "-Dateien", "_fichiers", "_archivos", "_bestanden", "-filer", "_tiedostot",
	"_pliki", "_soubory",
	"_elemei", "_ficheiros", "_arquivos", "_dosyalar", "_datoteke", "_fitxers", "_failid", "_fails", "_bylos", "_fajlovi", "_fitxategiak", "_file"}

// belongsToPage reports whether a folder holds the parts of a saved page beside it.
func belongsToPage(files fs.FS, folder string) bool {
	for _, end := range companionEnds {
		page, ok := strings.CutSuffix(folder, end)
		if !ok {
			continue
		}
		for _, ext := range []string{".html", ".htm", ".xhtml", ".shtml"} {
			if isFile(files, page+ext) {
				return true
			}
		}
	}
	return false
}

// described gives the record of a page the URL and the time that Firefox wrote into index.rdf beside it.
func described(rec *record.Record, files fs.FS, name string) {
	if files == nil || !strings.HasPrefix(path.Base(name), "index.") {
		return
	}
	if from, at := savedFrom(readHead(files, path.Join(path.Dir(name), "index.rdf"), savedHead)); from != nil {
		rec.URL, rec.Time, rec.Given = from.String(), at, true
	}
}

// isPart reports whether a file in a container is in the folder of a saved page.
func (c *inside) isPart(name string) bool {
	for dir := path.Dir(name); c.site.files != nil && dir != "."; dir = path.Dir(dir) {
		if belongsToPage(c.site.files, dir) {
			return true
		}
	}
	return false
}

// snapshot returns the record of a folder in which ArchiveBox keeps the copies that it made of one page, each in another
// way. It returns nil for any other folder.
func (s *folderSource) snapshot(files fs.FS, name string, pos record.Position) *record.Record {
	if !isFile(files, path.Join(name, "index.json")) {
		return nil
	}
	var about struct{ URL, Timestamp string }
	if json.Unmarshal(readHead(files, path.Join(name, "index.json"), 1<<20), &about) != nil || about.Timestamp == "" ||
		!strings.Contains(about.URL, "://") {
		return nil
	}
	copies := []string{"singlefile.html", "output.html", "dom.html", "readability/content.html", "mercury/content.html"}
	i := slices.IndexFunc(copies, func(c string) bool {
		info, err := fs.Stat(files, path.Join(name, c))
		return err == nil && info.Mode().IsRegular() && info.Size() > 0
	})
	if i < 0 {
		return nil
	}
	s.count++
	pos.Record, pos.File = s.count, filepath.Join(pos.File, filepath.FromSlash(copies[i]))
	rec := s.file(path.Join(name, copies[i]), pos)
	rec.URL, rec.Time = about.URL, record.ParseTime(about.Timestamp).Truncate(time.Second)
	rec.Given = true
	return rec
}
