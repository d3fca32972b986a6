// Package contract tests the server of lshclust, as a process, with malformed requests, and against its OpenAPI
// document: with a validator of JSON Schema and, if Python may be installed, with schemathesis, which makes requests
// from the document. It is a module of its own, whose tests take longer.
package contract
