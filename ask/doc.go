// Package ask holds what all questions about runs have in common. A question is a struct with a method Ask. Its fields
// with the tag doc are its options ([Option]), from which follow the parameters over HTTP, the tools of assistants, the
// flags of the command and the arguments in Python. [Defaults] fills in the defaults that these have. A list comes in
// portions ([Window], [Portion]), and [Encoder] writes answers as JSON, JSON Lines, CSV or TSV.
package ask
