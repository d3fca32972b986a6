// Package stream reads a file as a sequence of members: the members of a gzip file, the frames of a zstd file, or one
// member for the whole of any other file. [Lines] reads the members of a text line by line.
//
// Damage affects only one member: after an error of the decompressor, [Members.Resync] finds the next place at which a
// member begins.
package stream
