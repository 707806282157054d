"""The sample runs, each a believable story of software work with one kind of stop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from stopview_core.demo.builder import RunBuilder
from stopview_core.demo.stories import (
    api_rate_limits,
    audit_trail_storage,
    catalogue_release,
    consent_for_minors,
    delivery_slot_picker,
    invoice_pdf_at_month_end,
    nightly_export_checkout,
    orders_out_of_the_shop,
    refund_window_wording,
    search_index_rebuild,
    settings_navigation,
    trace_collector_upgrade,
)


@dataclass(frozen=True, slots=True)
class Scenario:
    """One sample run: its id, what it shows in a sentence, and how it is built."""

    id: str
    about: str
    build: Callable[[], RunBuilder]


_ALL = (
    Scenario(
        "orders-out-of-the-shop",
        "Three architectures await a person's choice.",
        orders_out_of_the_shop.build,
    ),
    Scenario(
        "invoice-pdf-at-month-end",
        "The automatic policy chose the highest total and the work went on.",
        invoice_pdf_at_month_end.build,
    ),
    Scenario(
        "api-rate-limits",
        "The source moved; workspace.bind has to bind it again.",
        api_rate_limits.build,
    ),
    Scenario(
        "consent-for-minors",
        "A page waits until business.decide has settled the promise.",
        consent_for_minors.build,
    ),
    Scenario(
        "nightly-export-checkout",
        "A resume that brought nothing new stopped at the same place.",
        nightly_export_checkout.build,
    ),
    Scenario(
        "delivery-slot-picker",
        "Three sketches, scored on two screens, await a person's choice.",
        delivery_slot_picker.build,
    ),
    Scenario(
        "audit-trail-storage",
        "A person approved an alternative, and the operator resumed with it.",
        audit_trail_storage.build,
    ),
    Scenario(
        "refund-window-wording",
        "A question with three named options waits for an answer.",
        refund_window_wording.build,
    ),
    Scenario(
        "trace-collector-upgrade",
        "A provider is down; nothing inside the runtime can help.",
        trace_collector_upgrade.build,
    ),
    Scenario(
        "search-index-rebuild",
        "One branch is running, another awaits its critique.",
        search_index_rebuild.build,
    ),
    Scenario(
        "settings-navigation",
        "The automatic policy broke a tie between two candidates.",
        settings_navigation.build,
    ),
    Scenario(
        "catalogue-release",
        "A rollout failed and the named recovery was taken.",
        catalogue_release.build,
    ),
)

SCENARIOS: Mapping[str, Scenario] = MappingProxyType({each.id: each for each in _ALL})
"""Every sample run by its id."""
