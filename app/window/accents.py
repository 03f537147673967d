"""The accents a theme can have: the colours that differ from Ember's own orange, for light and for dark.

Data only. A link's colour is another one in each, since by it a palette is known (`colors_of` in app/window/theme.py);
that text of each is readable on every ground is held by a test.
"""

Changes = dict[str, str]

ACCENT_COLORS: dict[str, tuple[Changes, Changes]] = {
    "ember": ({}, {}),
    "forest": (
        {"accent": "#2f7040", "accent_hover": "#275f36", "link": "#27633a", "selection": "#cfe6d0"},
        {
            "accent": "#6fbd78", "accent_hover": "#8acc90", "on_accent": "#0b1a0d", "link": "#8fcf95",
            "selection": "#2a4a2e",
        },
    ),
    "lagoon": (
        {"accent": "#0f6e74", "accent_hover": "#0b5d62", "link": "#0b6166", "selection": "#c5e5e6"},
        {
            "accent": "#4fbabd", "accent_hover": "#6fcbcd", "on_accent": "#06191a", "link": "#74cdd0",
            "selection": "#1f484a",
        },
    ),
    "sky": (
        {"accent": "#2463b0", "accent_hover": "#1c5396", "link": "#1f5aa0", "selection": "#cfdff5"},
        {
            "accent": "#6ba8ee", "accent_hover": "#89baf2", "on_accent": "#08162a", "link": "#8fbef4",
            "selection": "#2a456a",
        },
    ),
    "violet": (
        {"accent": "#6b49b5", "accent_hover": "#5b3c9f", "link": "#5f40a6", "selection": "#e0d6f6"},
        {
            "accent": "#ab91ec", "accent_hover": "#bda7f2", "on_accent": "#150c28", "link": "#bfaaf3",
            "selection": "#43366b",
        },
    ),
    "rose": (
        {"accent": "#b32d5f", "accent_hover": "#9c2451", "link": "#a12855", "selection": "#f7d3de"},
        {
            "accent": "#ee82a8", "accent_hover": "#f39bbb", "on_accent": "#2a0a17", "link": "#f4a0be",
            "selection": "#5f2c43",
        },
    ),
}  # fmt: skip
