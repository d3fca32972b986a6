package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// TestLines checks that every request gets one answer, and that damaged lines do not end the connection.
func TestLines(t *testing.T) {
	const newest = `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`
	lines := []struct{ line, want string }{
		{`not JSON`, `"code":-32700`},
		{strings.Repeat("a", maxMessage+1), `the line has more than`},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `"code":-32600`},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, `"id":null`},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `"id":null`},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, ``},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, ``},
		{`{"jsonrpc":"2.0","method":"nothing","params":5}`, ``},
		{``, ``},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"id":1,"jsonrpc":"2.0","result":{}}`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `must be initialize`},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":` + newest + `}`, `"resultType":"complete"`},
		{`{"jsonrpc":"2.0","id":2,"method":"server/discover","params":` + newest + `}`, `"supportedVersions":["2026-07-28",`},
		{`{"jsonrpc":"2.0","id":2,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01"}}}`, `"code":-32022`},
		{`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}`, `"protocolVersion":"2024-11-05"`},
		{`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`, `"protocolVersion":"2025-06-18"`},
		{`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"old"}}`, `"protocolVersion":"2025-11-25"`},
		{`{"jsonrpc":"2.0","id":"a\u202e","method":"tools/list","params":{}}`, `"id":"a\u202e"`},
		{`{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"x"}}`, `"code":-32602`},
		{`{"jsonrpc":"2.0","id":4,"method":"tools/call"}`, `"code":-32602`},
		{`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":5}}`, `"code":-32602`},
		{`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"delete"}}`, `there is no tool \"delete\"`},
		{`{"jsonrpc":"2.0","id":4,"method":"resources/list"}`, `"code":-32601`},
	}
	var in strings.Builder
	for _, l := range lines {
		in.WriteString(l.line + "\n")
	}
	var out bytes.Buffer
	s := &server{info: result{"name": "test"}, tools: map[string]*tool{}, described: []result{}}
	if err := s.serve(t.Context(), strings.NewReader(in.String()), &out); err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		if l.want == "" {
			continue
		}
		answer, err := out.ReadString('\n')
		if err != nil || !json.Valid([]byte(answer)) || !strings.Contains(answer, l.want) {
			t.Errorf("%s\nis answered by %s%v\nwant %s", l.line, answer, err, l.want)
		}
	}
	if out.Len() > 0 {
		t.Errorf("more: %s", out.String())
	}
}

// TestCancelled checks that a notification cancels only the call with its ID.
func TestCancelled(t *testing.T) {
	one, end1 := context.WithCancelCause(t.Context())
	two, end2 := context.WithCancelCause(t.Context())
	c := &connection{running: map[string]context.CancelCauseFunc{`1`: end1, `"1"`: end2}}
	c.take(t.Context(), []byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1"}}`))
	if one.Err() != nil || !errors.Is(context.Cause(two), errCancelled) {
		t.Errorf("%v, %v", one.Err(), context.Cause(two))
	}
	end1(nil)
}
