"""A registry as its files hold it, sound or not: what loading and checking both start from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from stopview_core.registry.model import Entry
from stopview_core.registry.operators import ReadOperator, StopsRow
from stopview_core.registry.routing import Routing


@dataclass(frozen=True, slots=True)
class Tree:
    """The merged files; of what is defined twice the first one counts.

    `routing` is None where routing.json cannot be read. `has_all_codes` and `has_all_operators` are
    false where what is missing here may stand in a file that cannot be read.
    """

    entries: Mapping[str, Entry]
    operators: Mapping[str, ReadOperator]
    routing: Routing | None
    has_all_codes: bool
    has_all_operators: bool

    def stops(self) -> Iterator[tuple[ReadOperator, StopsRow]]:
        """Every row of every Stops table."""
        for read in self.operators.values():
            for row in read.stops or ():
                yield read, row
