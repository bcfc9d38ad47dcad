"""What a GPU machine is needed for: `python -m benchmarks.gpu_check [SECTION ...] [--largest N]`.

Prints the correctness grid (kernels × p × precision against double precision on the CPU) and the
times, as the tables that are kept in results/gpu.md. Sections: correctness, features, transform,
products, fits, and shapes (fits of a million points of many shapes, each in a process of its own);
all by default. `--largest` adds a number of points to products, such as 10000000.
"""

import argparse

from benchmarks import gpu, gpu_shapes

SIZES = [65_536, 300_000, 1_000_000]

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*")
    parser.add_argument("--largest", type=int, action="append", default=[])
    asked = parser.parse_args()
    sections = {
        "correctness": gpu.correctness,
        "features": gpu.features,
        "transform": lambda: gpu.transform(1_000_000),
        "products": lambda: gpu.products(SIZES + asked.largest),
        "fits": gpu.fits,
        "shapes": lambda: gpu_shapes.shapes(1_000_000),
    }
    print(f"# On a GPU\n\n{gpu.device_line()}\n", flush=True)
    for name in asked.sections or sections:
        print(sections[name]() + "\n", flush=True)
