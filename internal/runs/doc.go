// Package runs opens finished runs and looks up what they hold: documents, captures, redirects, links and the pages of the
// inputs. Packages topics, texts, views, site and crawls in internal/ask answer questions from its tables.
//
//	r, err := runs.Open("my-run")
//	if err != nil {
//		return err
//	}
//	defer r.Close()
//	id, err := r.Lookup("example.org/page")
//	if err != nil {
//		return err
//	}
//	for _, n := range topics.Related(r, id, topics.Lookup{Top: 10}) {
//		fmt.Println(n.Similarity, n.URL)
//	}
//	return r.Err()
//
// Documents have ids inside a run and URLs outside it. [Run.Lookup] finds the id of a URL, [Run.Document] returns
// what the run knows about an id, and [Suggest] finds documents with a similar URL. [Checks] returns the checks of
// lshclust info --check. A run keeps no texts; [ReadPages] and [Run.EachPage] read them from the inputs again. A file of
// sketches can be open in place of a run ([OpenSketches]).
//
// Strings and slices in answers point into the tables and are valid until [Run.Close]. An answer is correct only if
// [Run.Err] returns nil afterwards: a Run checks each part of its tables when it first reads it, and keeps the error
// for Err.
package runs
