// Package ask asks a server of lshclust.
package ask

import (
	"io"
	"net/http"
)

// Answered reports whether a question was answered. That the run knows a page only from links is an answer.
func Answered(client *http.Client, address string) bool {
	a, err := client.Get(address)
	if err != nil {
		return false
	}
	defer a.Body.Close()
	_, err = io.Copy(io.Discard, a.Body)
	return err == nil && (a.StatusCode == http.StatusOK || a.StatusCode == http.StatusNotFound)
}
