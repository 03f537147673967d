"""Light and dark: the colours, the palette made of them, and the style sheet.

Owns every colour in the window; what an accent changes of them is in app/window/accents.py. Widgets that paint ask
`colors_of` their palette, so a change of theme reaches them as the usual palette change and nothing has to be handed
down.
"""

from dataclasses import asdict, dataclass, replace
from pathlib import Path

from PySide6.QtCore import QLocale, QObject, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette, QRawFont
from PySide6.QtWidgets import QApplication

from app.window.accents import ACCENT_COLORS
from app.window.zoom import USUAL, Zoom, zoomed_sheet

SCHEMES = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}

CJK_FAMILIES = ("Noto Sans CJK SC", "Source Han Sans SC", "Microsoft YaHei", "PingFang SC")


@dataclass(frozen=True, slots=True)
class Colors:
    """One theme; text on page and on every background it appears on has a contrast of at least 4.5."""

    page: str
    sidebar: str
    raised: str
    input: str
    hover: str
    border: str
    scroll: str
    text: str
    muted: str
    accent: str
    accent_hover: str
    on_accent: str
    link: str
    bubble: str
    code: str
    code_header: str
    selection: str
    good: str
    warning: str
    danger: str
    danger_background: str
    danger_border: str
    syntax_keyword: str
    syntax_name: str
    syntax_string: str
    syntax_number: str
    syntax_comment: str
    syntax_operator: str

    @property
    def is_dark(self) -> bool:
        return QColor(self.page).lightnessF() < 0.5


LIGHT = Colors(
    page="#fdfcfa",
    sidebar="#f5f2ed",
    raised="#ffffff",
    input="#ffffff",
    hover="#eeeae3",
    border="#e0dad0",
    scroll="#cfc7bb",
    text="#292521",
    muted="#6c645b",
    accent="#c2410c",
    accent_hover="#a83708",
    on_accent="#ffffff",
    link="#a83708",
    bubble="#f3eee6",
    code="#f7f4ef",
    code_header="#f0ebe3",
    selection="#fbd9c2",
    good="#3f7d34",
    warning="#8f5600",
    danger="#a4262c",
    danger_background="#fdf1ef",
    danger_border="#efcdc8",
    syntax_keyword="#a3320b",
    syntax_name="#2f5d8a",
    syntax_string="#43691f",
    syntax_number="#8a4b0f",
    syntax_comment="#766d63",
    syntax_operator="#5f574e",
)

DARK = Colors(
    page="#1d1b19",
    sidebar="#171513",
    raised="#282522",
    input="#252220",
    hover="#322e2a",
    border="#3a3531",
    scroll="#4c4640",
    text="#ebe6df",
    muted="#a59c91",
    accent="#f0803c",
    accent_hover="#f79457",
    on_accent="#1d1008",
    link="#f7a06a",
    bubble="#2e2a26",
    code="#161412",
    code_header="#24211e",
    selection="#67391d",
    good="#8cc27d",
    warning="#e2b36b",
    danger="#f2918b",
    danger_background="#33201f",
    danger_border="#5a3431",
    syntax_keyword="#f0935a",
    syntax_name="#8fb8de",
    syntax_string="#a9c77f",
    syntax_number="#e2b36b",
    syntax_comment="#978e84",
    syntax_operator="#c3bab0",
)


THEMES: dict[tuple[bool, str], Colors] = {
    (is_dark, accent): replace(DARK if is_dark else LIGHT, **changes[is_dark])
    for accent, changes in ACCENT_COLORS.items()
    for is_dark in (False, True)
}
_BY_LINK = {colors.link: colors for colors in THEMES.values()}


def colors_for(*, is_dark: bool, accent: str = "ember") -> Colors:
    """The colours of a theme with an accent, which is a key of ACCENT_COLORS."""
    return THEMES[is_dark, accent]


def colors_of(palette: QPalette) -> Colors:
    """The theme a palette belongs to; told by a role that no style sheet changes."""
    return _BY_LINK.get(palette.color(QPalette.ColorRole.Link).name(), LIGHT)


def mixed(colors: Colors, name: str, amount: float) -> QColor:
    """A colour of the theme, mixed with the ground of cards."""
    ink, ground = QColor(getattr(colors, name)), QColor(colors.raised)
    pairs = ((ink.red(), ground.red()), (ink.green(), ground.green()), (ink.blue(), ground.blue()))
    return QColor(*(round(amount * a + (1 - amount) * b) for a, b in pairs))


