// Package load asks a server of lshclust a mix of questions at a fixed rate and prints how long the answers took:
//
//	lab load -server http://127.0.0.1:8080 -rate 1000 -seconds 60 -words "index backup table"
//
// The URLs that it asks about are those that a search for the words finds. A question is sent when its time has come,
// whether or not the answers before it have, so that a server that falls behind is seen to. The time of an answer is
// counted from when the question was due. A question that fails is an error.
package load

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lshclust/lshclust/lab/bench/ask"
)

// kinds are the questions: how often in a hundred, and the path for a URL and another one.
var kinds = []struct {
	name  string
	share int
	path  func(a, b string) string
}{
	{"related", 30, func(a, _ string) string { return "/v1/related?url=" + a }},
	{"page", 15, func(a, _ string) string { return "/v1/page?url=" + a }},
	{"duplicates", 10, func(a, _ string) string { return "/v1/duplicates?url=" + a }},
	{"explain", 10, func(a, b string) string { return "/v1/explain?a=" + a + "&b=" + b }},
	{"search", 10, func(a, _ string) string { return "/v1/search?q=" + a }},
	{"page as HTML", 10, func(a, _ string) string { return "/page?url=" + a }},
	{"explain as HTML", 5, func(a, b string) string { return "/explain?a=" + a + "&b=" + b }},
	{"map as HTML", 5, func(a, _ string) string { return "/map?url=" + a }},
	{"topics as HTML", 5, func(_, _ string) string { return "/topics" }},
}

// answered is the time that an answer took, and whether it was one.
type answered struct {
	kind int
	took time.Duration
	ok   bool
}

// Command reads the flags, asks and prints.
func Command(args []string) error {
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	server := flags.String("server", "http://127.0.0.1:8080", "address of the server")
	rate := flags.Int("rate", 1000, "questions a second")
	seconds := flags.Int("seconds", 60, "seconds")
	words := flags.String("words", "index", "words whose pages are asked about, each searched for")
	if err := flags.Parse(args); err != nil {
		return err
	}
	failed, err := load(*server, *rate, *seconds, strings.Fields(*words))
	if err == nil && failed > 0 {
		err = fmt.Errorf("%d questions failed", failed)
	}
	return err
}

// load asks and prints. It returns the number of questions that failed.
func load(server string, rate, seconds int, words []string) (failed int, err error) {
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 256}}
	urls, err := known(client, server, words)
	if err != nil {
		return 0, err
	}
	all := make([]answered, rate*seconds)
	began := time.Now()
	var work sync.WaitGroup
	for i := range all {
		due := began.Add(time.Duration(i) * time.Second / time.Duration(rate))
		time.Sleep(time.Until(due))
		work.Go(func() {
			kind := kindOf(i * 37 % 100)
			a, b := urls[i%len(urls)], urls[(i*7+1)%len(urls)]
			if kinds[kind].name == "search" {
				a = url.QueryEscape(words[i%len(words)])
			}
			ok := ask.Answered(client, server+kinds[kind].path(a, b))
			all[i] = answered{kind, time.Since(due), ok}
		})
	}
	work.Wait()
	took := time.Since(began)
	for k := range kinds {
		failed += show(kinds[k].name, slices.DeleteFunc(slices.Clone(all), func(a answered) bool { return a.kind != k }))
	}
	show("all", all)
	fmt.Printf("%.0f answers a second for %.0f s\n", float64(len(all))/took.Seconds(), took.Seconds())
	return failed, nil
}

// kindOf returns the kind of a question, by a number below 100.
func kindOf(n int) int {
	for k := range kinds {
		if n -= kinds[k].share; n < 0 {
			return k
		}
	}
	return 0
}

// known returns documents that the words find, as values of parameters.
func known(client *http.Client, server string, words []string) (urls []string, err error) {
	for _, w := range words {
		a, err := client.Get(server + "/v1/search?limit=1000&q=" + url.QueryEscape(w))
		if err != nil {
			return nil, err
		}
		var found struct{ Items []struct{ URL string } }
		err = json.NewDecoder(a.Body).Decode(&found)
		a.Body.Close()
		if err != nil {
			return nil, err
		}
		for _, h := range found.Items {
			urls = append(urls, url.QueryEscape(h.URL))
		}
	}
	if len(urls) == 0 {
		return nil, fmt.Errorf("no page is found for %q; give other words", words)
	}
	return urls, nil
}

// show prints the figures of some answers and returns how many failed.
func show(name string, all []answered) (failed int) {
	if len(all) == 0 {
		return 0
	}
	slices.SortFunc(all, func(a, b answered) int { return int(a.took - b.took) })
	for _, a := range all {
		if !a.ok {
			failed++
		}
	}
	at := func(share float64) float64 { return all[int(share*float64(len(all)-1))].took.Seconds() * 1000 }
	fmt.Printf("%-16s %7d answers  %5d failed  p50 %8.2f ms  p99 %8.2f ms  most %8.2f ms\n", name, len(all), failed, at(.5), at(.99), at(1))
	return failed
}
