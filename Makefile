# Each target does the set-up it needs; what is done already costs nothing the second time.
PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3,$(shell command -v $(name) 2>/dev/null)))
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help setup reproduce test check bench clean

help: ## What there is to make
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(READY) ## Virtual environment with everything in it (.venv)

$(READY): pyproject.toml constraints.txt
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "clir needs Python 3.11 or newer; '$(PYTHON)' is not. Try: make setup PYTHON=/path/to/python3.11" >&2; exit 2; }
	@echo "Installing into $(VENV) (a few minutes the first time; PyTorch and Lucene are large) ..."
	"$(PYTHON)" -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@

reproduce: $(READY) ## The whole experiment on the sample that ships with the project
	$(BIN)/clir run-all

test: $(READY) ## All tests, on all cores
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

check: $(READY) ## Lint, format, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY) ## Speed against peers, as ratios measured in one run
	@set -e; for file in benchmarks/[a-z]*.py; do echo "== $$file"; $(BIN)/python -m "benchmarks.$$(basename $$file .py)"; done

clean: ## Remove what was made: artifacts, caches and the virtual environment
	rm -rf $(VENV) data/artifacts build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find clir_cli tests benchmarks -name __pycache__ -type d -exec rm -rf {} +
