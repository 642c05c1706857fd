"""Resources of the machine that trains: its fastest numbers, and memory that it keeps and counts."""

import ctypes
import os
import platform
import sys
from pathlib import Path

import torch

PEAK = "VmHWM:"  # the line of Linux that tells the most memory a process ever had, in kilobytes


def fastest_precision() -> str:
    """bfloat16 where a GPU or the processor's AVX-512 computes it, float32 elsewhere."""
    if torch.cuda.is_available():
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float32"
    return "bfloat16" if torch.cpu._is_avx512_bf16_supported() else "float32"


def keep_freed_memory() -> None:
    """Reuse the large buffers of an update: handing them back and faulting them in again cost a third of it.

    Every shape of a batch leaves compiled kernels behind; few are kept, or they fill gigabytes.
    """
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "64")
    if platform.libc_ver()[0] == "glibc":
        libc = ctypes.CDLL(None)
        mmap_max, trim_threshold = -4, -1
        libc.mallopt(mmap_max, 0)
        libc.mallopt(trim_threshold, 2**31 - 1)


def peak_memory(device: torch.device) -> int:
    """The most bytes that this process has had so far, on the GPU if it computes there; 0 where nobody tells."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    if not sys.platform.startswith("linux"):
        return 0
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(PEAK)), 0)
