package crawl_test

import (
	"archive/zip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// allLayouts holds the formats of the laws.
var allLayouts = slices.Concat(layouts, []layout{
	{"arc.gz", true, true, false, func(t *testing.T, bodies []body) string {
		members := []string{ArcHead}
		for _, b := range bodies {
			members = append(members, ArcRecord(b.url(), b.response()))
		}
		return file(t, "x.arc.gz", Gzip(members...))
	}},
	{"warc.zst", true, true, false, func(t *testing.T, bodies []body) string {
		var frames []string
		for _, b := range bodies {
			frames = append(frames, string(warcOf([]body{b})))
		}
		return file(t, "x.warc.zst", Zstd(nil, frames...))
	}},
	{"warc.lz4", true, true, false, func(t *testing.T, bodies []body) string {
		return file(t, "x.warc.lz4", packedBy(".lz4", string(warcOf(bodies))))
	}},
	{"warc of heads twice", true, true, false, func(t *testing.T, bodies []body) string {
		out := ""
		for _, b := range bodies {
			head, _, _ := strings.Cut(b.response(), "\r\n\r\n")
			out += WarcRecord("response", b.url(), head+"\r\n\r\n"+b.response())
		}
		return file(t, "x.warc", []byte(out))
	}},
	{"warc of gzip bodies", true, true, false, func(t *testing.T, bodies []body) string {
		out := ""
		for _, b := range bodies {
			head, data, _ := strings.Cut(b.response(), "\r\n\r\n")
			out += WarcRecord("response", b.url(), head+"\r\nContent-Encoding: gzip\r\n\r\n"+string(Gzip(data)))
		}
		return file(t, "x.warc", []byte(out))
	}},
	{"multi-WACZ", true, true, false, func(t *testing.T, bodies []body) string {
		inner := zipOf(t, zipEntry{"archive/a.warc", zip.Deflate, warcOf(bodies)})
		return file(t, "m.wacz", zipOf(t, zipEntry{"datapackage.json", zip.Store, []byte(`{"profile": "multi-wacz-package"}`)}, zipEntry{"a.wacz", zip.Store, inner}))
	}},
	{"tar.gz", true, false, true, func(t *testing.T, bodies []body) string {
		var entries []zipEntry
		for _, b := range bodies {
			entries = append(entries, zipEntry{name: "example.org/" + b.name, data: []byte(b.data)})
		}
		return file(t, "x.tar.gz", Gzip(string(tarOf(t, entries...))))
	}},
	{"folder of MHTML", true, false, false, func(t *testing.T, bodies []body) string {
		files := map[string]string{}
		for i, b := range bodies {
			files[fmt.Sprint(i, ".mht")] = "MIME-Version: 1.0\r\nSnapshot-Content-Location: " + b.url() + "\r\nContent-Type: multipart/related; boundary=b\r\n\r\n" +
				"--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(b.data)) + "\r\n--b--\r\n"
		}
		return treeOf(t, files)
	}},
	{"base64", true, false, false, func(t *testing.T, bodies []body) string {
		var coded []body
		for _, b := range bodies {
			coded = append(coded, body{b.name, b.kind, base64.StdEncoding.EncodeToString([]byte(b.data))})
		}
		return file(t, "x.jsonl", jsonOf(t, coded, "", "\n", ""))
	}},
	{"LZ4 of Parquet", false, false, false, func(t *testing.T, bodies []body) string {
		type row struct{ URL, HTML, Nothing string }
		var rows []row
		for _, b := range bodies {
			rows = append(rows, row{b.url(), b.data, ""})
		}
		return ParquetFile(t, ParquetOf(t, rows, parquet.Compression(&parquet.Lz4Raw)))
	}},
	{"objects by URL", false, false, false, func(t *testing.T, bodies []body) string {
		var members []string
		for _, b := range bodies {
			members = append(members, string(jsonValue(t, b.url()))+": "+string(jsonValue(t, b.data)))
		}
		return file(t, "x.json", []byte("{"+strings.Join(members, ", ")+"}"))
	}},
	{"wrapped and pretty", false, false, false, func(t *testing.T, bodies []body) string {
		var list []map[string]any
		for _, b := range bodies {
			list = append(list, map[string]any{"url": b.url(), "html": b.data, "text": nil})
		}
		out, err := json.MarshalIndent(map[string]any{"count": len(list), "data": list}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		return file(t, "x.json", out)
	}},
	{"literals of Python", false, false, false, func(t *testing.T, bodies []body) string {
		lines := strings.ReplaceAll(string(jsonOf(t, bodies, "", "\n", "")), `{"`, `{"score": NaN, "ok": True, "`)
		return file(t, "x.jsonl", []byte(lines))
	}},
	{"single quotes", false, false, false, func(t *testing.T, bodies []body) string {
		out := "'url','html','size'\n"
		for _, b := range bodies {
			out += "'" + b.url() + "','" + strings.ReplaceAll(b.data, "'", "''") + "','\\N'\n"
		}
		return file(t, "x.csv", []byte(out))
	}},
	{"backslashes", false, false, false, func(t *testing.T, bodies []body) string {
		out := "url,html,title\n"
		for _, b := range bodies {
			out += b.url() + `,"` + strings.ReplaceAll(b.data, `"`, `\"`) + `","a \"title\""` + "\n"
		}
		return file(t, "x.csv", []byte(out))
	}},
})

func jsonValue(t *testing.T, v any) []byte {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
