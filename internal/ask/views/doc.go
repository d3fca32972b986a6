// Package views finds where the two views of a run disagree.
package views
