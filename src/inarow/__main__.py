"""`python -m inarow` is the command `inarow`."""

from inarow.cli import main

if __name__ == "__main__":
    main()
