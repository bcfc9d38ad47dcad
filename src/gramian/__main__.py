"""The command `gramian`, as a process of its own: also `python -m gramian`."""

import gc

from gramian.cli import main

__all__ = ["run"]

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


if __name__ == "__main__":
    run()
