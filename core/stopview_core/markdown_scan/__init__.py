"""Finds headings and pipe tables in Markdown line by line: quick, bounded, and like a full parser.

The rules are CommonMark's, and GitHub's for tables, as markdown-it reads them, save that a
reference definition is one line and that lists in lists are not told apart.
"""
