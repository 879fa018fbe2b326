"""`python -m memarena`."""

from memarena.cli import main

if __name__ == "__main__":
    main()
