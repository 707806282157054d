"""Reads a decision's receipt for the History mode, and writes its export. Blocking: in threads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from textual.content import Content

from stopview_core.history import History, HistoryRecord
from stopview_core.registry.load import How, RegistryChoice
from stopview_core.registry.model import Registry
from stopview_core.run_documents import Document, read_document
from stopview_core.sacp import RECEIPT_CAP, Receipt, read_receipt
from stopview_core.snapshot import Snapshot
from stopview_tui.exporting import export_folders, export_name, write_export
from stopview_tui.history_rows import counts_of
from stopview_tui.render_history_page import receipt_page


def read_decision(record: HistoryRecord) -> Content:
    """The receipt of a decision as it stands on disk now."""
    assert record.decision is not None
    step, _, parallel = record.branch.partition("/")
    where = f"step-{step}/parallel-{parallel}/decision/{record.decision.seq}.yaml"
    found = read_document(record.run_path, where, cap=RECEIPT_CAP)
    if not isinstance(found, Document):
        return receipt_page(where, None, "", f"It cannot be read: {found.why}.")
    receipt = read_receipt(found.text.encode())
    if isinstance(receipt, Receipt):
        return receipt_page(where, receipt, found.text, "")
    return receipt_page(where, None, found.text, f"It is no receipt: {receipt.why}.")


def export_history(
    records: Sequence[HistoryRecord],
    hidden: int,
    hidden_bypassed: int,
    snapshot: Snapshot,
    registry: Registry,
    how: str,
) -> Path:
    """Write the records as `stopview history --json` gives them; the file's path. OSError.

    `snapshot` is what they were read from.
    """
    from stopview_core.report.history import history_document

    history = History(
        tuple(records),
        counts_of(record.code for record in records),
        counts_of(record.operator for record in records),
        hidden,
        hidden_bypassed,
    )
    choice = RegistryChoice(registry.root, cast("How", how))
    document = history_document(history, snapshot, registry, choice)
    text = document.model_dump_json(by_alias=True, ensure_ascii=True)
    return write_export(export_folders(), export_name("history", snapshot.at), f"{text}\n".encode())
