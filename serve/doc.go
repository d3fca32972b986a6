// Package serve answers questions about finished runs over HTTP.
//
//	s, err := serve.New([]serve.Source{{Name: "crawl", Path: "crawl.run"}}, serve.Options{})
//	if err != nil {
//		return err
//	}
//	return s.Serve(ctx, listener)
//
// What can be asked, and what is answered, is in package [github.com/lshclust/lshclust/serve/api]. This package does
// the rest: it opens runs and replaces them while questions are being answered (runs.go, pointer.go), chooses the form
// of an answer and writes it (handler.go, render.go), and protects the server and those who use it (guard.go,
// limits.go). It logs and counts every request (observe.go).
//
// Every request holds its run open until its answer is encoded. A run that is replaced is closed when the last of these
// requests ends.
package serve
