#!/usr/bin/env bash
# action.sh LSHCLUST [SARIF-SCHEMA] runs the step of action.yml and the hook of .pre-commit-hooks.yaml of this repository, with
# a binary in place of the one that they install, on a site with a lost URL and a rule that leads nowhere, and checks what they
# print: exit codes, Markdown, and SARIF against its schema (with Python's jsonschema).
set -euo pipefail
binary=$(realpath "$1"); schema=${2:+$(realpath "$2")}
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
mkdir -p bin "the site/docs" live
printf '#!/bin/sh\ncase $1 in install) ;; env) echo %s ;; esac\n' "$work" > bin/go; chmod +x bin/go; ln -s "$binary" bin/lshclust
printf '<title>Home</title><p>Home of the site with <a href="docs/x.html">a page</a>.' > "the site/index.html"
printf '<title>X</title><p>A page about x with a few words.' > "the site/docs/x.html"
cp -r "the site/." live
printf '<title>Lost</title><p>Nobody has written anything like this text again.' > live/lost.html
printf '/old /docs/x.html 301\n/dead /none 301\n' > "the site/_redirects"
printf 'https://a.example/old\nhttps://a.example/lost.html\nhttps://a.example/docs/x.html\n' > known-urls.txt
python3 -c 'import sys, yaml; print(yaml.safe_load(open(sys.argv[1]))["runs"]["steps"][0]["run"])' "$top/action.yml" > step.sh
export PATH="$work/bin:$PATH" RUNNER_TEMP=$work GITHUB_STEP_SUMMARY=$work/summary.md
export SITE="the site" BASE=https://a.example/ URLS=known-urls.txt RULES="the site/_redirects" SERVER= LIVE= FAIL_ON=missing,dead,loop FAIL_ON_CHANGES= VERSION=latest

# step CODE NUMBER: the step ends with a code, and its files of SARIF hold so many results.
step() {
	local code=0
	rm -f summary.md ./*.sarif
	bash --noprofile --norc -eo pipefail step.sh || code=$?
	[ "$code" = "$1" ] || { echo "the step ends with $code, not $1"; exit 1; }
	cmp guard.md summary.md
	awk -F'|' '/^\|/ {n = n ? n : NF; if (NF != n) {print "a row of Markdown with another number of cells: " $0; bad = 1}} !/^\|/ {n = 0} END {exit bad}' guard.md
	python3 - "$2" ${schema:+"$schema"} <<'PY'
import glob, json, sys
logs = [json.load(open(name)) for name in sorted(glob.glob("*.sarif"))]
assert sum(len(log["runs"][0]["results"]) for log in logs) == int(sys.argv[1]), logs
if len(sys.argv) > 2:
    import jsonschema
    for log in logs:
        jsonschema.validate(log, json.load(open(sys.argv[2])))
    print(len(logs), "files of SARIF are valid")
PY
}

step 1 2
grep -q '^| `known-urls.txt:2` | `https://a.example/lost.html` |' guard.md; grep -q '`the site/_redirects:2`' guard.md
printf '/old /docs/x.html 301\n/lost.html /docs/x.html 301\n' > "the site/_redirects"
step 0 0
LIVE=live URLS= step 0 1 # guard proposes nothing, changes says what is gone
grep -q '^| `https://a.example/lost.html` | gone |' guard.md; grep -q '"warning"' changes.sarif
LIVE=live URLS= FAIL_ON_CHANGES=gone step 1 1
grep -q '"error"' changes.sarif

entry=$(python3 -c 'import sys, yaml; print(yaml.safe_load(open(sys.argv[1]))[0]["entry"])' "$top/.pre-commit-hooks.yaml")
$entry site.run --urls known-urls.txt --rules "the site/_redirects"
printf 'https://a.example/more\n' >> known-urls.txt
! $entry site.run --urls known-urls.txt --rules "the site/_redirects" || exit 1
echo "the action and the hook work"
