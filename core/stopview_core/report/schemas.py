"""Makes the JSON Schemas under docs/schemas/ from the models."""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter

from stopview_core.report.models import DOCUMENTS


def schema_of(command: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one command's document, as serialised."""
    models = DOCUMENTS[command]
    shape: Any = models[0]
    for model in models[1:]:
        shape |= model
    adapter: TypeAdapter[Any] = TypeAdapter(shape)
    schema = adapter.json_schema(by_alias=True, mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"stopview {command} --json",
        **{key: value for key, value in schema.items() if key != "title"},
    }


def schema_text(command: str) -> str:
    """The schema file's content."""
    return json.dumps(schema_of(command), indent=2, ensure_ascii=True) + "\n"
