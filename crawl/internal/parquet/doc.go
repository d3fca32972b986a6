// Package parquet reads Parquet files of pages or links. Package table defines what the columns mean.
//
// Package parquet-go decodes the values. It allocates as much memory as the header of a page asks for, so this package
// reads every header first and rejects impossible numbers.
package parquet
