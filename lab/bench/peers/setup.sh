#!/usr/bin/env bash
# Installs peers, each in a virtual environment of its own. Usage: setup.sh FOLDER PEER...
# PYTHON names the interpreter, python3 unless told otherwise. text-dedup needs 3.12 or later.
set -euo pipefail
folder=$1
shift

declare -A packages=(
	[gaoya]="gaoya==0.2.2"
	[rensa]="rensa==0.5.0"
	[datasketch]="datasketch==2.0.0 numpy==2.4.6 scipy==1.17.1"
	[text-dedup]="text-dedup==0.4.1 datasets==5.2.0 polars==1.44.2 polars-grouper==0.6.1 numpy==2.5.5"
	[datatrove]="datatrove==0.10.1 spacy==3.8.18 xxhash==3.8.2 orjson==3.13.0 regex==2026.11.15 tokenizers==0.23.3"
)
for peer in "$@"; do
	[[ -n ${packages[$peer]:-} ]] || { echo "setup.sh: no peer $peer: ${!packages[*]}" >&2; exit 2; }
	[[ ! -e $folder/$peer/ready ]] || continue
	"${PYTHON:-python3}" -m venv "$folder/$peer"
	# shellcheck disable=SC2086 # words on purpose
	"$folder/$peer/bin/python" -m pip install --quiet --disable-pip-version-check ${packages[$peer]}
	touch "$folder/$peer/ready"
done
