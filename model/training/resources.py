"""Resources of the training machine: its fastest precision, and the memory that training keeps and counts."""

import ctypes
import os
import platform
import sys
from pathlib import Path

import torch

PEAK = "VmHWM:"  # the line of Linux's process status with the peak memory, in kilobytes


def fastest_precision() -> str:
    """Return "bfloat16" if a GPU or the CPU's AVX-512 computes it, else "float32"."""
    if torch.cuda.is_available():
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float32"
    return "bfloat16" if torch.cpu._is_avx512_bf16_supported() else "float32"


def keep_freed_memory() -> None:
    """Reuse the large buffers of an update: returning them and faulting them in again cost a third of it. Each batch
    shape leaves compiled kernels behind; few are kept, or they would fill gigabytes."""
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "64")
    if platform.libc_ver()[0] == "glibc":
        libc = ctypes.CDLL(None)
        mmap_max, trim_threshold = -4, -1
        libc.mallopt(mmap_max, 0)
        libc.mallopt(trim_threshold, 2**31 - 1)


def peak_memory(device: torch.device) -> int:
    """Return this process's peak memory in bytes, on the GPU if it computes there; 0 if unknown."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    if not sys.platform.startswith("linux"):
        return 0
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(PEAK)), 0)
