// Package api offers questions over HTTP, without HTTP: which ones, within which bounds, and what goes wrong.
//
// [Operations] is the table of questions. A question is a struct: its fields are the parameters (see
// [github.com/lshclust/lshclust/ask.Option]), and its method Ask returns a model, a struct whose JSON is the answer and
// which a page for people can show as well. The OpenAPI document is generated from these types, so it cannot differ from
// what is served.
//
// The cost of an answer is bounded by its parameters and the constants of this package, however large the run is.
// [Heavy] operations cost more; a server answers only a few of them at a time. A model contains no path of the
// server's machine. The strings of a model point into the tables of the run, so it must be encoded before the run is
// closed.
package api
