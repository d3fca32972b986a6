package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/lshclust/lshclust/internal/harmless"
)

// The protocol is https://modelcontextprotocol.io/specification: JSON-RPC with one message per line. Clients of the
// newest version name it in each request. Older ones agree on a version with the request initialize.
const newestVersion = "2026-07-28"

// olderVersions omits 2025-03-26, the only version that allows several messages in a line. Its clients know the
// version before, too.
var olderVersions = []string{"2025-11-25", "2025-06-18", "2024-11-05"}

// Bounds on what a client may send.
const (
	maxMessage = 1 << 20 // in bytes
	maxCalls   = 16      // answered at the same time
)

// message is a request, or a notification if it has no ID. Answers have no method.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// params holds the parameters of all methods.
type params struct {
	ProtocolVersion string          `json:"protocolVersion"` // initialize
	Name            string          `json:"name"`            // tools/call
	Arguments       json.RawMessage `json:"arguments"`
	RequestID       json.RawMessage `json:"requestId"` // notifications/cancelled
	Cursor          string          `json:"cursor"`    // tools/list
	Meta            struct {
		Version string `json:"io.modelcontextprotocol/protocolVersion"`
	} `json:"_meta"`
}

// result is the result of a request, a JSON object.
type result = map[string]any

// failure is the error of a request. Problems of tools are results instead, so that a model sees them.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// Codes of failures.
const (
	noJSON             = -32700
	badRequest         = -32600
	noMethod           = -32601
	badParams          = -32602
	unsupportedVersion = -32022
)

// connection is the state of a connected client.
type connection struct {
	*server
	begun bool // the client sent initialize

	writing sync.Mutex
	out     io.Writer
	broken  context.CancelCauseFunc // ends the connection

	calls   sync.WaitGroup
	places  chan struct{} // one for each running call
	mu      sync.Mutex
	running map[string]context.CancelCauseFunc // running calls by ID
}

// errCancelled is the cause if the client cancels a call.
var errCancelled = errors.New("cancelled by the client")

