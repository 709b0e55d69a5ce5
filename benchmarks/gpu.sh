#!/usr/bin/env bash
# Everything that needs a CUDA card, in one go: equality with the CPU, training, times of all models; one table.
#
#     benchmarks/gpu.sh [FOLDER]      results go there (default: gpu-results); PYTHON names the interpreter
#
# About ten minutes on a card of 2024; the tests alone one or two.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-$([ -x .venv/bin/python ] && echo .venv/bin/python || command -v python3)}
out=${1:-gpu-results}
mkdir -p "$out"
clir() { "$python" -c 'from clir_cli.cli.app import main; main()' "$@"; }
"$python" -c 'import torch; assert torch.cuda.is_available(), "there is no CUDA card here"; print(torch.cuda.get_device_name())' |
  tee "$out/card.txt"

echo "== equality with the CPU, training on the card"
"$python" -m pytest -m gpu tests/gpu -p no:cacheprovider | tee "$out/tests.txt"

echo "== one fold of the sample's models, trained on the card"
export CLIR_ARTIFACTS="$out/artifacts"
for model in m2bert mart mores; do
  begun=$(date +%s)
  clir train --experiment sample-mores --pair deu-eng --model "$model" --fold 1 --quiet
  printf '%s\t%s s\n' "$model" "$(($(date +%s) - begun))" | tee -a "$out/training.tsv"
done

echo "== times"
for width in 384 768; do
  for precision in float32 tf32 bf16; do
    clir bench --device cuda --width "$width" --precision "$precision" --documents 1000 \
      --out "$out/bench-$width-$precision.tsv"
  done
done
{
  first=yes
  for file in "$out"/bench-*.tsv; do
    setting=$(basename "$file" .tsv | cut -d- -f2-)
    if [ -n "$first" ]; then printf 'width-precision\t%s\n' "$(head -n 1 "$file")"; first=; fi
    tail -n +2 "$file" | while IFS= read -r line; do printf '%s\t%s\n' "$setting" "$line"; done
  done
} | tee "$out/table.tsv"
