// Package payload turns the bytes of a response or a file into text. It undoes chunked transfer ([Room.Dechunk]), content
// encodings ([Room.Decode]) and charsets ([Room.ToUTF8]), and keeps what can be read of bytes that are damaged.
//
// A [Room] holds the buffers of one page: in memory up to a share, beyond it in temporary files. The one rule for the
// caller: nothing that a room returned may be used after [Room.Free].
package payload
