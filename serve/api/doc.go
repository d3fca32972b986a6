// Package api defines the questions that can be asked over HTTP, without HTTP: the parameters of each, how it is
// answered, and the form of the answer.
//
// [Operations] is the only table of questions. An [Operation] names its path and its parameters; its function Ask
// answers the question from package query with a model: a struct whose JSON is the answer, and which a page for
// people can show as well. The OpenAPI document is generated from the same table and the types of the models, so it
// cannot differ from what is served.
//
// The cost of an answer is bounded by its parameters and the constants of this package, however large the run is.
// [Heavy] operations cost more; a server answers only a few of them at a time. A model contains no path of the
// server's machine. The strings of a model point into the tables of the run, so it must be encoded before the run is
// closed.
package api
