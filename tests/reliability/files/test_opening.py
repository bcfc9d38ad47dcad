"""What is opened: plain files that hold no more than they should, and folders as far as they go."""

import gzip
import io
import os
import socket
import subprocess
import sys
import time
import zipfile

import networkx as nx
import pytest
from click.testing import CliRunner
from tests.io.files import xlsx

import gramian as gm
from gramian.cli import main
from gramian.errors import InputError
from gramian.io.content import file_bytes

CSV = b"x,y\n1,2\n3,5\n2,2\n"
READERS = {
    "read": gm.io.read,
    "as_source": gm.io.as_source,
    "edges": gm.networks.read_edges,
    "graphml": gm.networks.read_graphml,
}


def pipe(folder):
    os.mkfifo(folder / "f.csv")
    return folder / "f.csv"


def unix_socket(folder):
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(folder / "s"))
    return folder / "s"


def link(kind):
    def made(folder):
        (folder / "link.csv").symlink_to(kind(folder) if callable(kind) else kind)
        return folder / "link.csv"

    return made


PLACES = {
    "a pipe": pipe,
    "a socket": unix_socket,
    "zeros": lambda _: "/dev/zero",
    "nothing": lambda _: "/dev/null",
    "random": lambda _: "/dev/urandom",
    "the system": lambda _: "/proc/self/environ",
    "the kernel": lambda _: "/proc/meminfo",
    "a setting": lambda _: "/sys/kernel/mm/transparent_hugepage/enabled",
    "by a link": link("/dev/zero"),
    "by a link to the system": link("/proc/self/maps"),
    "by a link to a pipe": link(pipe),
}


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("place", PLACES)
def test_only_plain_files_are_opened(place, reader, tmp_path):
    path = PLACES[place](tmp_path)
    if not os.path.exists(path):
        path = "/proc/self/status"
    start = time.perf_counter()
    with pytest.raises(InputError, match=r"is a|is no") as caught:
        READERS[reader](path)
    assert time.perf_counter() - start < 20 and len(str(caught.value)) <= 400


@pytest.mark.parametrize("reader", ["edges", "graphml"])
def test_a_folder_is_no_file(reader, tmp_path):
    with pytest.raises(InputError, match="is a folder"):
        READERS[reader](tmp_path)


def test_links_to_files_and_odd_names_are_fine(tmp_path):
    (tmp_path / "a.csv").write_bytes(CSV)
    (tmp_path / "b.csv").symlink_to("a.csv")
    assert len(gm.io.read(tmp_path / "b.csv")) == 3
    with pytest.raises(InputError, match="names no file"):
        gm.io.read("a\0b.csv")
    (tmp_path / "c.csv").symlink_to("c.csv")
    with pytest.raises(InputError, match="cannot be read"):
        gm.io.read(tmp_path / "c.csv")
    with pytest.raises(InputError, match="more than 5 bytes"):
        file_bytes(tmp_path / "a.csv", 5)


@pytest.mark.slow
def test_standard_input_without_an_end():
    code = (
        "import sys, gramian as gm, gramian.io.content as o\n"
        "o.budget_bytes = lambda _: 50_000_000\n"
        "try: gm.io.read(sys.stdin.buffer)\n"
        "except ValueError as error: print(error)"
    )
    with open("/dev/zero", "rb") as zeros:
        run = subprocess.run(
            [sys.executable, "-c", code], stdin=zeros, capture_output=True, text=True, timeout=60
        )
    assert "goes on beyond 50 MB" in run.stdout


@pytest.mark.slow
def test_streams_of_every_kind():
    class AllAtOnce:
        def read(self):
            return CSV

    assert len(gm.io.read(AllAtOnce())) == 3
    assert len(gm.io.read(io.StringIO(CSV.decode()))) == 3
    with open(os.devnull, "rb") as empty, pytest.raises(InputError, match="empty"):
        gm.io.read(empty)


def bomb(megabytes):
    """Return rows of zeros, gzipped a thousand times smaller."""
    rows = b"0.0,0.0\n" * 125_000
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", mtime=0) as file:
        file.write(b"x,y\n")
        for _ in range(megabytes):
            file.write(rows)
    return out.getvalue()


@pytest.mark.slow
def test_a_bomb_is_refused_soon():
    data = bomb(80)
    assert len(data) < 1_000_000
    start = time.process_time()
    with pytest.raises(InputError, match="unpacks to more than 64 MB: pass largest="):
        gm.io.read(io.BytesIO(data))
    assert time.process_time() - start < 1.0


@pytest.mark.slow
def test_a_file_that_may_unpack_does(tmp_path, monkeypatch):
    monkeypatch.setattr("gramian.io.content._SMALL_BYTES", 1_000_000)
    path = tmp_path / "zeros.csv.gz"
    path.write_bytes(bomb(2))
    with pytest.raises(InputError, match="largest="):
        gm.io.read(path)
    assert len(gm.io.read(path, largest="3MB")) == 2 * 125_000


@pytest.mark.slow
def test_the_command_says_its_own_option(tmp_path, monkeypatch):
    monkeypatch.setattr("gramian.io.content._SMALL_BYTES", 1_000_000)
    path = tmp_path / "zeros.csv.gz"
    path.write_bytes(bomb(2))
    run = CliRunner().invoke(main, ["fit", str(path), "-q"])
    assert run.exit_code == 3 and "(option --largest)" in run.stderr
    other = CliRunner().invoke(main, ["fit", str(path), "-q", "--largest", "3MB"])
    assert "largest" not in other.stderr
    wrong = CliRunner().invoke(main, ["fit", str(path), "-q", "--largest", "much"])
    assert wrong.exit_code == 3 and "is not a size" in wrong.stderr


