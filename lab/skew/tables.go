package skew

import (
	"fmt"
	"io"
	"strings"
)

// table writes n link rows.
func table(w io.Writer, n int64, row func(w io.Writer, i int64) error) error {
	if _, err := io.WriteString(w, "source\ttarget\tanchor\tbefore\tafter\n"); err != nil {
		return err
	}
	return lines(w, n, row)
}

// rows writes links to one target. Their pages are documents without words.
func rows(w io.Writer, n int64) error {
	return table(w, n, func(w io.Writer, i int64) error {
		_, err := fmt.Fprintf(w, "https://h%d.example/%d\thttps://target.example/\tthe target of %s\twhat they say\tabout it\n", i%5000, i, word(i))
		return err
	})
}

// common writes links to different targets, all with one word that is more frequent than their own words.
func common(w io.Writer, n int64) error {
	return table(w, n, func(w io.Writer, i int64) error {
		_, err := fmt.Fprintf(w, "https://h%d.example/%d\thttps://t%d.example/%d\tevery everywhere %s\t%s every\t%s everywhere every\n",
			i%5000, i, i%1000, i, words(i, 2), words(i+n, 4), words(i+2*n, 4))
		return err
	})
}

// template writes links to different targets with the same words around them but two.
func template(w io.Writer, n int64) error {
	const same = "the terms of use and the privacy policy of this site apply to everybody who visits"
	return table(w, n, func(w io.Writer, i int64) error {
		_, err := fmt.Fprintf(w, "https://h%d.example/%d\thttps://t%d.example/%d\t%s\t%s\t%s\n", i%5000, i, i%1000, i, words(i, 2), same, same)
		return err
	})
}

// words returns a few of 20,000 words, which depend on a number.
func words(of int64, n int) string {
	list := make([]string, n)
	for j := range list {
		list[j] = word(int64(uint64(of*8+int64(j))*0x9e3779b97f4a7c15>>32) % 20_000)
	}
	return strings.Join(list, " ")
}

// word returns the word of a number.
func word(n int64) string {
	out := []byte("x")
	for n++; n > 0; n /= 80 {
		out = append(out, "bdfghjklmnprstvz"[n%16], "aeiou"[n/16%5])
	}
	return string(out)
}
