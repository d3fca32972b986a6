// Package terminal runs commands on a pseudo-terminal and keeps the screen that a person would see, by a terminal
// emulator. Its tests are those of the lshclust command as people use it: on terminals of several sizes, and with the
// commands and outputs of the README and the documents.
//
// It is a module of its own so that the emulator is no dependency of lshclust.
package terminal
