"""What codeact costs, measured in one run: `make bench` prints the table."""
