"""A disk that fails at the n-th thing that is asked of it."""

import builtins
import os
from contextlib import contextmanager
from unittest import mock

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Disk:
    """Counts what a folder is asked to do, and fails at one number, or from it on."""

    def __init__(self, folder, fault=None, number=0, lasting=False):
        self.folder, self.fault, self.number = str(folder), fault, number
        self.lasting, self.asked = lasting, []

    def ask(self, what):
        self.asked.append(what)
        count = len(self.asked)
        if self.fault is not None and (
            count == self.number or (self.lasting and count > self.number)
        ):
            raise self.fault()

    def is_ours(self, path):
        return isinstance(path, str | os.PathLike) and os.fspath(path).startswith(self.folder)


class File:
    """An open file that asks the disk before it does anything."""

    def __init__(self, file, disk):
        self._file, self._disk = file, disk

    def __getattr__(self, name):
        return getattr(self._file, name)

    def __iter__(self):
        return iter(self._file)

    def __enter__(self):
        self._file.__enter__()
        return self

    def __exit__(self, *about):
        return self._file.__exit__(*about)

    def write(self, data):
        try:
            self._disk.ask("write")
        except BaseException:
            self._file.write(data[: len(data) // 2])  # a disk that fills takes a part
            raise
        return self._file.write(data)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        self._disk.ask("flush")
        return self._file.flush()


@contextmanager
def failing(disk):
    """Let everything that writes in the folder of a disk ask it first."""
    real_open, os_open, replace = builtins.open, os.open, os.replace

    def opened(path, mode="r", *rest, **options):
        if not disk.is_ours(path) or not set(mode) & set("wax+"):
            return real_open(path, mode, *rest, **options)
        disk.ask("open")
        return File(real_open(path, mode, *rest, **options), disk)

    def opened_low(path, flags, *rest, **options):
        if disk.is_ours(path) and flags & _WRITES:
            disk.ask("os.open")
        return os_open(path, flags, *rest, **options)

    def synced(handle):
        disk.ask("fsync")  # and no more: waiting for a real disk shows nothing

    def replaced(source, target, **options):
        disk.ask("replace")
        return replace(source, target, **options)

    with (
        mock.patch.object(builtins, "open", opened),
        mock.patch.object(os, "open", opened_low),
        mock.patch.object(os, "fsync", synced),
        mock.patch.object(os, "replace", replaced),
    ):
        yield
