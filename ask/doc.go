// Package ask holds every question about runs with its answer.
//
// A question is a struct, such as [Related], whose method Ask returns its answer, here a [RelatedAnswer]:
//
//	found, err := ask.Related{URL: "https://www.sqlite.org/", Apart: true}.Ask(ctx, run)
//
// The options of a question are its fields with the tag doc ([Option]). The parameters over HTTP and for assistants, the
// flags of the command and the arguments in Python follow from them, so that a new option is one line. [Defaults] fills in
// the defaults that these have; without it, zero means what the field says, and no limit of rows. A list may come in
// portions ([Window], [Portion]). Questions about several crawls, [Moved] and [Changes], ask [Crawls]. The errors say what
// is wrong without flags or HTTP, and wrap the errors below.
//
// The fields of an answer have the tags json (the key, the same in the command, the API, assistants and Python), doc (the
// description in the OpenAPI document), and where they apply least, most and enum. A list is the field Items with the key
// "items"; a row that names a document has "url", "name" and "seen_url"; a time is "time". A field of the answer with the tag row,
// such as the URL of the question, is repeated in each row of JSON Lines, CSV and TSV. [Encoder] writes these formats; the
// command adds a function that prints the answer as a table.
//
// The strings of an answer point into the tables of the run, so use or encode it before closing the run. Damage that was
// met in the tables is the error of the method Err of the run.
package ask
