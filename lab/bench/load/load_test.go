package load

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// TestLoad: all kinds of questions are asked, in their shares, and failures are counted.
func TestLoad(t *testing.T) {
	var asked [5]atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for k := range kinds {
			if strings.HasPrefix(r.URL.Path, "/v1/"+kinds[k].name) {
				asked[k].Add(1)
			}
		}
		switch {
		case r.URL.Query().Get("limit") != "":
			fmt.Fprint(w, `{"items":[{"url":"https://a.example/?x=1&y"},{"url":"https://b.example/"}]}`)
		case r.URL.Path == "/v1/explain":
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/v1/page" && !strings.HasPrefix(r.URL.Query().Get("url"), "https://"):
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	defer s.Close()
	failed, err := load(s.URL, 1000, 1, []string{"w"})
	if err != nil || failed != 100 {
		t.Errorf("%d failed, want the 100 of explain; %v", failed, err)
	}
	for k := range kinds {
		if n := int(asked[k].Load()); n < 10*kinds[k].share || n > 10*kinds[k].share+1 {
			t.Errorf("%s: %d", kinds[k].name, n)
		}
	}
	if _, err := load("http://127.0.0.1:1", 1, 1, []string{"w"}); err == nil {
		t.Error("no error without a server")
	}
}
