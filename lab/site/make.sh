#!/usr/bin/env bash
# Writes the demo to click: static pages of two crawls that may be redistributed, the manual of PostgreSQL and the readmes
# of packages of npm, with a start page that searches them without a server.
#
#	lab/site/make.sh LSHCLUST DIR [postgresql|npm]    LSHCLUST is the command; one crawl only, if it is named
#
# The crawl of npm needs node and npm, which installs some 1,200 packages into a temporary folder, without their scripts.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lshclust=$(realpath "$1") out=$2 crawls=(${3:-postgresql npm})
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$work"
for crawl in "${crawls[@]}"; do
	case $crawl in
	postgresql) "$lshclust" demo -q -o run-postgresql >/dev/null ;;
	npm)
		npm install --silent --ignore-scripts --no-audit --no-fund $(grep -v '^#' "$here/packages.txt")
		node "$here/readmes.mjs" node_modules >npm.jsonl
		"$lshclust" cluster -q -o run-npm npm.jsonl
		;;
	*) echo "no crawl is called $crawl" >&2; exit 2 ;;
	esac
	rm -rf "${out:?}/$crawl"
	"$lshclust" serve "run-$crawl" --write "$out/$crawl" --pages 40 --clusters 15
done
"$here/index.py" "$out" "${crawls[@]}"
du -sh --apparent-size "$out"
