#!/usr/bin/env bash
# Keeps inputs that fuzzing found. go test -fuzz leaves in its cache all inputs that reached something new. Many of them are
# long, or later inputs reach the same. This script copies an input to testdata/fuzz/TARGET if it is short and reaches a
# statement that neither the seeds nor the inputs kept so far nor a shorter input reach.
#
#	lab/fuzz-keep.sh                   all targets
#	lab/fuzz-keep.sh ./crawl/internal/warc FuzzWARC  one package, or one target of it
set -euo pipefail
cd "$(dirname "$0")/.."

max_bytes=2048 # for one input
max_files=40   # for one target, so that all together stay below 1 MB

cache=$(go env GOCACHE)/fuzz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# reached PATTERN prints the statements that the inputs of a pattern reach, one per line, sorted. The test is $work/test.
reached() {
	(cd "$dir" && "$work/test" -test.run "$1" -test.coverprofile "$work/profile" >/dev/null) || return 1
	sed -n 's/ [1-9][0-9]*$//p' "$work/profile" | sort -u
}

keep() { # package target
	local package=$1 target=$2 found kept=0 file name
	found=$cache/$package/$target
	[[ -d $found ]] || return 0
	mkdir -p "$dir/testdata/fuzz/$target"
	reached "^$target\$" >"$work/seen" || { echo "$package $target fails on the inputs that it has: fix that first" >&2; return 1; }
	while read -r file; do
		name=$(basename "$file")
		((kept < max_files)) || break
		[[ ! -e $dir/testdata/fuzz/$target/$name ]] || continue
		cp "$file" "$dir/testdata/fuzz/$target/$name"
		if reached "^$target\$/^$name\$" >"$work/new" && [[ -n $(comm -13 "$work/seen" "$work/new") ]]; then
			sort -u -o "$work/seen" "$work/seen" "$work/new"
			kept=$((kept + 1))
		else
			rm "$dir/testdata/fuzz/$target/$name"
		fi
	done < <(find "$found" -type f -size -"$((max_bytes + 1))"c -printf '%s %p\n' | sort -n | cut -d' ' -f2)
	rmdir "$dir/testdata/fuzz/$target" 2>/dev/null || true
	echo "$package $target: kept $kept more of $(find "$found" -type f | wc -l)"
}

for package in $(go list "${1:-./...}"); do
	dir=$(go list -f '{{.Dir}}' "$package")
	targets=$(cd "$dir" && cat ./*_test.go 2>/dev/null | sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p')
	[[ -n $targets ]] || continue
	go test -c -cover -coverpkg ./... -o "$work/test" "$package"
	for target in ${2:-$targets}; do
		keep "$package" "$target"
	done
done
