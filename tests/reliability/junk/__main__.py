"""`python -m tests.reliability.junk [WORD …]` walks all entries, or those that hold a word."""

import sys

from tests.reliability.junk.entries import entries
from tests.reliability.junk.walk import aside, faults


def main(words: list[str]) -> int:
    """Print what breaks the promise, and how often it is broken."""
    count = 0
    with aside():
        for name, entry in entries().items():
            if not words or any(word in name for word in words):
                for text in faults(entry):
                    print(text, flush=True)
                    count += 1
    print(f"{count} faults")
    return count


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
