#!/usr/bin/env bash
# Writes an overlay into a folder, with which `go build -overlay FOLDER/overlay.json` makes a smaller command.
# Usage: overlay.sh FOLDER [test]. With test, it runs the tests of the packages that have templates with the overlay.
#
# A template of text/template or html/template may name a method of its data, which it finds by a name that the linker
# does not know. Therefore the linker keeps every exported method of every type in a command that executes a template:
# 5 MB. In the overlay, templates find only methods with a name that is in an action of a template of lshclust, and none
# with a name of those methods of package reflect that find others, with which the linker keeps all methods again.
set -euo pipefail
cd "$(dirname "$0")/.."
(($# > 0)) || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
file=$(go env GOROOT)/src/text/template/exec.go
call='ptr.MethodByName(fieldName)'
(($(grep -cF "$call" "$file") == 1)) || { echo "overlay.sh: $file does not have once: $call" >&2; exit 1; } # another version of Go
mapfile -t folders < <(go list -f '{{.Dir}} {{join .Imports " "}}' ./... | awk '/ (html|text)\/template/ { print $1 }')
((${#folders[@]} > 0)) || { echo "overlay.sh: no package has templates" >&2; exit 1; }
names=$(grep -rhoE '\{\{[^}]*\}\}' --include='*.go' --include='*.html' --include='*.tmpl' "${folders[@]}" |
	grep -oE '\.[A-Z][A-Za-z0-9_]*' | cut -c2- | grep -vxE 'Methods?|MethodByName' | LC_ALL=C sort -u)
{
	sed "s/${call//./\\.}/methodByName(ptr, fieldName)/" "$file"
	echo 'func methodByName(v reflect.Value, name string) reflect.Value {'
	echo '	switch name {'
	for name in $names; do printf '\tcase "%s":\n\t\treturn v.MethodByName("%s")\n' "$name" "$name"; done
	echo '	}'
	echo '	return reflect.Value{}'
	echo '}'
} >"$folder/exec.go"
printf '{"Replace": {"%s": "%s"}}\n' "$file" "$folder/exec.go" >"$folder/overlay.json"
[[ ${2:-} == test ]] || exit 0
mapfile -t folders < <(printf '%s\n' "${folders[@]}" | grep -v '/cmd/') # the tests of the wheel run the command itself
echo "templates with the methods of the overlay: ${folders[*]}"
go test -overlay "$folder/overlay.json" "${folders[@]}"
