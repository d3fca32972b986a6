package crawls

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/internal/runs"
)

// Changes of a record.
const (
	RecordMatching = "matching" // the same URL, status and payload
	RecordNear     = "near"     // the same URL, another status or payload
	RecordOld      = "old"      // only the older crawl has it
	RecordNew      = "new"      // only the newer crawl has it
)

// RecordChange is a response of one crawl, or the same of two.
type RecordChange struct {
	Change    string `json:"change" doc:"matching: the same URL, status and payload; near: the same URL, another status or payload; old, new: only one crawl has it" enum:"matching,near,old,new"`
	URL       string `json:"url" doc:"as the archive has it"`
	MediaType string `json:"media_type" doc:"of the newer one, if there are two"`
	StatusOld int    `json:"status_old,omitempty"`
	StatusNew int    `json:"status_new,omitempty"`
	BytesOld  int    `json:"bytes_old,omitempty" doc:"of the payload, as it was sent"`
	BytesNew  int    `json:"bytes_new,omitempty"`
	FileOld   string `json:"file_old,omitempty"`
	OffsetOld int64  `json:"offset_old" doc:"of the record in its file, in bytes"`
	FileNew   string `json:"file_new,omitempty"`
	OffsetNew int64  `json:"offset_new"`
}

// response is a response without its payload.
type response struct {
	url, media    string
	status, bytes int
	sum           xxh3.Uint128
	at            crawl.Position
}

// CompareRecords compares the HTTP responses in the archives of two runs, whatever their media types. Of several responses of
// a URL, those that match are paired first, and then the others in the order of the archives. The result is in the order of
// URLs.
func CompareRecords(ctx context.Context, older, newer *runs.Run) ([]RecordChange, error) {
	a, err := responses(ctx, older)
	if err != nil {
		return nil, err
	}
	b, err := responses(ctx, newer)
	if err != nil {
		return nil, err
	}
	var out []RecordChange
	for len(a)+len(b) > 0 {
		var url string
		switch {
		case len(a) == 0:
			url = b[0].url
		case len(b) == 0:
			url = a[0].url
		default:
			url = min(a[0].url, b[0].url)
		}
		i, j := 0, 0
		for i < len(a) && a[i].url == url {
			i++
		}
		for j < len(b) && b[j].url == url {
			j++
		}
		out = append(out, pairResponses(a[:i], b[:j])...)
		a, b = a[i:], b[j:]
	}
	return out, nil
}

// pairResponses pairs the responses of a URL.
func pairResponses(a, b []response) (out []RecordChange) {
	used := make([]bool, len(b))
	match := func(x response) int {
		for j, y := range b {
			if !used[j] && x.sum == y.sum && x.status == y.status && x.bytes == y.bytes {
				return j
			}
		}
		return -1
	}
	var rest []response
	for _, x := range a {
		if j := match(x); j >= 0 {
			used[j] = true
			out = append(out, changeOf(RecordMatching, &x, &b[j]))
		} else {
			rest = append(rest, x)
		}
	}
	for j := range b {
		switch {
		case used[j]:
		case len(rest) > 0:
			out = append(out, changeOf(RecordNear, &rest[0], &b[j]))
			rest = rest[1:]
		default:
			out = append(out, changeOf(RecordNew, nil, &b[j]))
		}
	}
	for i := range rest {
		out = append(out, changeOf(RecordOld, &rest[i], nil))
	}
	return out
}

func changeOf(change string, a, b *response) RecordChange {
	c := RecordChange{Change: change}
	if a != nil {
		c.URL, c.MediaType, c.StatusOld, c.BytesOld = a.url, a.media, a.status, a.bytes
		c.FileOld, c.OffsetOld = filepath.Base(a.at.File), a.at.Offset
	}
	if b != nil {
		c.URL, c.MediaType, c.StatusNew, c.BytesNew = b.url, b.media, b.status, b.bytes
		c.FileNew, c.OffsetNew = filepath.Base(b.at.File), b.at.Offset
	}
	return c
}

// responses returns the responses in the archives of the run, in the order of URLs, and those of a URL in the order of the
// archives.
func responses(ctx context.Context, r *runs.Run) (out []response, err error) {
	all := func(about record.About, _ []byte) bool { return about.Type == "response" }
	err = eachResponse(ctx, r, all, func(a *archived) error {
		if len(out) == mostContents {
			return fmt.Errorf("the archives have more than %d responses; cluster fewer of them into a run", mostContents)
		}
		out = append(out, response{a.rec.URL, a.media, a.status, a.bytes, a.sum, a.rec.Pos})
		return nil
	})
	slices.SortStableFunc(out, func(a, b response) int { return cmp.Compare(a.url, b.url) })
	return out, err
}
