package warc

import (
	"bytes"
	"io"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/internal/ascii"
)

// followedByPost reports whether the record after a response is the request that it answers, and sent a form. Most writers
// put a request after its response.
func (s *Source) followedByPost(h archiveHeader, data []byte) bool {
	if h.kind != "response" || h.id == "" || !bytes.Contains(data[:min(len(data), 2048)], []byte("html")) {
		return false
	}
	head, _ := s.Buf.Peek(stream.MaxLook)
	if len(head) == 0 {
		head = s.nextMember()
	}
	return isPostTo(bytes.TrimLeft(head, "\r\n"), h.id)
}

// nextMember returns the start of the member that follows the current one, or nil if it says early that it is no request.
func (s *Source) nextMember() []byte {
	const kind = "\nwarc-type: request"
	b, _ := s.Raw.Peek(stream.MaxLook)
	b = stream.AfterSkippable(b)
	var head [stream.MaxLook]byte
	for _, look := range [...]int{512, stream.MaxLook} {
		r := s.MemberIn(b[:min(look, len(b))])
		if r == nil {
			return nil
		}
		n, err := io.ReadFull(r, head[:])
		begin := bytes.ToLower(head[:min(n, 1024)])
		if i := bytes.Index(begin, []byte(kind[:11])); i >= 0 && len(begin)-i > len(kind) && !bytes.Contains(begin, []byte("request")) {
			return nil
		}
		if err == nil || look == stream.MaxLook {
			return head[:n]
		}
	}
	return nil
}

// postRequest returns the ID of a request that sent a form, and "" for any other record, before its block is read. Wget
// puts a request before its response.
func (s *Source) postRequest(h archiveHeader) string {
	if head, _ := s.Buf.Peek(int(min(h.length, 16))); h.kind == "request" && sendsForm(head) {
		return h.id
	}
	return ""
}

// sendsForm reports whether a request is one of a form or a program.
func sendsForm(request []byte) bool {
	method, _, _ := bytes.Cut(request, []byte(" "))
	return string(method) == "POST" || string(method) == "PUT" || string(method) == "PATCH"
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
	return request && same && sendsForm(block)
}
