package crawl

// Names for the external tests.
const ZipMark = zipMark

type ZipSource = zipSource

var FetcherOf = fetcherOf
var Sniff = sniff
var SniffZip = sniffZip
