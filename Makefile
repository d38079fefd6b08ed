# `make demo` and `make test` do all the set-up: they create .venv and install into it what they need.
PYTHON ?= python3
BIN := .venv/bin
# thread pools collapse when test processes share two cores
test: export OMP_NUM_THREADS ?= 1
test: export OPENBLAS_NUM_THREADS ?= 1

.PHONY: demo test lint bench claims clean

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
	$(BIN)/pytest benchmarks --benchmark-only

claims: .venv/demo
	$(BIN)/python -m festina.experiments

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
	rm -rf .venv out .pytest_cache .ruff_cache .hypothesis .benchmarks
