"""The command `gramian`, as a process of its own: also `python -m gramian`."""

import gc

from gramian.cli import main

__all__ = ["run"]

_STACK = 1 << 14  # entries of 8 bytes in the frame of a run
_NEW = 500_000  # objects after which Python looks for cycles among them; 700 by default


def run() -> None:
    """Run the command, and look less often for what can be thrown away.

    A third of a million objects are made by imports and stay until the end, where the system takes
    back all memory at once: looking through them again and again costs a fifth of a short run.
    """
    gc.set_threshold(_NEW)
    try:
        main(prog_name="gramian")
    finally:
        gc.freeze()


# Frames of calls lie in pieces of 16 kB, and a loop at the end of one maps and returns the next at
# each call: 30,000 times in the report of a small table. A large frame makes a piece for all.
run.__code__ = run.__code__.replace(co_stacksize=_STACK)

if __name__ == "__main__":
    run()
