package crawl

// What the external tests use.
const ZipMark = zipMark

type ZipSource = zipSource

var FetcherOf = fetcherOf
var Sniff = sniff
var SniffZip = sniffZip
