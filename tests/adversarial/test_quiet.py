"""Nothing is asked of the network and no program is started: what SECURITY.md says."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow


# An audit hook sees every socket and every process, whoever asks for them.
PROGRAM = """
import sys
seen = []
EVENTS = ("socket.", "subprocess.", "os.exec", "os.posix_spawn", "os.system", "urllib.", "ftplib.")
sys.addaudithook(lambda name, args: seen.append((name, args)) if name.startswith(EVENTS) else None)
import gramian as gm
from pathlib import Path
d = gm.datasets.iris()
fit = gm.PCA(2).fit(d.data)
gm.KernelPCA(2).fit(d.data).individuals()
folder = Path(sys.argv[1])
gm.save(fit, folder / "fit.gramian")
gm.load(folder / "fit.gramian").summary()
gm.report.write(d.data.iloc[:40], folder / "page.html")
print([(name, str(args)[:80]) for name, args in seen])
"""


def test_no_socket_and_no_process(tmp_path):
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    assert done.stdout.strip() == "[]"
    assert (tmp_path / "page.html").stat().st_size > 10_000
