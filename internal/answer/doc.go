// Package answer defines every answer to a question about runs in one place: its names, its units, and how to compute
// it.
//
// An answer is a struct, the model: FoldAnswer for the function Fold. Its fields have the tags json (the key, the
// same in the command, the API, MCP and Python), doc (the description in the OpenAPI document), and where they apply
// least, most and enum. A list is the field Items with the key "items"; a row that names a URL has "url" and "name"
// (see [query.Run.NameOf]); a time is "time". A list that comes in portions embeds [ask.Portion] and is cut by [ask.Cut]. A field of the
// model with the tag row:"true", such as the URL of the question, is repeated in each row of JSON Lines, CSV and TSV.
//
// A function takes a context, the open run, the question and options: Fold(ctx, r, urls, FoldOptions{}). Its errors
// are those of package query and [UnknownError], and never mention flags or HTTP. The API adds parameters; the
// command adds flags and a function that prints the model as a table; [Encoder] writes all other formats. The strings
// of a model point into the tables of the run, so encode it before closing the run.
package answer
