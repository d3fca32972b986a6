"""Makes crawls of documentation sites at two times from clones of their repositories: sites.py CLONES OUT [SITE...].

CLONES has the repository OWNER/NAME as the git directory OWNER+NAME/repo, with its history. For each site, OUT gets
SITE-old.jsonl, SITE-new.jsonl and SITE.rules, the site's own redirect file, from which lab moves -sites makes a gold."""
import html, json, os, posixpath, re, subprocess, sys

PARTS, SCRIPTING = ("explanation/", "how-to/", "reference/", "tutorial/"), "reference/docs-conceptual/"

# name: repository, day of the older crawl, folders (of files, below a URL) then and now, the file of redirects
SITES = {
    # The bound of "gone" was chosen on these.
    "cypress": ("cypress-io/cypress-documentation", "2024-01-01", {"docs/": "/"}, {"docs/": "/"}, "netlify.toml"),
    "coolify": ("coollabsio/coolify-docs", "2024-12-01", {"src/content/docs/": "/"}, {"docs/": "/docs/"}, "nginx/redirects.conf"),
    "stellar": ("stellar/stellar-docs", "2024-02-01", {"docs/": "/docs/", "api/": "/api/"}, {"docs/": "/docs/"}, "nginx/includes/redirects.conf"),
    # It was tried on these.
    "home-assistant": ("home-assistant/developers.home-assistant", "2020-06-01", {"docs/": "/docs/"}, {"docs/": "/docs/"}, "static/_redirects"),
    "cert-manager": ("cert-manager/website", "2023-01-01", {"content/docs/": "/docs/"}, {"content/docs/": "/docs/"}, "public/_redirects"),
    "flux": ("fluxcd/website", "2023-01-01", {"content/en/": "/"}, {"content/en/": "/"}, "static/_redirects"),
    "helm": ("helm/helm-www", "2023-01-01", {"content/en/docs/": "/docs/"}, {"docs/": "/docs/"}, "netlify.toml"),
    # And later, when all had been chosen, on these.
    "ubuntu-server": ("canonical/ubuntu-server-documentation", "2025-01-01", {f: "/" + f for f in PARTS}, {"docs/" + f: "/" + f for f in PARTS}, "docs/redirects.txt"),
    "opentelemetry": ("open-telemetry/opentelemetry.io", "2024-01-01", {"content/en/docs/": "/docs/"}, {"content/en/docs/": "/docs/"}, "aliases"),
    "powershell": ("PowerShell/PowerShell-Docs", "2020-01-01", {SCRIPTING: "/powershell/scripting/"}, {SCRIPTING: "/powershell/scripting/"}, ".openpublishing.redirection.json"),
}


def git(repo, *args):
    return subprocess.run(["git", "-C", repo, *args], check=True, capture_output=True).stdout


