"""Builds the wheel of `pip install .`: CMake compiles the package, this file packs it (PEP 517, PEP 427).

An own back end, because it needs nothing that pip would have to fetch: a new virtual environment works without network.
"""
import base64
import hashlib
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("ELASTANE_BUILD", ROOT / "build" / "wheel"))  # a configured build is used as it is


def version():
    for line in (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines():
        if line.startswith("version"):
            return line.split('"')[1]
    raise ValueError("pyproject.toml: expected a version")


def compile_package():
    """The package's folder, with the compiled module in it."""
    fresh = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DELASTANE_LIBRARY_ONLY=ON", "-DELASTANE_APPS=OFF", "-DELASTANE_TESTS=OFF",
             "-DELASTANE_C=OFF"]
    # not that of a virtual environment, which may be gone when the build is configured again
    interpreter = getattr(sys, "_base_executable", None) or sys.executable
    options = ["-S", str(ROOT), *([] if "ELASTANE_BUILD" in os.environ else fresh),
               "-DELASTANE_PYTHON=ON", f"-DPython3_EXECUTABLE={interpreter}"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for command in (["cmake", "-B", str(BUILD), *options],
                    ["cmake", "--build", str(BUILD), "--target", "elastane_python"]):
        subprocess.run(command, check=True, env=environment)
    return BUILD / "python" / "elastane"


def metadata():
    return (f"Metadata-Version: 2.1\nName: elastane\nVersion: {version()}\n"
            "Summary: Streaming models that adapt: networks one step at a time, and forecasters that learn from every row\n"
            "License: Apache-2.0\nRequires-Python: >=3.9\nRequires-Dist: numpy\n")


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package, info = compile_package(), f"elastane-{version()}.dist-info"
    name = f"elastane-{version()}-{tag()}.whl"
    files = {f"elastane/{path.name}": path.read_bytes() for path in sorted(package.iterdir()) if path.is_file()}
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: elastane\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()
    record = ""
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(path, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(content)}\n"
        wheel.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    return name
