"""`python -m codeact` is the `codeact` command."""

from codeact.cli import main

if __name__ == "__main__":
    main()
