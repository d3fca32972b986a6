package table

// Names for the external tests.
const MaxPreamble = maxPreamble
const MaxRowBytes = maxRowBytes
const MaxRowLines = maxRowLines

var FindHeader = findHeader
