"""The words that runs written in bulk are made of."""

from __future__ import annotations

THINGS = (
    "basket", "billing", "calendar", "catalogue", "consent", "export", "import", "inbox",
    "invoice", "ledger", "login", "metering", "order", "payout", "profile", "refund",
    "report", "search", "session", "stock", "ticket", "timetable", "upload", "webhook",
)  # fmt: skip
CHANGES = (
    "archive", "batching", "cache", "cleanup", "deadline", "fallback", "history", "limits",
    "migration", "paging", "preview", "queue", "retry", "rounding", "split", "throttle",
)  # fmt: skip
CHAINS = (
    ("workspace.bind", "business.decide", "backend.source.apply"),
    ("business.decide", "architecture.decide", "backend.source.apply"),
    ("workspace.bind", "frontend.direction.decide", "frontend.presentation.resolve"),
    ("backend.source.apply", "quality.verify", "git.publish"),
    ("frontend.source.apply", "workspace.bind", "frontend.surface.audit"),
    ("platform.operate", "workspace.bind", "uat.verify"),
    ("quality.verify", "git.publish", "release.deploy"),
)
DESIGNS = (
    ("queue-between", "A queue takes the load and a worker drains it at its own pace."),
    ("read-replica", "Reads go to a replica; writes stay where they are."),
    ("one-more-table", "One table more in the database that exists, filled by a trigger."),
    ("nightly-batch", "Once a night, in one transaction, while nobody is at work."),
    ("provider-api", "A provider does it; the data leaves the house."),
    ("cache-in-front", "A cache in front, emptied on every write."),
    ("second-service", "A service of its own with a store of its own."),
)
REASONS = (
    "Three designs hold every fixed constraint. Which one should be built?",
    "The cheapest design is the hardest to take back. Is that acceptable?",
    "Two teams would have to change their release day for one of the three.",
    "The totals lie within one point of each other; the axes do not agree.",
    "One of the three leaves customer data with a provider.",
)
SENTENCES = (
    "The source was read at the commit the request names, and nothing else was read.",
    "Every file that changed is listed below with the lines that matter.",
    "The slowest of the measured calls took 480 ms, the median 22 ms.",
    "Two callers were found, and both keep their signature.",
    "The old path stays until the last consumer has moved.",
    "No open question was left to the next step.",
    "A repeat of the same request gave the same result.",
    "The check was run twice, once on an empty store and once on a full one.",
)
