// Package terminal runs commands on a pseudo-terminal and keeps the screen that a person would see, with the help of a
// terminal emulator. Its tests use the lshclust command as people do: on terminals of several sizes (terminal_test.go,
// with the expected screens in testdata), and with the commands and outputs of the README and the documents
// (documents_test.go). session_test.go runs a command on a terminal, and markdown_test.go finds the commands in a document.
//
// It is a separate module so that lshclust does not depend on the emulator.
package terminal
