"""`python -m app`; nothing runs at import, because the engine's process imports this module again."""

if __name__ == "__main__":
    import multiprocessing
    import sys

    from app.cli import main

    multiprocessing.freeze_support()
    sys.exit(main())
