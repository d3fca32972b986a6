package urls

import "strings"

func isCodeHost(host string) bool {
	switch host {
	case "github.com", "gitlab.com", "bitbucket.org", "codeberg.org":
		return true
	}
	return false
}

// trimCodeHost normalizes the name of a repository, in which case does not matter. In the rest of the path, the names of
// files, branches and pages, it does.
func trimCodeHost(p *parts) {
	if !isCodeHost(p.host) {
		return
	}
	repository, rest := p.path, ""
	if i := endOfRepository(p.host, p.path); i >= 0 {
		repository, rest = p.path[:i], p.path[i:]
	}
	repository = lowerPath(repository)
	if rest == "" || rest == "/" {
		repository = strings.TrimSuffix(repository, ".git")
	}
	p.path = repository + rest
}

// endOfRepository returns where the part of a path after the repository begins, or -1: after the two names of owner and
// repository, or at GitLab, whose groups have groups, at "/-/".
func endOfRepository(host, path string) int {
	if host == "gitlab.com" {
		return strings.Index(path, "/-/")
	}
	end := 0
	for range 3 {
		i := strings.IndexByte(path[end:], '/')
		if i < 0 {
			return -1
		}
		end += i + 1
	}
	return end - 1
}

// Place returns what counts as a site among others: the host of a canonical URL, and on a code host also the owner and the
// repository.
func Place(canonical string) string {
	host := Host(canonical)
	if !isCodeHost(host) {
		return host
	}
	_, path, _ := strings.Cut(canonical, "://")
	names := strings.SplitN(strings.TrimSuffix(path, "/"), "/", 4)
	return strings.Join(names[:min(3, len(names))], "/")
}
