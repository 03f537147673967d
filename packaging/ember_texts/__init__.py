"""The texts of the window, and their translations.

sources.py finds every text in the code, linguist.py keeps the Qt Linguist files, packaging/translations.py is the
command that brings one into the other. Uses the standard library only, and PySide6's `lrelease` to compile.
"""
