// Package serve answers questions about finished runs over HTTP.
//
//	s, err := serve.New([]serve.Source{{Name: "crawl", Path: "crawl.run"}}, serve.Options{})
//	if err != nil {
//		return err
//	}
//	return s.Serve(ctx, listener)
//
// Package [github.com/lshclust/lshclust/internal/serve/api] defines the questions and answers. This package does the rest: it
// opens runs and replaces them while questions are being answered (runs.go), negotiates the form of an
// answer and writes it (handler.go, render.go), and protects the server and its users (guard.go). It logs
// and counts every request, and limits how many are answered at a time (observe.go).
//
// Every request keeps its run open until its answer is encoded. A replaced run is closed when the last of these
// requests ends.
package serve