def pages(repo, commit, folders, base):
    """Yields the URL and the HTML of each Markdown file."""
    files = {}
    for name in git(repo, "ls-tree", "-r", "--name-only", commit).decode().splitlines():
        for folder, below in folders.items():
            if name.startswith(folder) and re.search(r"\.mdx?$", name) and "/_" not in name.removesuffix("/_index.md"):
                files[name] = (below, name[len(folder):])
    if not files:
        return
    batch = subprocess.run(["git", "-C", repo, "cat-file", "--batch"], input="".join(f"{commit}:{f}\n" for f in files).encode(), capture_output=True, check=True).stdout
    texts, at = {}, 0
    for name in files:
        end = batch.index(b"\n", at)
        size = int(batch[at:end].split()[-1])
        texts[name], at = batch[end + 1:end + 1 + size].decode("utf-8", "replace"), end + 2 + size
    urls, heads = {}, {}
    for name, (below, path) in files.items():
        head = re.match(r"---\n(.*?)\n---\n", texts[name], re.S)
        heads[name] = dict(re.findall(r"^(title|slug|sidebar_label|id|url):\s*[\"']?(.*?)[\"']?\s*$", head[1], re.M)) if head else {}
        texts[name] = texts[name][head.end():] if head else texts[name]
        path = re.sub(r"(^|/)\d+[-_.]", r"\1", re.sub(r"\.mdx?$", "", path))
        path = re.sub(r"(^|/)(index|_index|README)$", r"\1", path)
        slug = heads[name].get("slug") or heads[name].get("url")
        if slug:
            path = slug if slug.startswith("/") else posixpath.join(posixpath.dirname(path), slug)
        elif heads[name].get("id") and path:
            path = posixpath.join(posixpath.dirname(path), posixpath.basename(heads[name]["id"]))
        urls[name] = base + below + path.strip("/").lower()
    for name, text in texts.items():
        def link(m, name=name):
            to = m[2].split()[0] if m[2].split() else ""
            plain, sep, part = to.partition("#")
            file = posixpath.normpath(posixpath.join(posixpath.dirname(name), plain))
            if "://" not in to:
                to = urls.get(file, to.split("#")[0] if "." in to else to)
            return f'<a href="{html.escape(to)}">{m[1]}</a>'
        code = re.split(r"(```.*?```)", text, flags=re.S)
        out = []
        for i, part in enumerate(code):
            part = html.escape(part, quote=False)
            if i % 2 == 0:
                part = re.sub(r"^(?:import|export) .*$", "", part, flags=re.M)
                part = re.sub(r"^(#{1,6})\s+(.*)$", lambda m: f"<h{len(m[1])}>{m[2]}</h{len(m[1])}>", part, flags=re.M)
                part = re.sub(r"\[([^\]]*)\]\(([^)]*)\)", link, part)
                part = part.replace("\n\n", "\n<p>")
            out.append(f"<pre>{part}</pre>" if i % 2 else part)
        title = heads[name].get("title") or heads[name].get("sidebar_label") or (re.search(r"^#\s+(.*)$", text, re.M) or ["", ""])[1]
        yield urls[name], f"<title>{html.escape(title)}</title><h1>{html.escape(title)}</h1>" + "".join(out)


def aliases(repo, folders):
    """Returns the aliases of the pages of Hugo as a table."""
    rows = ["from,to"]
    for folder, below in folders.items():
        for name in git(repo, "ls-tree", "-r", "--name-only", "HEAD", folder).decode().splitlines():
            head = re.search(r"^aliases:\s*(\[[^\]]*\]|(?:\n\s*- .*)+)", git(repo, "show", "HEAD:" + name).decode("utf-8", "replace"), re.M) if name.endswith(".md") else None
            page = below + re.sub(r"(^|/)_?index$", r"\1", name[len(folder):-3])
            for alias in re.findall(r"[^\s,\[\]\"']{2,}", head[1]) if head else []:
                rows.append(posixpath.join(posixpath.dirname(page.rstrip("/")), alias).rstrip("/") + "," + page.rstrip("/"))
    return "\n".join(rows).encode()


def main():
    clones, out = sys.argv[1:3]
    for site in sys.argv[3:] or SITES:
        name, day, then, now, rules = SITES[site]
        repo, base = os.path.join(clones, name.replace("/", "+"), "repo"), f"https://{site}.example"
        old = git(repo, "rev-list", "-1", "--before", day, "HEAD").decode().strip()
        for which, commit, folders, time in (("old", old, then, day), ("new", "HEAD", now, "2026-09-01")):
            n = 0
            with open(f"{out}/{site}-{which}.jsonl", "w") as f:
                for url, page in pages(repo, commit, folders, base):
                    f.write(json.dumps({"url": url, "html": page, "timestamp": time + "T00:00:00Z"}) + "\n")
                    n += 1
            print(site, which, n, "pages")
        text = aliases(repo, now) if rules == "aliases" else git(repo, "show", "HEAD:" + rules)
        if rules.endswith("redirection.json"): # of source files
            rows = [f'{SITES[site][3][SCRIPTING]}{r["source_path"].removeprefix(SCRIPTING)[:-3].lower()},{r["redirect_url"].lower()}\n'
                    for r in json.loads(text)["redirections"] if r["source_path"].startswith(SCRIPTING)]
            text = ("from,to\n" + "".join(rows)).encode()
        with open(f"{out}/{site}.rules", "wb") as f:
            f.write(text)


if __name__ == "__main__":
    main()
