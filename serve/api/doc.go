// Package api holds the questions that can be asked over HTTP, without HTTP: what each takes, how it is answered, and
// what the answer looks like.
//
// [Operations] is the one table of all questions. An [Operation] names its path and its parameters, and Ask answers it
// from package query with a model: a struct whose JSON is the answer, and which a page for people can show as well. The
// OpenAPI document is generated from the same table and from the types of the models, so it cannot differ from what is
// served.
//
// There are three rules. An answer costs no more than its parameters and the constants of this package allow, however
// large the run is; [Heavy] operations cost more, and a server answers few of them at a time. A model holds no path of
// the machine that answers. And the strings of a model point into the tables of the run, so it must be encoded before
// the run is closed.
package api
