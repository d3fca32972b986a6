// Package ask asks runs everything that the packages below it answer.
package ask
