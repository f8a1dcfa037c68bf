# Every target installs what it needs into .venv, and again only when pyproject.toml changes.
.DEFAULT_GOAL := help
.PHONY: help demo test check bench bench-skills clean
MAKEFLAGS += --no-print-directory
export PYTHON
IN := .venv/bin
# Three at a time also on two cores: tests wait for other processes much of their time.
TESTS := $(IN)/python -m pytest -n 3 --dist worksteal

help:   ## say what each target does
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/make \1	\2/p' $(MAKEFILE_LIST)

demo: .venv/installed-data   ## run an agent on real input, without an API key
	@$(IN)/python examples/demo/demo.py

test: .venv/installed-dev   ## run all tests
	@$(TESTS)

check: .venv/installed-dev   ## lint, types, house rules and the fast tests (two to three minutes on two cores)
	@$(IN)/ruff check .
	@$(IN)/ruff format --check .
	@$(IN)/mypy
	@$(TESTS) -m "not slow"

bench: .venv/installed-bench   ## measure, and print one table
	@$(IN)/python -m benchmarks

bench-skills: .venv/installed-dev   ## measure how a skill library pays over a stream of tasks
	@$(IN)/python -m benchmarks.growth docs/skills-growth.png

clean:   ## remove .venv, caches and what the demo and the benchmarks wrote
	rm -rf .venv build dist demo-output bench-results attack-results .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/installed-%: pyproject.toml scripts/install
	@scripts/install $*