def palette_of(colors: Colors) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette(QColor(colors.raised), QColor(colors.page))
    for target, color in {
        role.Window: colors.page,
        role.WindowText: colors.text,
        role.Base: colors.input,
        role.AlternateBase: colors.code,
        role.Text: colors.text,
        role.PlaceholderText: colors.muted,
        role.Button: colors.raised,
        role.ButtonText: colors.text,
        role.BrightText: colors.danger,
        role.ToolTipBase: colors.text,
        role.ToolTipText: colors.page,
        role.Highlight: colors.selection,
        role.HighlightedText: colors.text,
        role.Link: colors.link,
        role.LinkVisited: colors.link,
        role.Accent: colors.accent,
        role.Mid: colors.border,
    }.items():
        palette.setColor(target, QColor(color))
    for target in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, target, QColor(colors.muted))
    return palette


@dataclass(frozen=True, slots=True)
class StyleSheet:
    """The style sheet's text with its colours and pictures still open; a picture exists once for each theme."""

    text: str
    icons: Path

    @classmethod
    def read(cls, assets: Path) -> "StyleSheet":
        return cls((assets / "style" / "ember.qss").read_text(encoding="utf-8"), assets / "icons")

    def filled(self, colors: Colors) -> str:
        text = self.text
        for picture in ("tick", "chevron"):
            file = self.icons / f"{picture}-{'dark' if colors.is_dark else 'light'}.svg"
            text = text.replace(f"@{picture}", file.as_posix())
        # Longer names first: @accent is a prefix of @accent_hover.
        for name, value in sorted(asdict(colors).items(), key=lambda item: -len(item[0])):
            text = text.replace(f"@{name}", value)
        return text


class Theme(QObject):
    """Keeps the application in the chosen theme; "system" follows the desktop while the program runs."""

    def __init__(
        self, app: QApplication, assets: Path, choice: str = "system", accent: str = "ember", zoom: int = USUAL
    ) -> None:
        super().__init__(app)
        self._app = app
        self._sheet = StyleSheet.read(assets)
        self._shown: tuple[Colors, int] | None = None
        self._choice = choice
        self._accent = accent
        app.setStyle("Fusion")
        app.setFont(_text_font(app.font()))
        self._zoom = Zoom(app)
        app.styleHints().colorSchemeChanged.connect(self._follow)
        self.show(choice, accent, zoom)

    def show(self, choice: str, accent: str, zoom: int) -> None:
        """A theme, an accent and a zoom, as in app/settings.py."""
        self._accent = accent
        self._zoom.set(zoom)
        self.choose(choice)

    def choose(self, choice: str) -> None:
        self._choice = choice
        self._app.styleHints().setColorScheme(SCHEMES[choice])
        self._follow()

    def _follow(self) -> None:
        # A platform may be unable to take the hint, so a choice does not depend on reading it back.
        scheme = SCHEMES[self._choice]
        if scheme == Qt.ColorScheme.Unknown:
            scheme = self._app.styleHints().colorScheme()
        colors = colors_for(is_dark=scheme == Qt.ColorScheme.Dark, accent=self._accent)
        # Qt itself resets the palette when the scheme changes, so it is set again even where the colours are the same.
        self._app.setPalette(palette_of(colors))
        if (colors, self._zoom.percent) != self._shown:
            self._shown = (colors, self._zoom.percent)
            self._zoom.rest()
            # In the place of another sheet Qt would polish each widget once for every widget it lies in.
            self._app.setStyleSheet("")
            self._app.setStyleSheet(zoomed_sheet(self._sheet.filled(colors), self._zoom.percent))
            self._zoom.fit_fonts()


def fixed_font(base: QFont) -> QFont:
    """The system's fixed-width font at a size that looks as large as the text around it."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(base.pointSizeF() * 0.93)
    font.setStyleHint(QFont.StyleHint.Monospace)
    return font


def scaled(font: QFont, factor: float, *, weight: QFont.Weight | None = None) -> QFont:
    changed = QFont(font)
    changed.setPointSizeF(font.pointSizeF() * factor)
    if weight is not None:
        changed.setWeight(weight)
    return changed


def _text_font(system: QFont) -> QFont:
    """The system's font, with Chinese glyph shapes preferred where a text mixes scripts."""
    font = QFont(system)
    font.setFamilies([*system.families(), *CJK_FAMILIES])
    if font.pointSizeF() < 10:
        font.setPointSizeF(10)
    return punctuated(font)


def punctuated(font: QFont) -> QFont:
    """The same with punctuation as wide as the window's language has it.

    Where a Chinese font stands in for all scripts, its quotation marks are as wide as a Chinese character and leave
    gaps in English: asked for, they are narrow. In Chinese every mark is as wide as a character.
    """
    changed = QFont(font)
    stands_in = QRawFont.fromFont(font, QFontDatabase.WritingSystem.Latin).supportsCharacter(ord("中"))
    is_narrow = stands_in and QLocale().language() != QLocale.Language.Chinese
    changed.setFeature(QFont.Tag.fromString("pwid"), int(is_narrow))
    return changed
