"""Everything a GPU machine is needed for, in one call: `python benchmarks/gpu_check.py [largest]`.

Prints the correctness grid (kernels × p × precision against double precision on the CPU) and the
times, as the table that is kept in results/gpu.md. `largest` adds a size, such as 10000000.
"""

import sys

from benchmarks import gpu

if __name__ == "__main__":
    sizes = [65_536, 300_000, 1_000_000, *map(int, sys.argv[1:])]
    print(f"# On a GPU\n\n{gpu.device_line()}\n", flush=True)
    for section in (
        gpu.correctness,
        gpu.features,
        lambda: gpu.transform(1_000_000),
        lambda: gpu.products(sizes),
        gpu.fits,
    ):
        print(section() + "\n", flush=True)
