package parquet

// What the external tests use.
const MaxPageValues = maxPageValues
const PageFree = pageFree
