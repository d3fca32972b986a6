package warc

import (
	"bytes"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/internal/ascii"
)

// followedByPost reports whether the record after a response is the request that it answers, and sent a form. Most writers
// put a request after its response.
func (s *Source) followedByPost(h archiveHeader, data []byte) bool {
	if h.kind != "response" || h.id == "" || !bytes.Contains(data[:min(len(data), 2048)], []byte("html")) {
		return false
	}
	post := false
	look := func(head []byte) bool {
		post = isPostTo(bytes.TrimLeft(head, "\r\n"), h.id)
		return post
	}
	if head, _ := s.Buf.Peek(stream.MaxLook); len(head) > 0 {
		return look(head)
	}
	if s.Kind == stream.Gzip {
		b, _ := s.Raw.Peek(stream.MaxLook)
		s.Inflates(b, look)
	}
	return post
}

// isPostTo reports whether head begins with a request that belongs to the response with an id and is neither GET nor HEAD.
func isPostTo(head []byte, id string) bool {
	fields, block, ok := bytes.Cut(head, []byte("\r\n\r\n"))
	if !ok || !bytes.HasPrefix(head, []byte("WARC/")) {
		return false
	}
	request, same := false, false
	for line := range bytes.SplitSeq(fields, []byte("\r\n")) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		request = request || ascii.EqualFold(name, "warc-type") && ascii.EqualFold(value, "request")
		same = same || ascii.EqualFold(name, "warc-concurrent-to") && string(value) == id
	}
	method, _, _ := bytes.Cut(block, []byte(" "))
	return request && same && (string(method) == "POST" || string(method) == "PUT" || string(method) == "PATCH")
}