@pytest.mark.parametrize("largest", ["much", -1, 0, True, [1], float("nan"), float("inf"), "5XB"])
def test_a_size_that_is_none(largest):
    with pytest.raises(InputError, match="largest="):
        gm.io.read(io.BytesIO(CSV), largest=largest)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [2, 3, 1100])
def test_gzip_inside_gzip_is_refused(depth):
    data = CSV
    for _ in range(depth):
        data = gzip.compress(data, 1)
    with pytest.raises(InputError, match="holds a gzipped file"):
        gm.io.read(io.BytesIO(data))


@pytest.mark.slow
def test_what_is_packed_twice_in_two_ways_keeps_the_first_bound(monkeypatch):
    """A workbook in a gzip may unpack to what the gzip may, not to a hundred times itself."""
    monkeypatch.setattr("gramian.io.content._SMALL_BYTES", 1_000_000)
    book = xlsx([["x", "y"], [1.0, 2.0], [2.0, 5.0]], bomb=3_000_000)
    stuffed = io.BytesIO(book)
    with zipfile.ZipFile(stuffed, "a", zipfile.ZIP_STORED) as archive:
        archive.writestr("xl/zeros.bin", bytes(900_000))
    assert len(gm.io.read(io.BytesIO(stuffed.getvalue()))) == 2
    with pytest.raises(InputError, match="unpacks to more than 1 MB"):
        gm.io.read(io.BytesIO(gzip.compress(stuffed.getvalue())))


@pytest.mark.parametrize("change", ["cut", "flipped", "crc", "tail", "empty", "garbage"])
def test_gzip_that_is_broken(change):
    good = gzip.compress(CSV * 100)
    data = bytearray(good)
    if change == "cut":
        del data[-9:]
    elif change == "flipped":
        data[12] ^= 0xFF
    elif change == "crc":
        data[-6] ^= 1
    elif change == "tail":
        data += b"rubbish"
    elif change == "empty":
        data = bytearray(gzip.compress(b""))
    else:
        data = bytearray(b"\x1f\x8b" + b"garbage" * 9)
    with pytest.raises(InputError, match="gzipped file is"):
        gm.io.read(io.BytesIO(bytes(data)))


def test_members_one_after_another_are_one_file():
    assert len(gm.io.read(io.BytesIO(gzip.compress(CSV) + gzip.compress(b"7,8\n")))) == 4


@pytest.fixture
def folder(tmp_path):
    inside = tmp_path / "graphs"
    inside.mkdir()
    for k in range(3):
        nx.write_graphml(nx.path_graph(k + 3), inside / f"g{k}.graphml")
    (tmp_path / "secret.txt").write_text("the words\nof a secret\n")
    return inside


def test_a_link_that_leaves_the_folder_is_refused(folder):
    for target in ("../secret.txt", folder.parent / "secret.txt", "/etc/passwd"):
        (folder / "c.txt").symlink_to(target)
        with pytest.raises(InputError, match=r"^c\.txt: .*leads out of the folder") as caught:
            gm.io.read(folder)
        assert "words" not in str(caught.value)
        (folder / "c.txt").unlink()


def test_a_link_through_a_folder_that_leaves_it(folder):
    (folder / "out").symlink_to("..")
    (folder / "c.txt").symlink_to("out/secret.txt")
    with pytest.raises(InputError, match="leads out"):
        gm.io.read(folder)


def test_a_link_inside_the_folder_is_followed(folder):
    (folder / "again.graphml").symlink_to("g0.graphml")
    assert gm.io.read(folder).names == ["again", "g0", "g1", "g2"]
    other = folder.parent / "other"
    other.symlink_to("graphs")
    assert len(gm.io.read(other)) == 4


@pytest.mark.parametrize("target", ["loop.txt", "nowhere.txt"])
def test_a_link_that_leads_nowhere_is_named(folder, target):
    (folder / "loop.txt").symlink_to(target)
    with pytest.raises(InputError, match=r"^loop\.txt: .*leads nowhere"):
        gm.io.read(folder)


@pytest.mark.parametrize("kind", ["pipe", "folder", "socket"])
def test_what_is_called_like_a_graph_and_is_none(folder, kind):
    if kind == "pipe":
        os.mkfifo(folder / "p.txt")
    elif kind == "folder":
        (folder / "p.txt").mkdir()
    else:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(str(folder / "p.txt"))
    with pytest.raises(InputError, match=rf"^p\.txt: .* is a {kind}"):
        gm.io.read(folder)


def test_other_files_are_told_and_hidden_ones_are_not_seen(folder):
    (folder / ".hidden.txt").write_text("a b\n")
    (folder / "notes.md").write_text("about these graphs")
    (folder / "more").mkdir()
    source = gm.io.read(folder)
    assert len(source) == 3
    (told,) = [note for note in source.notes if note.key == "other_files"]
    assert "'more', 'notes.md'" in told and "hidden" not in told


def test_a_file_that_may_not_be_read_is_named(folder, monkeypatch):
    real = os.open

    def forbidden(path, *rest, **options):
        if str(path).endswith("g1.graphml"):
            raise PermissionError(13, "Permission denied")
        return real(path, *rest, **options)

    monkeypatch.setattr(os, "open", forbidden)
    with pytest.raises(InputError, match=r"^g1\.graphml: .*Permission denied"):
        gm.io.read(folder)
