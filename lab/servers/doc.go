// Package servers is a test of package rules against real servers. It starts nginx and Apache on the loopback interface
// with the rules that rules.Write writes, and asks for every URL that they redirect. It needs the programs nginx and
// apache2, which the Debian packages of these names contain. It also lets generators of sites make the redirects.
package servers
