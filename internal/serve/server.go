package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"
	"golang.org/x/sync/semaphore"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/serve/api"
)

// Options are the settings of a server. The zero value suits a server on the loopback interface.
type Options struct {
	Version string       // of the program, for the OpenAPI document and the ETags
	Log     *slog.Logger // of requests and runs; nil for none
	Token   string       // required of every request except health checks; "" for none
	Origins []string     // origins of web pages that may ask and read answers, such as "https://example.org"
	Hosts   []string     // names of the server, besides those of the loopback interface if it listens there

	Timeout    time.Duration // of an answer; 0 means 30 s
	MaxBody    int64         // bytes of the body of a request; 0 means 1 MiB
	Concurrent int           `value:"N" doc:"answer at most N questions at a time (default 8 for each processor)"`
	Heavy      int           `value:"N" doc:"of these, at most N that may take seconds, such as diff (default 1 for each processor)"`
	Patience   time.Duration // how long a question waits for its turn; 0 means 5 s
	Poll       time.Duration // interval between checks for replaced runs; 0 means 1 s
}

// Further bounds on what a client can make the server hold.
const (
	maxConnections = 1024
	maxHeader      = 64 << 10
	maxAnswer      = 32 << 20
	headerTimeout  = 5 * time.Second
	bodyTimeout    = 30 * time.Second
	idleTimeout    = 2 * time.Minute
	grace          = 10 * time.Second // for answers that are being written when the server stops
)

// Server answers questions about runs.
type Server struct {
	o        Options
	runs     *runList
	document []byte // the OpenAPI document
	limits   *limits
	counters *counters
	guard    *guard
	stopping atomic.Bool
	reload   chan struct{}
}

// New opens the runs of some sources. The first run answers questions that name none. The caller calls Serve, which
// closes the runs, or Close.
func New(sources []Source, o Options) (*Server, error) {
	if len(sources) == 0 {
		return nil, errors.New("there is no run to serve")
	}
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.MaxBody = cmp.Or(o.MaxBody, 1<<20)
	o.Concurrent = cmp.Or(o.Concurrent, 8*runtime.GOMAXPROCS(0))
	o.Heavy = cmp.Or(o.Heavy, runtime.GOMAXPROCS(0))
	o.Patience = cmp.Or(o.Patience, 5*time.Second)
	o.Poll = cmp.Or(o.Poll, time.Second)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	g, err := newGuard(o)
	if err != nil {
		return nil, err
	}
	document, err := json.MarshalIndent(api.OpenAPI(o.Version), "", " ")
	if err != nil {
		return nil, err
	}
	all, err := openRuns(sources)
	if err != nil {
		return nil, err
	}
	return &Server{
		o: o, runs: all, document: append(document, '\n'), counters: newCounters(), guard: g, reload: make(chan struct{}, 1),
		limits: &limits{semaphore.NewWeighted(int64(o.Concurrent)), semaphore.NewWeighted(int64(o.Heavy)), o.Patience},
	}, nil
}

// Close closes the runs of a server on which Serve was not called.
func (s *Server) Close() error { return s.runs.close() }

// Reload makes a running server open all runs again. It does not wait for that.
func (s *Server) Reload() {
	select {
	case s.reload <- struct{}{}:
	default: // a reload is already due
	}
}

// Serve answers requests until the context ends. Then it finishes those in progress, for up to ten seconds, and
// closes the runs. It returns nil if nothing else stopped it.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if isLoopback(l.Addr()) {
		s.guard.loopback = true
	}
	h := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: headerTimeout, ReadTimeout: bodyTimeout, WriteTimeout: s.o.Timeout + s.o.Patience + bodyTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(s.o.Log.Handler(), slog.LevelDebug),
	}
	watching, stop := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() { s.watch(watching) })
	work.Go(func() { s.warm(watching) })
	failed := make(chan error, 1)
	work.Go(func() { failed <- h.Serve(netutil.LimitListener(l, maxConnections)) })
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		err = s.shutdown(h)
	}
	stop()
	work.Wait()
	return errors.Join(err, s.runs.close())
}

// shutdown stops a running server.
func (s *Server) shutdown(h *http.Server) error {
	s.stopping.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	err := h.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		s.o.Log.Warn("answers were cut off, because they took too long when the server stopped")
		return h.Close()
	}
	return err
}

// warm asks about each run what is asked first, so that the first visitor need not wait for it. That visitor sees any error.
func (s *Server) warm(ctx context.Context) {
	for _, name := range s.runs.names {
		_ = s.held(name, func(o *opened) error {
			_, err := ask.Defaults(ask.Overview{}).Ask(ctx, o.Run.Run)
			if ctx.Err() == nil && err == nil {
				_, err = ask.Search{Words: name}.Ask(ctx, o.Run.Run)
			}
			if ctx.Err() == nil && err == nil {
				_, err = ask.Compared(ctx, o.Run.Run)
			}
			return err
		})
	}
}

// watch replaces runs that changed.
func (s *Server) watch(ctx context.Context) {
	ticker := time.NewTicker(s.o.Poll)
	defer ticker.Stop()
	for {
		force := false
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-s.reload:
			force = true
		}
		for _, name := range s.runs.names {
			s.renew(s.runs.served[name], force)
		}
	}
}

// renew opens a run again if it changed. If the new one cannot be opened, the old one keeps answering.
func (s *Server) renew(r *served, force bool) {
	replaced, err := r.reload(force)
	switch {
	case err != nil && replaced:
		s.o.Log.Error("the run that was replaced could not be closed", "run", r.source.Name, "error", err)
	case err != nil && r.failed(err):
		s.counters.load(r.source.Name, "failed")
		s.o.Log.Error("the new run cannot be opened; the old one goes on answering", "run", r.source.Name, "error", err)
	case replaced:
		s.counters.load(r.source.Name, "replaced")
		o := s.runs.acquire(r.source.Name)
		s.o.Log.Info("a new run answers", "run", r.source.Name, "digest", o.Manifest.Digest, "documents", o.Len())
		o.release() //nolint:errcheck // the run stays open
	}
}
