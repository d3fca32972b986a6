#!/usr/bin/env bash
# action.sh LSHCLUST [SARIF-SCHEMA] runs the step of action.yml and the hook of .pre-commit-hooks.yaml of this repository, with
# a binary in place of the one that they install, on a site with a lost URL and a rule that leads nowhere, and checks what they
# print: exit codes, Markdown, and SARIF against its schema (with Python's jsonschema).
set -euo pipefail
binary=$(realpath "$1"); schema=${2:+$(realpath "$2")}
top=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
mkdir -p bin site/docs
printf '#!/bin/sh\ncase $1 in install) ;; env) echo %s ;; esac\n' "$work" > bin/go; chmod +x bin/go; ln -s "$binary" bin/lshclust
printf '<title>Home</title><p>Home of the site with <a href="docs/x.html">a page</a>.' > site/index.html
printf '<title>X</title><p>A page about x with a few words.' > site/docs/x.html
printf '/old /docs/x.html 301\n/dead /none 301\n' > site/_redirects
printf 'https://a.example/old\nhttps://a.example/lost\nhttps://a.example/docs/x.html\n' > known-urls.txt
python3 -c 'import sys, yaml; print(yaml.safe_load(open(sys.argv[1]))["runs"]["steps"][0]["run"])' "$top/action.yml" > step.sh
export PATH="$work/bin:$PATH" RUNNER_TEMP=$work GITHUB_STEP_SUMMARY=$work/summary.md SITE=site BASE=https://a.example/ URLS=known-urls.txt RULES=site/_redirects SERVER= VERSION=latest
code=0; FAIL_ON=missing,dead,loop bash -e step.sh || code=$?
[ "$code" = 1 ] || { echo "the step ends with $code"; exit 1; }
cmp guard.md summary.md; grep -q '^| `known-urls.txt:2` | `https://a.example/lost` |' guard.md; grep -q '`site/_redirects:2`' guard.md
awk -F'|' '/^\|/ && NF != 6 {print "a row of Markdown with another number of cells: " $0; bad = 1} END {exit bad}' guard.md
[ -z "$schema" ] || python3 - "$schema" <<'PY'
import json, sys, jsonschema
log = json.load(open("guard.sarif"))
jsonschema.validate(log, json.load(open(sys.argv[1])))
print("SARIF is valid:", len(log["runs"][0]["results"]), "results")
PY
printf '/lost /docs/x.html 301\n' >> site/_redirects; sed -i 2d site/_redirects
FAIL_ON=missing,dead,loop bash -e step.sh
entry=$(python3 -c 'import sys, yaml; print(yaml.safe_load(open(sys.argv[1]))[0]["entry"])' "$top/.pre-commit-hooks.yaml")
$entry site.run --urls known-urls.txt --rules site/_redirects
printf 'https://a.example/more\n' >> known-urls.txt
! $entry site.run --urls known-urls.txt --rules site/_redirects
echo "the action and the hook work"
