// Package eval lets a person judge the neighbours that a run lists. It repeats the experiment of Haveliwala, Gionis and
// Indyk, "Scalable Techniques for Clustering the Web" (2000), section 5: [DrawSample] draws URLs from a directory that
// people made ([gold.Read]) and lists their neighbours, method by method; package eval/report writes the page on which a
// person marks them; [ScoreMarks] tells how many of each method are good.
package eval
