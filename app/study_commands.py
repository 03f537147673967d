"""By which command each study of a model's neurons is made, and so how a file that one has left is made again.

Owns the commands and which files come of which study. Knows neither Qt nor the terminal.
"""

from pathlib import PurePosixPath, PureWindowsPath

STUDY_COMMANDS = {
    "census": "ember profile {} --census",
    "profile": "ember profile {}",
    "predictors": "ember train-predictor {}",
    "oracle": "ember profile {} --oracle",
    "tiers": "ember calibrate {}",
}
_FOLDER_SUFFIX = ".neurons"  # of the folder beside a packed model: engine/hub/library.py


def command_again(path: str) -> str:
    """The command that makes a file of a model's folder of neurons anew; empty for any other file."""
    kind = PureWindowsPath if "\\" in path else PurePosixPath
    file = kind(path)
    if file.parent.suffix != _FOLDER_SUFFIX:
        return ""
    study = "tiers" if file.stem.startswith("tier-") else file.stem
    command = STUDY_COMMANDS.get(study)
    return command.format(file.parent.stem) if command else ""
