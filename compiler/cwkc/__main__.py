"""`python -m cwkc`: the command `cwkc`."""

from cwkc.cli import main

main()
