package warc

// Names for the external tests.
type RangesSource = rangesSource

var DecodeWAT = decodeWAT
