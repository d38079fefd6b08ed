# `make demo` and `make test` do all the set-up: they create .venv and install into it what they need.
PYTHON ?= python3
BIN := .venv/bin
# thread pools collapse when test processes share two cores
test: export OMP_NUM_THREADS ?= 1
test: export OPENBLAS_NUM_THREADS ?= 1

.PHONY: demo test lint bench claims docs page clean

demo: .venv/demo
	$(BIN)/python examples/first.py

test: .venv/test
	$(BIN)/ruff check
	$(BIN)/pyright
	$(BIN)/pytest -n 2

lint: .venv/test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright

bench: .venv/test
	$(BIN)/pytest benchmarks --benchmark-only --ignore=benchmarks/test_train.py
	$(BIN)/python benchmarks/table.py --docs
	$(BIN)/python benchmarks/cost.py

docs: .venv/test
	$(BIN)/sphinx-build -W --keep-going -n -q docs out/docs
	@echo open out/docs/index.html

page: web/node_modules
	cd web && npm run check && npm run build

web/node_modules: web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	touch $@

claims: .venv/demo
	$(BIN)/python -m festina.papers

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "festina needs Python >= 3.11; set PYTHON=...")'
	$(PYTHON) -m venv .venv

.venv/demo: .venv/bin/python pyproject.toml
	$(BIN)/pip install --quiet --editable .
	touch $@

.venv/test: .venv/bin/python pyproject.toml
	$(BIN)/pip install --quiet --editable '.[test]'
	touch $@ .venv/demo

clean:
	rm -rf .venv out docs/generated .pytest_cache .ruff_cache .hypothesis .benchmarks
