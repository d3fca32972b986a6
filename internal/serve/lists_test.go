package serve

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
)

// TestLists checks the lists of clusters, of the nodes of the tree and of hosts against one another.
func TestLists(t *testing.T) {
	c := start(t, Options{})
	clusters := into[ask.ClustersAnswer](t, c.get(200, "/v1/clusters", "limit", "1000"))
	if len(clusters.Items) != clusters.Total || clusters.Total < 10 || clusters.Items[0].Size < clusters.Items[1].Size || clusters.Items[0].Label == "" {
		t.Fatalf("%d clusters of %d", len(clusters.Items), clusters.Total)
	}
	texts := into[ask.ClustersAnswer](t, c.get(200, "/v1/clusters", "view", config.Syntactic))
	if texts.Total == 0 || texts.Items[0].SyntacticCluster == nil {
		t.Errorf("%+v", texts)
	}

	// Every topic can be reached from the top of the tree, node by node and portion by portion.
	var leaves []string
	var walk func(id string, size int)
	walk = func(id string, size int) {
		sum := 0
		for next := ""; ; {
			args := []string{"limit", "7"}
			for name, value := range map[string]string{"id": id, "cursor": next} {
				if value != "" {
					args = append(args, name, value)
				}
			}
			b := into[ask.BranchAnswer](t, c.get(200, "/v1/tree", args...))
			if len(b.Path) > 0 && b.Path[len(b.Path)-1].ID != id {
				t.Fatalf("the path to %s ends at %s", id, b.Path[len(b.Path)-1].ID)
			}
			for _, n := range b.Items {
				if sum += n.Size; n.Children > 0 {
					walk(n.ID, n.Size)
				} else if n.Size > 1 {
					leaves = append(leaves, n.ID)
				}
			}
			if next = b.Next; next == "" {
				break
			}
		}
		if id != "" && sum != size {
			t.Errorf("%s has %d documents, and the nodes below it %d", id, size, sum)
		}
	}
	walk("", 0)
	r, err := runs.Open(sampleRun(t))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if n := r.Manifest.Counts["topics"]; n < 10 || len(leaves) != int(n) {
		t.Errorf("%d topics are in the tree, the run has %d", len(leaves), n)
	}

	// The members of a node are those of the leaves below it, in portions, too.
	top := into[ask.BranchAnswer](t, c.get(200, "/v1/tree", "limit", "1")).Items[0]
	seen := map[string]bool{}
	for next := []string(nil); ; {
		m := into[ask.ClusterAnswer](t, c.get(200, "/v1/cluster/"+top.ID, append(next, "limit", "13")...))
		for _, x := range m.Items {
			seen[x.URL] = true
		}
		if m.Size != top.Size || m.Next == "" {
			break
		}
		next = []string{"cursor", m.Next}
	}
	if top.Level == 0 || len(seen) != top.Size {
		t.Errorf("%s of level %d has %d documents, listed are %d", top.ID, top.Level, top.Size, len(seen))
	}
	c.get(404, "/v1/cluster/"+top.ID[:16]+".77")

	hosts := into[ask.HostsAnswer](t, c.get(200, "/v1/hosts"))
	if hosts.Total != len(hosts.Items) || hosts.Items[0].Name != "postgresql.org" || hosts.Items[0].Crawled < 390 {
		t.Fatalf("%+v", hosts)
	}
	host := into[ask.HostAnswer](t, c.get(200, "/v1/host", "host", "www.postgresql.org", "limit", "1000"))
	if host.Host != hosts.Items[0] || len(host.Items) != host.Documents || host.Items[0].InLinks < host.Items[1].InLinks || len(host.Topics) == 0 {
		t.Errorf("%+v, listed as %+v", host, hosts.Items[0])
	}
}

// TestGzip checks that answers are compressed for those who accept it, and are the same then.
func TestGzip(t *testing.T) {
	c := start(t, Options{})
	const path = "/v1/related?limit=100&url=" + gin
	plain := c.do(http.MethodGet, path, nil, "Accept-Encoding: gzip;q=0, br")
	packed := c.do(http.MethodGet, path, nil, "Accept-Encoding: br, gzip")
	if packed.Header.Get("Content-Encoding") != "gzip" || plain.Header.Get("Content-Encoding") != "" || 3*len(packed.body) > len(plain.body) {
		t.Fatalf("%d bytes are %d compressed: %v", len(plain.body), len(packed.body), packed.Header)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed.body))
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(z); err != nil || !bytes.Equal(body, plain.body) {
		t.Errorf("%v; the answers differ", err)
	}
	if a := c.do(http.MethodGet, "/healthz", nil, "Accept-Encoding: gzip"); a.Header.Get("Content-Encoding") != "" {
		t.Error("a small answer is compressed")
	}
	if a := c.do(http.MethodGet, path, nil, "Accept-Encoding: gzip", "If-None-Match: "+plain.Header.Get("Etag")); a.StatusCode != http.StatusNotModified {
		t.Errorf("the ETag of the other encoding: %d", a.StatusCode)
	}
}

// TestWorstFirst checks that the page of a site lists findings of the worst kind, until another one is chosen.
func TestWorstFirst(t *testing.T) {
	c := start(t, Options{})
	page := c.looked(200, "/site")
	worst := regexp.MustCompile(`<th scope="row"><a href="/site\?kind=([a-z-]+)"`).FindStringSubmatch(page)
	chosen := regexp.MustCompile(`kind=([a-z-]+)" aria-current="true"`).FindStringSubmatch(page)
	if worst == nil || chosen == nil || worst[1] != chosen[1] {
		t.Errorf("the worst is %q, listed is %q", worst, chosen)
	}
	if page = c.looked(200, "/site", "kind", "thin"); !strings.Contains(page, `kind=thin" aria-current="true"`) {
		t.Error("thin pages cannot be chosen")
	}
}

// TestCalledSo checks that a search leads to the topics with its words in their labels, if there are any.
func TestCalledSo(t *testing.T) {
	c := start(t, Options{})
	for query, called := range map[string]bool{"index": true, "zebras": false} {
		page := c.looked(200, "/search", "q", query)
		if strings.Contains(page, `<a href="/topics?label=`+query+`">`) != called {
			t.Errorf("%s: a link to the topics called so: %v", query, !called)
		}
	}
	if listed := c.looked(200, "/topics", "label", "index"); !strings.Contains(listed, `<table class="dense topics">`) {
		t.Error("no topic is called index")
	}
}
