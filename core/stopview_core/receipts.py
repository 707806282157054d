"""Finds the SACP receipts that lie anywhere in a branch (contracts 1.7, last paragraphs)."""

from __future__ import annotations

from dataclasses import dataclass

from stopview_core.folder import Reader
from stopview_core.records import Branch
from stopview_core.sacp import PROTOCOL, RECEIPT_CAP, Receipt, read_receipt
from stopview_core.text import clean

_ENDINGS = (".yaml", ".yml")
_DEPTH = 8
_MARK = PROTOCOL.encode()


@dataclass(frozen=True, slots=True)
class FoundReceipt:
    """A receipt and its path from the run root."""

    where: str
    receipt: Receipt


def find_receipts(run_path: str, branch: Branch, reader: Reader) -> tuple[FoundReceipt, ...]:
    """Every YAML file of the branch that says `protocol: SACP/0.1`, in the order of their paths."""
    found = []
    noted = {item.path for item in reader.skipped}
    for path in _yaml_files(f"{run_path}/{branch.folder}", reader):
        data = reader.bytes(path, RECEIPT_CAP) if clean(path) not in noted else None
        if data is None or _MARK not in data:
            continue
        receipt = read_receipt(data)
        where = path[len(run_path) + 1 :]
        if isinstance(receipt, Receipt):
            if receipt.packet.get("protocol") == PROTOCOL:
                found.append(FoundReceipt(where, receipt))
        else:
            reader.skip(path, f"no receipt: {receipt.why}")
    return tuple(found)


def _yaml_files(top: str, reader: Reader) -> list[str]:
    found: list[str] = []
    pending = [(top, 0)]
    while pending:
        path, depth = pending.pop()
        folder = reader.listing(path)
        if folder is None:
            continue
        # What is no regular file is opened as well: that says why it is none.
        names = (*folder.files, *folder.links, *folder.others)
        found.extend(f"{path}/{name}" for name in names if name.lower().endswith(_ENDINGS))
        for name in folder.folders:
            if name.lower().endswith(_ENDINGS):
                reader.skip(f"{path}/{name}", "a folder, not a file")
            if depth < _DEPTH:
                pending.append((f"{path}/{name}", depth + 1))
            else:
                reader.skip(f"{path}/{name}", "nested too deep")
    return sorted(found)
