"""Stands where the repository keeps its own code: whoever executes it stops here."""

raise SystemExit("code of a repository was executed")
