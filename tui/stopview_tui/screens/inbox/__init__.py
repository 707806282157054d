"""The Inbox: what waits over all runs, and one row of it in plain words."""
