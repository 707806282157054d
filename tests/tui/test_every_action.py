"""Every action that page 3 of the design promises has a test: which one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

COVERED = {
    "1-4: a mode": "test_app_shell::test_every_mode_has_its_key_and_the_bar_leads_to_it",
    "1-4: leave what lies on the list": (
        "test_leaving::test_a_modes_key_leaves_what_lies_on_its_list"
    ),
    "1-4: nothing unwritten is lost": (
        "test_leaving::test_a_modes_key_does_not_lose_a_pick_or_a_reason"
    ),
    "/ in the Inbox": "test_inbox::test_filtering_as_it_is_typed_counts_what_it_hides",
    "/ in Runs": "test_runs::test_a_text_and_a_route_filter_it_and_escape_shows_all_again",
    "/ in History": "test_history::test_a_bypass_that_a_filter_hides_is_said",
    "/ in Codes": "test_codes::test_every_code_is_listed_by_owner_and_found_by_what_its_entry_says",
    "f c, f o, f r in the Inbox": "test_inbox::test_filtering_by_code_operator_and_route",
    "f in Runs": "test_runs::test_a_text_and_a_route_filter_it_and_escape_shows_all_again",
    "f in History": "test_history::test_it_filters_by_code_or_operator_from_a_menu",
    "f in Codes": "test_codes::test_it_filters_by_operator_from_a_menu",
    "a filter goes on while rows come": "test_inbox::test_a_filter_goes_on_while_things_change",
    "Enter: decide": (
        "test_inbox::test_enter_decides_a_row_that_can_be_decided_and_goes_on_to_the_next"
    ),
    "Enter: open the run of another row": "test_inbox::test_enter_on_another_row_opens_its_run",
    "Enter in Runs": "test_runs::test_enter_opens_the_run_and_escape_comes_back_to_its_row",
    "Enter in a run": "test_run::test_enter_decides_what_can_be_decided_and_reads_what_cannot",
    "Enter in Codes": "test_codes::test_an_entry_says_its_flip_in_a_sentence_and_where_it_leads",
    "Enter on what is gone": "test_inbox::test_what_does_not_wait_any_more_is_never_opened",
    "Enter: one alternative in full": (
        "test_decide_hostile::test_one_alternative_in_full_keeps_its_end"
    ),
    "a click, and a second one": "test_rows::test_a_click_selects_and_a_second_one_opens",
    "a click on what moved": "test_rows::test_a_click_means_the_row_that_was_painted_there",
    "r in the Inbox": "test_each_action::test_r_opens_the_run_at_the_branch_of_the_row",
    "r in History": "test_history::test_r_opens_the_run_at_the_branch_of_the_record",
    "o in the Inbox": (
        "test_inbox::test_an_artifact_is_opened_only_where_it_is_a_file_of_the_branch"
    ),
    "o on Decide": "test_decide_hostile::test_several_artifacts_are_asked_for",
    "o, e, Y, u, n in a run": (
        "test_each_action::test_the_keys_of_a_run_act_on_the_branch_under_the_cursor"
    ),
    "e in the Inbox": "test_inbox::test_an_editor_that_cannot_have_the_terminal_is_said",
    "e on Decide": (
        "test_decide_live::test_u_in_the_inbox_opens_it_ready_to_change_and_e_lists_the_texts"
    ),
    "e, Y on a text": "test_each_action::test_a_text_is_opened_in_the_editor_and_its_path_copied",
    "Y in the Inbox": "test_inbox::test_copying_offers_what_names_the_row",
    "Y in Runs and History": "test_each_action::test_copying_in_the_other_lists",
    "Y on Decide and Confirm": "test_each_action::test_copying_while_deciding",
    "n in the Inbox": (
        "test_inbox::test_enter_decides_a_row_that_can_be_decided_and_goes_on_to_the_next"
    ),
    "n from anywhere": "test_leaving::test_n_goes_to_the_next_choice_from_anywhere",
    "space, ctrl+s, y": "test_decide::test_keys_alone_decide_a_real_run",
    "the mouse decides": "test_decide::test_the_mouse_alone_decides",
    "Enter never writes": "test_decide::test_enter_never_writes_and_the_palette_does_not_either",
    "keys typed ahead": "test_decide_gate::test_a_burst_sent_ahead_writes_nothing",
    "keys typed ahead in the Inbox": "test_typed_ahead::test_a_burst_from_the_inbox_writes_nothing",
    "clicks sent ahead": (
        "test_decide_gate::test_clicks_sent_ahead_on_the_write_button_write_nothing"
    ),
    "none of these, with a reason": "test_decide::test_none_of_these_needs_a_reason",
    "evidence that changed": (
        "test_decide::test_evidence_that_changed_keeps_the_pick_and_says_what_changed"
    ),
    "what was written and where": "test_decide::test_keys_alone_decide_a_real_run",
    "u in the Inbox": (
        "test_decide_live::test_u_in_the_inbox_opens_it_ready_to_change_and_e_lists_the_texts"
    ),
    "u after the write": (
        "test_inbox::test_u_changes_what_was_just_written_and_none_of_these_offers_nothing_to_change"
    ),
    "u on Decide": "test_decide_again::test_a_decision_is_shown_and_can_be_taken_back",
    "m in the Inbox": "test_inbox::test_seen_violations_go_stay_counted_and_come_back",
    "m that cannot be kept": (
        "test_each_action::test_a_mark_that_cannot_be_kept_is_said_and_not_made"
    ),
    "m in a run": "test_run::test_m_marks_the_violations_of_the_branch_as_seen",
    "? and its text": "test_bindings::test_help_lists_the_keys_of_the_place_and_what_is_looked_at",
    "? is read by keys": "test_reading_keys::test_the_help",
    "ctrl+p": "test_bindings::test_the_palette_has_every_key_of_the_place_and_more",
    "palette: what has no key": "test_each_action::test_the_palette_does_what_has_no_key",
    "palette: another approver": "test_approver_in_app::test_another_approver_is_named_in_the_app",
    "q": "test_leaving::test_q_goes_back_a_step_at_a_time",
    "tab on Decide": "test_each_action::test_tab_on_decide_leads_to_the_reason_and_back",
    "arrows out of the filter": (
        "test_each_action::test_letters_are_typed_into_the_filter_and_arrows_lead_out_of_it"
    ),
    "tab": "test_reading_keys::test_tab_leads_from_pane_to_pane_and_the_hint_names_the_next",
    "j k g G and pages in a text": "test_reading_keys::test_the_detail_of_the_inbox",
    "keys of a list": "test_rows::test_only_what_is_in_view_is_drawn_and_the_keys_reach_every_row",
    "left and right on Decide": (
        "test_decide_grid::test_twelve_alternatives_on_twenty_four_axes_scroll"
    ),
    "left and right between texts": (
        "test_document::test_left_and_right_go_to_the_other_texts_and_one_that_is_bad_says_why"
    ),
    "v and its name": "test_each_action::test_v_is_called_by_what_it_does_now",
    "d": "test_history::test_dates_are_asked_for_and_a_wrong_one_is_not_taken",
    "x": "test_history::test_x_exports_what_is_shown_to_a_new_file_each_time",
    "a hint that is clicked": "test_each_action::test_a_hint_that_is_clicked_presses_its_key",
    "a menu": "test_each_action::test_a_menu_is_answered_by_key_arrows_and_mouse",
    "--branch": "test_app_shell::test_it_starts_at_the_branch_it_was_asked_for",
    "--branch that is not there": "test_app_shell::test_a_start_that_is_not_there_is_a_problem",
    "a failure anywhere": "test_failing::test_a_worker_that_fails_on_any_screen_is_a_problem",
    "a problem is read and copied": (
        "test_failing::test_a_long_problem_is_read_to_its_end_and_copied_whole"
    ),
    "bell and title": (
        "test_app_shell::test_the_bell_rings_and_the_title_counts_for_a_new_choice_only"
    ),
    "idle": "test_app_shell::test_nothing_is_drawn_while_nothing_happens",
    "the counts of the bar": (
        "test_each_action::test_the_bar_counts_what_waits_whatever_the_filter_hides"
    ),
}
"""Each action that page 3 of the design promises, and the test that takes it."""


@pytest.mark.parametrize("action", COVERED)
def test_every_action_has_its_test(action: str) -> None:
    module, _, name = COVERED[action].partition("::")
    tree = ast.parse((Path(__file__).with_name(f"{module}.py")).read_text(encoding="utf-8"))
    tests = {
        node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert name in tests
