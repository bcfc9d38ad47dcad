"""Files, whole or not at all: the old one or the new one, never a part."""

import errno
import os
import re
import secrets
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from gramian._core.check import path as checked_path
from gramian.errors import OutputError

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

_STALE_SECONDS = 3600.0  # after which a folder that cannot be locked belongs to no writer
# Where the system's own words say too little.
_REASONS = {
    errno.ENOTDIR: "a part of its path is no folder",
    errno.EISDIR: "it is a folder: name a file in it",
    errno.ELOOP: "it is a link that leads back to itself",
}


@contextmanager
def replacement_file(path: str | os.PathLike[str]) -> Iterator[str]:
    """Yield the name of an empty file beside `path` that takes its place if all goes well.

    A link stays: what it leads to is replaced. A file that is replaced leaves its permissions to
    the new one. What killed processes left beside it is removed.
    """
    checked_path(path)
    with _name_errors(path):
        target = _place(path)
        _remove_leftovers(target)
        with _temporary_file(target) as name:
            usual = os.stat(name).st_mode
            yield name
            _set_permissions(name, target, usual)
            os.replace(name, target)
        _sync_folder(target.parent)


@contextmanager
def atomic_write(path: str | os.PathLike[str], mode: str = "w") -> Iterator[IO[Any]]:
    """Open a file beside `path` that takes its place, synced, when all is written."""
    text: dict[str, Any] = {} if "b" in mode else {"encoding": "utf-8", "newline": ""}
    with replacement_file(path) as name, open(name, mode, **text) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def check_writable(path: str | os.PathLike[str]) -> None:
    """Refuse a place where no file can be written, before anything is computed."""
    checked_path(path)
    with _name_errors(path), _temporary_file(_place(path)):
        pass  # a file was made beside it: no look at permissions says as much


@contextmanager
def _name_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    """Say of what the system refuses which file it was, and why."""
    try:
        yield
    except OSError as error:
        name = os.fspath(path)[-200:]
        raise OutputError(f"{name} cannot be written: {_reason(error, path)[:150]}") from error


def _reason(error: OSError, path: str | os.PathLike[str]) -> str:
    if error.errno == errno.ENOENT:
        parent = Path(path).parent
        exists = parent.is_dir()
        return f"no file can be made in {parent}" if exists else f"there is no folder {parent}"
    return _REASONS.get(error.errno or 0) or error.strerror or str(error)


def _place(path: str | os.PathLike[str]) -> Path:
    """Return where a file is, links followed; only plain files are replaced."""
    try:
        target = Path(os.path.realpath(path))
    except ValueError as error:  # a name with a zero in it
        raise OSError(errno.EINVAL, "its name contains a null character") from error
    if target.is_symlink():
        raise OSError(errno.ELOOP, "")
    if target.is_dir():
        raise OSError(errno.EISDIR, "")
    if target.exists() and not target.is_file():  # /dev/null would become a file
        raise OSError(errno.EINVAL, "it is a device or a pipe, not a file")
    return target


@contextmanager
def _temporary_file(target: Path) -> Iterator[str]:
    """Make an empty file in a private folder beside the target, which is gone afterwards.

    The folder is locked, not the file: a library may put another file in its place.
    """
    is_ours = False
    while not is_ours:
        folder = target.parent / f".{target.name[:40]}.{secrets.token_hex(4)}.tmp"
        handle = -1
        try:
            os.mkdir(folder, 0o700)
            if fcntl is not None:
                with suppress(OSError):  # a disk that knows no locks
                    handle = _lock(folder, fcntl.LOCK_EX)
            is_ours = folder.exists()  # not taken for a leftover before it was locked
            if is_ours:
                name = str(folder / "new.tmp")
                os.close(os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666))
                yield name
        finally:
            try:
                shutil.rmtree(folder, ignore_errors=True)
            finally:  # an interrupt may have come in the middle of it
                shutil.rmtree(folder, ignore_errors=True)
                if handle >= 0:
                    os.close(handle)


def _lock(folder: Path, operation: int) -> int:
    """Return a handle by which a folder is locked until it is closed, or its process ends."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, operation)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _remove_leftovers(target: Path) -> None:
    """Remove what writers of the same file left behind when they were killed."""
    form = re.compile(re.escape(f".{target.name[:40]}.") + r"[0-9a-f]{8}\.tmp")
    with suppress(OSError):  # a folder that cannot be listed can still be written to
        for name in filter(form.fullmatch, os.listdir(target.parent)):
            with suppress(OSError):
                _remove_stale(target.parent / name)


def _remove_stale(folder: Path) -> None:
    """Remove a folder that nobody holds: the system lets go of what a killed process held."""
    about = os.lstat(folder)
    if not stat.S_ISDIR(about.st_mode):
        return
    is_stale, handle = time.time() - about.st_mtime > _STALE_SECONDS, -1
    if fcntl is not None:
        try:
            handle = _lock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_stale = True
        except BlockingIOError:
            return
        except OSError:  # no locks here: its age is all there is to go by
            pass
    if is_stale:
        shutil.rmtree(folder)
    if handle >= 0:
        os.close(handle)


def _set_permissions(name: str, target: Path, usual: int) -> None:
    """Give a file those of the one that it replaces, or those it was made with."""
    mode = usual  # who wrote the file may have made another
    with suppress(FileNotFoundError):
        old, new = os.stat(target), os.stat(name)
        mode = old.st_mode
        with suppress(PermissionError):  # only some may give files away
            if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
                os.chown(name, old.st_uid, old.st_gid)
    with suppress(PermissionError):  # and some disks know no permissions
        os.chmod(name, stat.S_IMODE(mode))


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where folders can be synced."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