// serve answers messages until the input or the context ends, and then waits for running calls.
func (s *server) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, broken := context.WithCancelCause(ctx)
	defer broken(nil)
	c := &connection{server: s, out: out, broken: broken, places: make(chan struct{}, maxCalls), running: map[string]context.CancelCauseFunc{}}
	defer c.calls.Wait()
	lines, ended := make(chan []byte), make(chan error, 1)
	go func() {
		input := bufio.NewReader(in)
		for {
			line, err := readLine(input)
			if len(line) > 0 {
				select {
				case lines <- line:
				case <-ctx.Done():
					return
				}
			}
			if errors.Is(err, io.EOF) {
				err = nil
			} else if err == nil {
				continue
			}
			ended <- err
			return
		}
	}()
	for {
		select {
		case line := <-lines:
			c.take(ctx, line)
		case err := <-ended:
			c.calls.Wait()
			return errors.Join(err, context.Cause(ctx))
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// readLine reads a line. Of one that is longer than maxMessage, it returns only the beginning.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part[:min(len(part), maxMessage+1-len(line))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// take answers a message or starts a call that does.
func (c *connection) take(ctx context.Context, line []byte) {
	var m message
	err := json.Unmarshal(line, &m)
	isRequest := len(m.ID) > 0 && (m.ID[0] == '"' || m.ID[0] == '-' || m.ID[0] >= '0' && m.ID[0] <= '9')
	switch {
	case len(bytes.TrimSpace(line)) == 0:
	case len(line) > maxMessage:
		c.answerWith(nil, nil, &failure{Code: noJSON, Message: fmt.Sprintf("the line has more than %d bytes", maxMessage)})
	case !json.Valid(line):
		c.answerWith(nil, nil, &failure{Code: noJSON, Message: "the line is no JSON"})
	case err != nil || m.JSONRPC != "2.0" || len(m.ID) > 0 && !isRequest && string(m.ID) != "null":
		c.answerWith(nil, nil, &failure{Code: badRequest, Message: "the line is no message of JSON-RPC 2.0"})
	case m.Method == "": // an answer, although nothing was asked
	case !isRequest:
		c.notice(&m)
	default:
		var p params
		if len(m.Params) > 0 && json.Unmarshal(m.Params, &p) != nil {
			c.answerWith(m.ID, nil, &failure{Code: badParams, Message: "the parameters are not of the types that " + m.Method + " takes"})
			return
		}
		if f := c.allowed(&m, &p); f != nil {
			c.answerWith(m.ID, nil, f)
			return
		}
		if m.Method == "tools/call" {
			c.start(ctx, m.ID, &p)
			return
		}
		r, f := c.immediate(m.Method, &p)
		c.answerWith(m.ID, c.newest(&p, r), f)
	}
}

// notice handles a notification. Only cancellation has an effect.
func (c *connection) notice(m *message) {
	var p params
	if m.Method != "notifications/cancelled" || json.Unmarshal(m.Params, &p) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel := c.running[string(p.RequestID)]; cancel != nil {
		cancel(errCancelled)
	}
}

// allowed returns a failure if the client may not send the request in this version of the protocol or before
// initialize.
func (c *connection) allowed(m *message, p *params) *failure {
	switch v := p.Meta.Version; {
	case v != "" && v != newestVersion:
		supported := append([]string{newestVersion}, olderVersions...)
		return &failure{unsupportedVersion, "this version of the protocol is not supported", result{"supported": supported, "requested": v}}
	case v == "" && !c.begun && m.Method != "initialize" && m.Method != "ping" && m.Method != "server/discover":
		return &failure{Code: badRequest, Message: "the first request must be initialize"}
	case m.Method == "tools/call" && len(m.Params) == 0:
		return &failure{Code: badParams, Message: "the parameters are missing"}
	}
	return nil
}

// immediate answers a request that is not a call.
func (c *connection) immediate(method string, p *params) (result, *failure) {
	switch method {
	case "initialize":
		c.begun = true
		version := olderVersions[0]
		if i := slices.IndexFunc(olderVersions, func(v string) bool { return v <= p.ProtocolVersion }); i >= 0 {
			version = olderVersions[i]
		}
		return result{"protocolVersion": version, "capabilities": capabilities, "serverInfo": c.info, "instructions": instructions}, nil
	case "server/discover":
		return result{"supportedVersions": append([]string{newestVersion}, olderVersions...), "capabilities": capabilities, "instructions": instructions,
			"ttlMs": 0, "cacheScope": "public"}, nil
	case "ping":
		return result{}, nil
	case "tools/list":
		if p.Cursor != "" {
			return nil, &failure{Code: badParams, Message: "the list has no such cursor: it comes at once"}
		}
		return result{"tools": c.described, "ttlMs": 0, "cacheScope": "public"}, nil
	}
	return nil, &failure{Code: noMethod, Message: fmt.Sprintf("there is no method %q", method)}
}

// newest adds to a result the fields that the newest version of the protocol requires, if the request is of this
// version.
func (c *connection) newest(p *params, r result) result {
	if r != nil && p.Meta.Version != "" {
		r["resultType"], r["_meta"] = "complete", result{"io.modelcontextprotocol/serverInfo": c.info}
	}
	return r
}

// start runs a call in its own goroutine, which answers it. start waits while too many calls run.
func (c *connection) start(ctx context.Context, id json.RawMessage, p *params) {
	tool, ok := c.tools[p.Name]
	if !ok {
		c.answerWith(id, nil, &failure{Code: badParams, Message: fmt.Sprintf("there is no tool %q", p.Name)})
		return
	}
	select {
	case c.places <- struct{}{}:
	case <-ctx.Done():
		return
	}
	ctx, cancel := context.WithCancelCause(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running[string(id)] = cancel
	c.calls.Go(func() {
		r := c.call(ctx, tool, p.Arguments)
		c.mu.Lock()
		delete(c.running, string(id))
		c.mu.Unlock()
		if context.Cause(ctx) == nil {
			c.answerWith(id, c.newest(p, r), nil)
		}
		cancel(nil)
		<-c.places
	})
}

// answerWith writes the answer to a request: a result, or a failure.
func (c *connection) answerWith(id json.RawMessage, r result, f *failure) {
	if id == nil {
		id = json.RawMessage("null")
	}
	answer := result{"jsonrpc": "2.0", "id": id}
	if f != nil {
		answer["error"] = f
	} else {
		answer["result"] = r
	}
	line, err := json.Marshal(answer)
	if err == nil {
		c.writing.Lock()
		defer c.writing.Unlock()
		_, err = c.out.Write(append(harmless.JSON(line), '\n'))
	}
	if err != nil {
		c.broken(err)
	}
}
