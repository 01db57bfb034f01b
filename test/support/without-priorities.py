"""Runs a command that may change no priorities: they are denied, as by SystemCallFilter=~@resources of systemd."""

import ctypes
import os
import platform
import struct
import sys

setpriority = {"x86_64": 141, "aarch64": 140}[platform.machine()]
load, equal, answer = 0x20, 0x15, 0x06
allow, deny = 0x7FFF0000, 0x00050000 | 1
steps = [(load, 0, 0, 0), (equal, 0, 1, setpriority), (answer, 0, 0, deny), (answer, 0, 0, allow)]
program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_void_p)]


libc = ctypes.CDLL(None, use_errno=True)
no_new_privileges, set_filter = 38, 22
assert libc.prctl(no_new_privileges, 1, 0, 0, 0) == 0
found = Filter(len(steps), ctypes.addressof(program))
assert libc.prctl(set_filter, 2, ctypes.byref(found), 0, 0) == 0
os.execvp(sys.argv[1], sys.argv[1:])
