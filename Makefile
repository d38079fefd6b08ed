# `make demo` and `make test` do all the set-up: they create .venv and install into it what they need.
PYTHON ?= python3
BIN := .venv/bin
# a file, or an experiment, stays with one worker; the longest begin early (tests/conftest.py)
WORKERS ?= 2
PARALLEL = -n $(WORKERS) --dist loadfile --no-loadscope-reorder
# a quarter of the time of these tests is waiting: for the browser, SLURM, Dask and processes that are killed
test: WORKERS = 3
# thread pools collapse when test processes share two cores
test verdicts docs quick attack coverage: export OMP_NUM_THREADS ?= 1
test verdicts docs quick attack coverage: export OPENBLAS_NUM_THREADS ?= 1
# what make test runs with its types checked is run here as users have it
verdicts docs: export FESTINA_TYPES ?= unchecked

.PHONY: demo test verdicts quick attack coverage lint bench claims docs page clean

demo: .venv/demo
	$(BIN)/python examples/first.py

# every test but those of the documentation; experiments run with two networks of each kind
test: .venv/test
	$(BIN)/pytest $(PARALLEL) -m "not (verdict or docs)"

# the verdicts of all experiments at quick settings
verdicts: .venv/test
	$(BIN)/pytest $(PARALLEL) -m verdict tests/papers

# the fast tests: what their markers leave out is explained in pyproject.toml
quick: .venv/test
	$(BIN)/pytest $(PARALLEL) -m "not (slow or browser or slurm or docs or experiment or verdict)"

# which share of the source the tests run, in any process that they start, file by file
coverage: .venv/test
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(PARALLEL)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered

# drawn cases over all scales, networks and methods, against independent references; seeds are new each time
attack: .venv/test
	$(BIN)/python benchmarks/attack
	$(BIN)/python benchmarks/attack --family kills --cases 5

lint: .venv/test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright --threads
	if [ -d web/node_modules ]; then cd web && npm run --silent lint; fi

bench: .venv/test
	FESTINA_HISTORY=keep $(BIN)/pytest benchmarks --benchmark-only --ignore=benchmarks/test_train.py
	$(BIN)/python benchmarks/table.py --docs
	$(BIN)/python benchmarks/cost.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/scale.py --docs
	$(BIN)/python benchmarks/measured.py

# builds the documentation; checks its pages, runs its code and its notebooks
docs: .venv/test
	$(BIN)/sphinx-build -W --keep-going -n -q docs out/docs
	FESTINA_DOCS=out/docs $(BIN)/pytest $(PARALLEL) -m docs tests/test_*.py
	@echo open out/docs/index.html

page: web/node_modules
	cd web && npm run check && npm run lint && npm run build

web/node_modules: web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	touch $@

claims: .venv/demo
	$(BIN)/python -m festina.papers --jobs 2

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "festina needs Python >= 3.11; set PYTHON=...")'
	$(PYTHON) -m venv .venv

.venv/demo: .venv/bin/python pyproject.toml
	$(BIN)/pip install --quiet --editable '.[all]'
	touch $@

.venv/test: .venv/bin/python pyproject.toml
	$(BIN)/pip install --quiet --editable '.[test]'
	touch $@ .venv/demo

clean:
	rm -rf .venv out docs/generated .pytest_cache .ruff_cache .hypothesis .benchmarks
