"""Everything that can happen to a branch, in any order, against the model of contracts 1.7."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta

import pytest
from deciding.checks import fingerprint_of, receipt_faults
from deciding.making import BeforeTheName
from deciding.model import CLOSING, Ask, Expected, ModelBranch, ModelFile, Wanted, asks, likely_asks
from deciding.readers import Readers
from deciding.runs import (
    APPROVAL,
    BOTH,
    BOTH_ID,
    CHOICE,
    CONTRADICTION,
    OPERATOR,
    OPTIONS,
    QUESTION,
    QUESTION_ID,
    Site,
    actor,
    decidable_run,
    quick_folder,
    registry,
)
from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from stopview_core.decide import Outcome, Pick, Wish, decide
from stopview_core.dossier import Dossier, open_branch
from stopview_core.packet import NoPacket, resume_packet
from stopview_core.system_calls import SystemCalls

IS_LONG = os.environ.get("STOPVIEW_PROFILE") == "long"
ALL = (APPROVAL, QUESTION, BOTH)
RUNS = (ALL, ALL, (APPROVAL,), (QUESTION,), (BOTH,))
"""By their branches: one alone gets more done to it, and is read sooner."""
RUN_ID = "audit-trail"
QUESTIONS = {QUESTION: QUESTION_ID, BOTH: BOTH_ID}
STOPS = {APPROVAL: CHOICE, QUESTION: CONTRADICTION, BOTH: CHOICE}
PACKET_CODES = {"none": 412, "answered": 204, "resumed": 204, "stale": 202, "withdrawn": 412}

keys = st.sampled_from([APPROVAL, APPROVAL, QUESTION, BOTH])
versions = st.sampled_from([0, 1, 0, 1, 2])


class Decisions(RuleBasedStateMachine):
    """Approvers, a runtime, strangers with files of their own, and readers."""

    @initialize(of=st.sampled_from(RUNS))
    def begin(self, of: tuple[str, ...]) -> None:
        self.stack = ExitStack()
        folder = self.stack.enter_context(quick_folder())
        self.site = Site(TEMPLATES[of].write(folder))
        self.model = {key: ModelBranch(key) for key in of}
        self.is_state_readable = True
        self.next_step = 2
        self.reads = 0
        self.readers = Readers(self.site)
        self.fingerprints: list[str] = []
        self.clock = datetime(2026, 11, 3, 8, tzinfo=UTC)
        for key in of:
            self._measure(key)

    def teardown(self) -> None:
        if hasattr(self, "stack"):
            self.stack.close()

    def _at(self, key: str) -> str:
        """The branch of that key, or the only one there is."""
        return key if key in self.model else next(iter(self.model))

    # The runtime

    @rule(key=keys, version=versions)
    def rewrite_the_evidence(self, key: str, version: int) -> None:
        key = self._at(key)
        branch = self.model[key]
        if branch.is_evidence_broken or branch.is_response_broken:
            return
        self.site.rewrite(key, version)
        branch.version = version
        self._measure(key)

    @rule(key=keys, what=st.sampled_from(["evidence", "response", "state"]))
    def break_or_mend(self, key: str, what: str) -> None:
        """What is broken is soon mended: a run that stays so has nothing left to try."""
        key = self._at(key)
        if what == "state":
            self.site.halve_or_restore(self.site.run / "state.json")
            self.is_state_readable = not self.is_state_readable
        elif what == "response":
            self.site.halve_or_restore(self.site.branch(key) / "response/response.json")
            self.model[key].is_response_broken = not self.model[key].is_response_broken
        else:
            self.site.link_or_restore(self.site.branch(key) / "response/data/stack-model.json")
            self.model[key].is_evidence_broken = not self.model[key].is_evidence_broken

    @rule()
    def mend_all(self) -> None:
        for key, branch in self.model.items():
            if branch.is_evidence_broken:
                self.break_or_mend(key, "evidence")
            if branch.is_response_broken:
                self.break_or_mend(key, "response")
        if not self.is_state_readable:
            self.break_or_mend(APPROVAL, "state")

    @rule(key=keys, event=st.sampled_from(["blocked", *CLOSING, "waiting", "blocked"]))
    def add_a_transition(self, key: str, event: str) -> None:
        if self.is_state_readable:
            key = self._at(key)
            self.site.transition(key, event)
            self.model[key].last_event = event

    @rule(key=st.sampled_from([QUESTION, BOTH]), selected=st.sampled_from(OPTIONS))
    def record_a_choice(self, key: str, selected: str) -> None:
        key = self._at(key)
        if self.is_state_readable and key in QUESTIONS:
            self.site.choose(QUESTIONS[key], selected)
            self.model[key].answer = selected

    @rule(key=st.sampled_from([QUESTION, BOTH]))
    def resume(self, key: str) -> None:
        key, into = self._at(key), f"{self.next_step}/1"
        branch = self.model[key]
        self.site.resume(key, into)
        branch.resumed_by.append(into)
        branch.is_resumer_done = False
        self.next_step += 1

    @rule(key=keys)
    def finish_what_resumed(self, key: str) -> None:
        key = self._at(key)
        branch = self.model[key]
        if branch.resumed_by:
            self.site.finish(branch.resumed_by[-1])
            branch.is_resumer_done = True

    # Strangers

    @rule(key=keys, ahead=st.sampled_from([0, 0, 2]), is_packet=st.booleans())
    def put_a_file_there_that_is_no_decision(self, key: str, ahead: int, is_packet: bool) -> None:
        key = self._at(key)
        branch = self.model[key]
        number = branch.next_number + ahead
        data = b"protocol: SACP/0.1\nstatus_code: 301\n" if is_packet else b"\x00 no yaml"
        folder = self.site.branch(key) / "decision"
        folder.mkdir(exist_ok=True)
        (folder / f"{number:04d}.yaml").write_bytes(data)
        branch.files.append(ModelFile(number, data))

    # Approvers

    @rule(key=keys, asked=st.lists(asks, min_size=1, max_size=3))
    def decide(self, key: str, asked: list[Ask]) -> None:
        key = self._at(key)
        branch = self.model[key]
        for ask in asked:
            wanted = self._wanted(branch, ask)
            expected = branch.outcome(wanted, is_state_readable=self.is_state_readable)
            self._check(branch, wanted, expected, self._decide(key, wanted))

    @rule(
        key=keys,
        ask=likely_asks,
        what=st.sampled_from(["rewrite", "decide", "resume", "close", "answer", "file", "break"]),
        version=versions,
        other=asks,
        is_late=st.booleans(),
    )
    def decide_while_something_happens(
        self, key: str, ask: Ask, what: str, version: int, other: Ask, is_late: bool
    ) -> None:
        key = self._at(key)
        branch = self.model[key]
        wanted = self._wanted(branch, ask._replace(is_dry_run=False))
        if branch.outcome(wanted, is_state_readable=self.is_state_readable).code != 301:
            return
        seen, number = branch.fingerprint, branch.next_number

        def act() -> None:
            if what == "rewrite":
                self.rewrite_the_evidence(key, version)
            elif what == "decide":
                self.decide(key, [other])
            elif what == "resume":
                self.resume(key)
            elif what == "close":
                self.add_a_transition(key, "abandoned")
            elif what == "answer" and key in QUESTIONS:
                self.record_a_choice(key, OPTIONS[0])
            elif what == "file":
                self.put_a_file_there_that_is_no_decision(key, 0, True)
            elif what == "break":
                self.break_or_mend(key, "evidence")

        if is_late:
            outcome = self._decide(key, wanted, calls=BeforeTheName(act))
            expected = Expected(301) if branch.next_number == number else branch.lost(wanted)
        else:
            outcome = self._decide(key, wanted, during=act)
            expected = branch.outcome_after(
                wanted, seen=seen, number=number, is_state_readable=self.is_state_readable
            )
        self._check(branch, wanted, expected, outcome, seen=seen)

    @rule(key=keys, ask=likely_asks)
    def decide_while_the_evidence_changes(self, key: str, ask: Ask) -> None:
        key = self._at(key)
        self.mend_all()
        other = 1 - self.model[key].version % 2
        self.decide_while_something_happens(key, ask, "rewrite", other, ask, False)

    @rule(key=keys, first=asks, second=asks)
    def decide_and_again_on_evidence_that_is_then_put_back(
        self, key: str, first: Ask, second: Ask
    ) -> None:
        key = self._at(key)
        version = self.model[key].version
        self.decide(key, [first])
        self.rewrite_the_evidence(key, 1 - version % 2)
        self.decide(key, [second])
        self.rewrite_the_evidence(key, version)

    def _wanted(self, branch: ModelBranch, ask: Ask) -> Wanted:
        by, selected, expectation, supersede, is_dry_run = ask
        newest = branch.newest_valid
        if selected in ("first", "second"):
            place = ("first", "second").index(selected)
            selected = (*branch.offered, "nothing-offered", "nothing-offered")[place]
        if supersede == "newest":
            supersede = f"{newest.number:04d}" if newest else None
        expect = {
            None: None,
            "now": branch.fingerprint,
            "before": self.fingerprints[0],
            "nonsense": "sha256:0",
        }[expectation]
        return Wanted(selected, by, expect, supersede, is_dry_run)

    def _decide(
        self,
        key: str,
        wanted: Wanted,
        *,
        during: Callable[[], None] = lambda: None,
        calls: SystemCalls | None = None,
    ) -> Outcome:
        def now() -> datetime:
            during()
            self.clock += timedelta(seconds=1)
            return self.clock

        reason = "None of these will do." if wanted.selected is None else None
        wish = Wish(
            Pick.of(wanted.selected, reason), wanted.expect, wanted.supersede, wanted.is_dry_run
        )
        who = actor(wanted.by)
        run = self.site.run
        return decide(run, key, wish, registry(), who, now=now, calls=calls or SystemCalls())

    def _check(
        self,
        branch: ModelBranch,
        wanted: Wanted,
        expected: object,
        outcome: Outcome,
        seen: str = "",
    ) -> None:
        """The outcome is the model's; what it wrote goes into the model."""
        code = expected.code
        event(f"outcome {code}{' while something happened' if seen else ''}")
        assert (outcome.status_code, outcome.exit_code) == (code, expected.exit_code)
        assert outcome.message.endswith(".")
        assert outcome.is_written is (code == 301 and not wanted.is_dry_run)
        if code == 409 and (newest := branch.newest_valid) is not None:
            assert newest.by in outcome.message or "not valid" in outcome.message
        if code == 202 and seen:
            assert outcome.changed
        if not outcome.is_written:
            return
        number, before = branch.next_number, branch.files[-1].data if branch.files else None
        superseded = branch.newest_valid
        name = f"{number:04d}.yaml"
        data = (self.site.branch(branch.key) / "decision" / name).read_bytes()
        step, _, parallel = branch.key.partition("/")
        faults = receipt_faults(
            data,
            where=f"step-{step}/parallel-{parallel}/decision/{name}",
            run_id=RUN_ID,
            branch=branch.key,
            operator=OPERATOR,
            stop=STOPS[branch.key],
            before=before,
        )
        assert faults == []
        assert outcome.receipt is not None
        own = outcome.receipt["extensions"]
        assert isinstance(own, dict)
        assert own["vendor.stopview.supersedes"] == (
            f"{superseded.number:04d}" if superseded else None
        )
        fingerprint = seen or branch.fingerprint
        assert outcome.receipt["source_fingerprint"] == fingerprint
        assert outcome.is_stale == (branch.is_evidence_broken or branch.fingerprint != fingerprint)
        made = ModelFile(number, data, True, wanted.selected, wanted.by, fingerprint)
        branch.files.append(made)

    # Readers

    @invariant()
    def all_is_as_the_model_says(self) -> None:
        self._nothing_else_changed()
        self._no_file_is_lost_doubled_or_altered()
        self._every_reader_sees_what_the_model_says()

    def _nothing_else_changed(self) -> None:
        self.site.check()

    def _no_file_is_lost_doubled_or_altered(self) -> None:
        for key, branch in self.model.items():
            held = {f"{file.number:04d}.yaml": file.data for file in branch.files}
            assert self.site.receipts(key) == held

    def _every_reader_sees_what_the_model_says(self) -> None:
        self.reads += 1
        level = "full" if self.reads % 2 else "list"
        decided = {key: tuple(file.data for file in b.files) for key, b in self.model.items()}
        reading_of = self.readers.read(level, decided).branches
        for key, branch in self.model.items():
            if branch.is_response_broken:
                continue
            status = branch.status(is_state_readable=self.is_state_readable)
            newest = branch.newest_valid
            decision = reading_of[key].decision
            assert decision.status == status
            if newest is not None:
                assert decision.seq == f"{newest.number:04d}"
                assert (decision.selected, decision.by) == (newest.selected, newest.by)
            codes = {violation.code for violation in reading_of[key].violations}
            assert ("DECISION_INVALID" in codes) is not all(f.is_valid for f in branch.files)

    @rule(key=keys)
    def ask_for_the_packet(self, key: str) -> None:
        key = self._at(key)
        branch = self.model[key]
        opened = open_branch(self.site.run, key, registry())
        assert isinstance(opened, Dossier)
        packet = resume_packet(opened)
        status = branch.status(is_state_readable=self.is_state_readable)
        if branch.is_response_broken or not self.is_state_readable:
            assert isinstance(packet, NoPacket)
            assert packet.status_code == 400
        elif status != "in_force":
            assert isinstance(packet, NoPacket)
            expected = 400 if branch.is_evidence_broken else PACKET_CODES[status]
            usual = PACKET_CODES[status]
            if status == "none":
                usual = branch.packet_code(is_state_readable=self.is_state_readable)
            assert packet.status_code in (expected, usual)
        elif branch.answer is not None:
            is_another = branch.newest_valid.selected != branch.answer  # type: ignore[union-attr]
            assert isinstance(packet, NoPacket) is is_another
        else:
            assert not isinstance(packet, NoPacket)
            assert packet.where.endswith(f"{branch.newest_valid.number:04d}.yaml")  # type: ignore[union-attr]

    def _measure(self, key: str) -> None:
        fingerprint = fingerprint_of(self.site.branch(key))
        self.model[key].fingerprint = fingerprint
        self.fingerprints.append(fingerprint)


TEMPLATES = {of: decidable_run(RUN_ID, of) for of in RUNS}
SHARDS = 8 if IS_LONG else 1
"""The long profile's examples are dealt out, so that all cores have some."""


@pytest.mark.parametrize("shard", range(SHARDS))
def test_whatever_happens_the_model_tells_what_comes_of_it(shard: int) -> None:
    examples, steps = (5_000, 30) if IS_LONG else (200, 15)
    asked = settings(max_examples=examples // SHARDS, stateful_step_count=steps)
    run_state_machine_as_test(Decisions, settings=asked)
