// Package parquet reads Parquet files of pages or links. The columns mean what package table says.
//
// parquet-go decodes the values. It takes as much memory as the header of a page asks for, so this package reads every
// header first and refuses numbers that cannot be true.
package parquet
