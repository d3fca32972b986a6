package table

// What the external tests use.
const MaxPreamble = maxPreamble
const MaxRowBytes = maxRowBytes
const MaxRowLines = maxRowLines

var FindHeader = findHeader
