package parquet

// Names for the external tests.
const MaxPageValues = maxPageValues
const PageFree = pageFree
