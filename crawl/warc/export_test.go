package warc

// What the external tests use.
type RangesSource = rangesSource

var DecodeWAT = decodeWAT
