# Three commands matter: `make demo`, `make check` (the inner loop) and `make test` (everything); `make docs`
# builds the site and `make release` the package. Each makes the environment it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
WORKERS ?= auto

.PHONY: demo check test lint docs notebooks release coverage hostile check-lowest clean

demo: $(VENV)/demo.done
	$(BIN)/python -m examples.demo demo

# One thread a worker: the threads of several would wait for each other's cores. Bytecode is kept:
# workers, and the interpreters that tests start, would each compile every file anew.
PYTEST := PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest \
	-n $(WORKERS) --dist worksteal

check: $(VENV)/test.done
	$(PYTEST) -m "not slow"

test: $(VENV)/test.done
	$(PYTEST)

lint: $(VENV)/test.done
	$(BIN)/ruff check src tests benchmarks examples tools docs/conf.py conftest.py
	$(BIN)/ruff format --check src tests benchmarks examples tools docs/conf.py conftest.py
	$(BIN)/mypy
	$(BIN)/python tools/size.py

# The site, offline: pages, a reference of every public name, and a gallery that is executed.
docs: $(VENV)/docs.done
	MPLBACKEND=agg $(BIN)/python -m sphinx -b html -W --keep-going -q docs build/site
	$(BIN)/python tools/check_site.py build/site

# Notebooks from the pages in docs/notebooks, executed.
notebooks: $(VENV)/docs.done
	mkdir -p build/notebooks
	for page in biologist data_scientist ecologist teacher; do \
	    $(BIN)/jupytext --quiet --to ipynb --execute -o build/notebooks/$$page.ipynb docs/notebooks/$$page.md \
	        || exit 1; \
	done

# Build, check, and try the wheel alone in a fresh environment of each Python that is installed.
release: $(VENV)/release.done
	rm -rf dist
	$(BIN)/python -m build --quiet
	$(BIN)/python -m twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl
	$(BIN)/python tools/try_wheel.py dist

coverage: $(VENV)/test.done
	$(PIP) pytest-cov
	$(PYTEST) --cov=gramian --cov-branch --cov-fail-under=85

hostile: $(VENV)/test.done
	$(BIN)/python -m benchmarks.hostile

# The oldest versions that the package admits, read from pyproject.toml.
check-lowest: $(VENV)/test.done
	$(BIN)/python tools/lowest.py > $(VENV)/lowest.txt
	$(PYTHON) -m venv $(VENV)-lowest
	$(subst $(VENV),$(VENV)-lowest,$(BIN))/python -m pip install --quiet -r $(VENV)/lowest.txt --editable .
	$(subst $(VENV),$(VENV)-lowest,$(BIN))/python -m gramian datasets
	$(subst $(VENV),$(VENV)-lowest,$(BIN))/python -c "import gramian as gm; print(gm.PCA(2).fit(gm.datasets.iris().data).summary())"

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

$(VENV)/docs.done: pyproject.toml | $(BIN)/python
	$(PIP) --editable ".[docs]"
	touch $@

$(VENV)/release.done: pyproject.toml | $(BIN)/python
	$(PIP) build twine check-wheel-contents
	touch $@

clean:
	rm -rf $(VENV) $(VENV)-lowest demo build dist docs/gallery docs/reference
