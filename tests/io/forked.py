"""The child process of `gramian.io.limited`, forked from one that has imported its libraries.

A child that starts from nothing takes a second, and spoiled files are read by the hundred. What
runs in it, with its limits, is the same.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from gramian.io import limited

SERVER = """
import json, os, runpy, socket, sys
from importlib import import_module
sys.path[:] = json.loads(sys.argv[2])
child = runpy.run_path(sys.argv[3])
for _, libraries in child["READERS"].values():
    for name in libraries:
        import_module(name)
calls = socket.socket(fileno=int(sys.argv[1]))
while True:
    settings, files, _, _ = socket.recv_fds(calls, 1 << 20, 3)
    if not settings:
        break
    if (pid := os.fork()) == 0:
        for number, file in enumerate(files):
            os.dup2(file, number)
        sys.argv[1:] = [settings.decode()]
        try:
            child["main"]()
        except SystemExit as end:
            sys.stdout.flush()
            os._exit(end.code)  # libraries take long to leave
    for file in files:
        os.close(file)
    calls.send(b"%d" % pid)
    calls.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""


@cache
def server() -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """Start the process that forks, and return the way to it."""
    ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
    path = json.dumps([os.path.abspath(folder) for folder in sys.path])
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", SERVER, str(theirs.fileno()), path, limited._CHILD],
        env=os.environ | limited._ENVIRONMENT,
        pass_fds=[theirs.fileno()],
    )
    theirs.close()
    return ours, process


def run(settings: str, data: bytes, seconds: float) -> tuple[int, bytes, bytes]:
    """Return what `limited._run` returns."""
    with ExitStack() as stack:
        (inlet, feed), (out, outlet), (faults, fault_outlet) = (os.pipe() for _ in range(3))
        read, read_faults, write = (
            stack.enter_context(os.fdopen(number, mode))
            for number, mode in ((out, "rb"), (faults, "rb"), (feed, "wb"))
        )
        theirs = [inlet, outlet, fault_outlet]
        calls = server()[0]
        socket.send_fds(calls, [settings.encode()], theirs)
        for number in theirs:
            os.close(number)
        pid = int(calls.recv(20))
        feeder = threading.Thread(target=limited._feed, args=(write, data), daemon=True)
        timer = threading.Timer(seconds, os.kill, (pid, signal.SIGKILL))
        feeder.start()
        timer.start()
        texts = read.read(), read_faults.read()
        status = int(calls.recv(20))
        timer.cancel()
        feeder.join()
        return status, *texts


@pytest.fixture(autouse=True)
def forked_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read files in forked children, where the system can fork."""
    if hasattr(os, "fork") and Path("/proc/self").exists():
        monkeypatch.setattr(limited, "_run", run)
