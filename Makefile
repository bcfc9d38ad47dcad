# Three commands matter: `make demo`, `make check` (the inner loop, under a minute) and `make test`
# (everything). Each makes the environment it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
WORKERS ?= auto

.PHONY: demo check test lint clean

demo: $(VENV)/demo.done
	$(BIN)/python -m examples.demo demo

# One thread a worker: the threads of several would wait for each other's cores.
PYTEST := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest \
	-n $(WORKERS) --dist worksteal

check: $(VENV)/test.done
	$(PYTEST) -m "not slow"

test: $(VENV)/test.done
	$(PYTEST)

lint: $(VENV)/test.done
	$(BIN)/ruff check src tests benchmarks examples tools conftest.py
	$(BIN)/ruff format --check src tests benchmarks examples tools conftest.py
	$(BIN)/mypy
	$(BIN)/python tools/size.py

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.done: pyproject.toml | $(BIN)/python
	$(PIP) --editable ".[plot]"
	touch $@

# torch is pinned: the newest build would bring several gigabytes of CUDA libraries.
$(VENV)/test.done: pyproject.toml | $(BIN)/python
	$(PIP) torch==2.13.0
	$(PIP) --editable ".[dev]"
	touch $@ $(VENV)/demo.done

clean:
	rm -rf $(VENV) demo build dist
