// Package site audits the sites in a run: the links within them, and the versions and copies of their pages.
package site
