# `make demo` and `make test` do all the set-up: they create .venv and install into it what they need.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint bench clean

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

bench: .venv/bench
	$(BIN)/pytest benchmarks --benchmark-only

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "festina needs Python >= 3.11; set PYTHON=...")'
	$(PYTHON) -m venv .venv

.venv/demo: .venv/bin/python pyproject.toml
	$(BIN)/pip install --quiet --editable .
	touch $@

.venv/test: .venv/bin/python pyproject.toml
	$(BIN)/pip install --quiet --editable '.[test]'
	touch $@ .venv/demo

.venv/bench: .venv/test
	$(BIN)/pip install --quiet --editable '.[test,bench]'
	touch $@

clean:
	rm -rf .venv out .pytest_cache .ruff_cache .hypothesis .benchmarks
