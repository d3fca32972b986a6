// Package answer holds every question about runs with its answer: names, units, and how to find it.
//
// A question is a struct, such as Fold, whose method Ask returns its answer, FoldAnswer. The options of a question are
// its fields with the tag doc, see [ask.Option]: parameters over HTTP, flags of the command and arguments in Python
// follow from them. Errors are those of package query and [UnknownError], and never mention flags or HTTP.
//
// The fields of an answer have the tags json (the key, the same in the command, the API, MCP and Python), doc (the
// description in the OpenAPI document), and where they apply least, most and enum. A list is the field Items with the key
// "items"; a row that names a URL has "url" and "name" (see [query.Run.NameOf]); a time is "time". A list that comes in
// portions embeds [ask.Portion] and is cut by [ask.Cut]. A field of the answer with the tag row:"true", such as the URL
// of the question, is repeated in each row of JSON Lines, CSV and TSV.
//
// The command adds a function that prints the answer as a table; [ask.Encoder] writes all other formats. The strings of
// an answer point into the tables of the run, so encode it before closing the run.
package answer
