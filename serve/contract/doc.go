// Package contract tests the server of lshclust, as a process, with malformed requests, and against its OpenAPI
// document: with a validator of OpenAPI 3.1 and, if Python may be installed, with schemathesis, which makes requests
// from the document. It is a module of its own so that the validator is no dependency of lshclust.
package contract
