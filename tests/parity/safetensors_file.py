"""read and write safetensors files: u64 header length, JSON header, tensors (little-endian)."""

import json
import struct

import numpy as np

DTYPES = {"F32": np.dtype("<f4"), "F64": np.dtype("<f8"), "U8": np.dtype("u1")}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


def write(path, tensors, metadata=None):
    """tensors: name -> array; metadata: name -> string."""
    header = {"__metadata__": metadata} if metadata else {}
    payload = b""

    # widest elements first, so that every tensor stays aligned to its own element
    for name, array in sorted(tensors.items(), key=lambda item: -item[1].dtype.itemsize):
        data = np.ascontiguousarray(array).tobytes()
        header[name] = {
            "dtype": NAMES[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [len(payload), len(payload) + len(data)],
        }
        payload += data

    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + payload)


def read(path):
    """returns (tensors, metadata)."""
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    metadata = header.pop("__metadata__", {})
    payload = memoryview(data)[8 + length :]

    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        tensors[name] = np.frombuffer(payload[begin:end], DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors, metadata
