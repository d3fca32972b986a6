package skew

import (
	"bufio"
	"fmt"
	"io"
	"time"
)

// lines writes n lines.
func lines(w io.Writer, n int64, line func(w io.Writer, i int64) error) error {
	b := bufio.NewWriterSize(w, 256<<10)
	for i := range n {
		if err := line(b, i); err != nil {
			return err
		}
	}
	return b.Flush()
}

var firstCapture = time.Date(1996, 1, 1, 0, 0, 0, 0, time.UTC)

// captures writes captures of one URL, a minute apart and all different.
func captures(w io.Writer, n int64) error {
	return lines(w, n, func(w io.Writer, i int64) error {
		at := firstCapture.Add(time.Duration(i) * time.Minute).Format(time.RFC3339)
		_, err := fmt.Fprintf(w, `{"url":"https://one.example/","time":"%s","html":"<p>The page as it was at number %d, with <a href=\"/%d\">a link</a>."}`+"\n", at, i, i%7)
		return err
	})
}

// linking writes pages of many hosts that link to one target.
func linking(w io.Writer, n int64) error {
	return lines(w, n, func(w io.Writer, i int64) error {
		_, err := fmt.Fprintf(w, `{"url":"https://h%d.example/%d","html":"<title>Page %d</title><p>Everybody links to <a href=\"https://target.example/\">the target of number %d</a> with words around it."}`+"\n", i%5000, i, i, i)
		return err
	})
}

// tiny writes pages of a few words, each with a link to another page.
func tiny(w io.Writer, n int64) error {
	return lines(w, n, func(w io.Writer, i int64) error {
		_, err := fmt.Fprintf(w, `{"url":"https://t%d.example/%d","html":"<p>word%d <a href=\"/%d\">next</a>"}`+"\n", i%1000, i, i%50000, (i+1000)%n)
		return err
	})
}
