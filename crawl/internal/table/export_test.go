package table

// Names for the external tests.
const MaxPreamble = maxPreamble

var FindHeader = findHeader
