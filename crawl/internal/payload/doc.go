// Package payload turns the bytes of a response or a file into text. It undoes chunked transfer encoding
// ([Room.Dechunk]), content encodings ([Room.DecodeContent]) and charsets ([Room.ToUTF8]). If the bytes are damaged, it
// keeps the part that can be decoded.
//
// A [Room] holds the buffers of one page, small ones in memory and larger ones in temporary files. Do not use anything
// that a room returned after [Room.Free].
package payload
