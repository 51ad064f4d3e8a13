# `make study` plays a first study, `make test` checks everything, `make bench` measures speed.
# Each sets up .venv by itself; all that is needed is make and Python 3.11 or newer.

VENV := .venv
BIN := $(VENV)/bin
RUN := $(BIN)/python -m
PYTHON ?= $(shell python3.11 -c 'import sys; print(sys.executable)' 2>/dev/null || command -v python3)
STUDY ?= configs/studies/first_look.yaml

.PHONY: study test lint types layers tests bench

study: $(VENV)/base.stamp
	$(BIN)/lens-env study $(STUDY)

test: lint types layers tests

lint: $(VENV)/dev.stamp
	$(RUN) ruff check .
	$(RUN) ruff format --check .

types: $(VENV)/dev.stamp
	$(RUN) mypy

layers: $(VENV)/dev.stamp
	$(BIN)/lint-imports

# compiled; then the tests of kernels interpreted, where NumPy reports overflow; and the core and random play of every
# ruleset with indices checked (compiled for that alone, so quickly rather than well)
tests: $(VENV)/dev.stamp
	$(RUN) tests.warm
	$(RUN) pytest -q -n 2 --dist loadfile --no-loadscope-reorder
	NUMBA_DISABLE_JIT=1 $(RUN) pytest -q -n 2 --dist loadfile --no-loadscope-reorder -m kernel
	NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 $(RUN) tests.warm --rules
	NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 $(RUN) pytest -q -n 2 --dist loadfile -m kernel tests/core tests/rulesets/test_determinism.py $(wildcard tests/rulesets/test_invariants.py tests/rulesets/*/test_invariants.py)

bench: $(VENV)/dev.stamp
	$(RUN) pytest tests/bench --benchmark-enable --benchmark-only

# An environment whose installation was interrupted ("installing" is left) or whose Python is gone is made anew.
# The stamps lie inside it, so they go with it.
define install
	@if test -e $(VENV)/installing || ! $(BIN)/python -c '' 2>/dev/null; then rm -rf $(VENV); fi
	@if ! test -e $(VENV); then $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11'; exit 1; }; fi
	@if ! test -e $(VENV); then mkdir $(VENV) && touch $(VENV)/installing && $(PYTHON) -m venv $(VENV); fi
	@touch $(VENV)/installing
	$(RUN) pip install --quiet --disable-pip-version-check --no-compile -e '$(1)'
	@rm $(VENV)/installing
endef

# Stamps count only while the environment is whole.
ifneq ($(shell test ! -e $(VENV)/installing && $(BIN)/python -c '' 2>/dev/null && echo whole),whole)
.PHONY: $(VENV)/base.stamp $(VENV)/dev.stamp
endif

$(VENV)/base.stamp: pyproject.toml
	$(call install,.)
	@touch $@

$(VENV)/dev.stamp: pyproject.toml
	$(call install,.[dev])
	@touch $(VENV)/base.stamp $@
