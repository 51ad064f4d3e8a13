"""A skirmish as a picture of 640 x 480: the board (or two lines of fighters) and what everybody has left."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin, sqrt
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from lens_env.core import board as ground
from lens_env.core.ruleset import Built, Picture, Portrait, Ruleset

SIZE = (640, 480)
FIELD = (10, 40, 400, 430)  # left, top, right, bottom of the board
PANEL = (412, 40, 630, 470)
SCALE = 2  # drawn this much larger, then reduced: smooth edges
INK, PAPER, FAINT, LINE = "#1d2733", "#fbf8f1", "#8b93a0", "#cfc8b8"
SIDES = ("#2b6cb0", "#b83232")
BARS = ("#3d9a50", "#5b6fd8", "#9a5bc4")
GROUND, WALL, ROUGH = "#f3eddc", "#5b5a57", "#dcc99a"
PIP, WARN = "#e0a422", "#b35900"
FRAME_MS = 900
BAR = 15.0

Point = tuple[float, float]


def draw(state: Any, built: Built, ruleset: Ruleset) -> Image.Image:
    """The picture of a state record, an RGB image of 640 x 480 pixels."""
    canvas = Canvas()
    shown = ruleset.depict(state, built)
    _head(canvas, state, built, ruleset)
    places = _places(canvas, shown, built)
    _attack(canvas, shown, places, built)
    for who, portrait in enumerate(shown.portraits):
        if who in places:
            _figure(canvas, places[who], built, who, portrait, int(state["decider"]) == who)
            _name(canvas, places[who], built, who, portrait)
    _panel(canvas, shown, built)
    return canvas.finished()


def save_gif(frames: list[Image.Image], path: Path) -> None:
    """An animation of the pictures, a little under a second each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    palette = _palette(frames)
    first, *rest = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    first.save(path, format="GIF", save_all=True, append_images=rest, duration=FRAME_MS, loop=0, optimize=False)


def _palette(frames: list[Image.Image]) -> Image.Image:
    """One palette for all frames, taken from some of them: else every frame would have its own shades."""
    some = frames[:: max(1, len(frames) // 8)]
    strip = Image.new("RGB", (SIZE[0], SIZE[1] * len(some)))
    for place, frame in enumerate(some):
        strip.paste(frame, (0, SIZE[1] * place))
    return strip.quantize(128)


class Canvas:
    """Drawing in the coordinates of the finished picture."""

    def __init__(self) -> None:
        self._image = Image.new("RGB", (SIZE[0] * SCALE, SIZE[1] * SCALE), PAPER)
        self._draw = ImageDraw.Draw(self._image)

    def finished(self) -> Image.Image:
        """The picture in its size."""
        return self._image.resize(SIZE, Image.Resampling.LANCZOS)

    def box(self, left: float, top: float, right: float, bottom: float, fill: str | None, line: str = LINE) -> None:
        """A rectangle."""
        self._draw.rectangle([left * SCALE, top * SCALE, right * SCALE, bottom * SCALE], fill=fill, outline=line)

    def disc(self, at: Point, radius: float, fill: str, line: str, width: float = 1.0) -> None:
        """A circle."""
        x, y = at
        corners = [(x - radius) * SCALE, (y - radius) * SCALE, (x + radius) * SCALE, (y + radius) * SCALE]
        self._draw.ellipse(corners, fill=fill, outline=line, width=max(1, round(width * SCALE)))

    def shape(self, points: list[Point], fill: str | None, line: str = LINE) -> None:
        """A polygon."""
        self._draw.polygon([(x * SCALE, y * SCALE) for x, y in points], fill=fill, outline=line)

    def stroke(self, start: Point, end: Point, colour: str, width: float) -> None:
        """A straight line."""
        ends = [(start[0] * SCALE, start[1] * SCALE), (end[0] * SCALE, end[1] * SCALE)]
        self._draw.line(ends, fill=colour, width=round(width * SCALE))

    def text(self, at: Point, text: str, size: float = 11, colour: str = INK, anchor: str = "la") -> None:
        """Text; ``anchor`` as Pillow has it."""
        self._draw.text((at[0] * SCALE, at[1] * SCALE), text, fill=colour, font=_font(size), anchor=anchor)

    def fit(self, text: str, size: float, width: float) -> str:
        """As much of a text as ``width`` has room for."""
        font = _font(size)
        if font.getlength(text) <= width * SCALE:
            return text
        while text and font.getlength(text + "...") > width * SCALE:
            text = text[:-1]
        return text.rstrip() + "..."


@cache
def _font(size: float) -> Any:
    return ImageFont.load_default(size * SCALE)


# --- the pieces --------------------------------------------------------------------------------------------


def _head(canvas: Canvas, state: Any, built: Built, ruleset: Ruleset) -> None:
    """The round, and who is asked what, or how it ended."""
    winner = int(state["winner"])
    if winner:
        told = ("", "The party wins", "The foes win", "Undecided")[winner]
    else:
        window = ruleset.windows[int(state["window"])].replace("_", " ")
        told = f"{built.fighters[int(state['decider'])]}: {window}"
    canvas.text((10, 11), f"Round {state['game_round']}", 14, FAINT)
    canvas.text((90, 10), canvas.fit(told, 15, 530), 15)


def _places(canvas: Canvas, shown: Picture, built: Built) -> dict[int, Point]:
    """Draw the ground, and say where each fighter that is to be seen stands."""
    board = built.setup[0]["board"]
    if not board["kind"]:
        canvas.box(*FIELD, GROUND)
        return _lines(built)
    cells = Cells(board)
    for y in range(int(board["height"])):
        for x in range(int(board["width"])):
            cells.draw(canvas, x, y, int(board["cells"][y * ground.MAX_SIZE + x]))
    return {who: cells.centre(*one.cell) for who, one in enumerate(shown.portraits) if one.cell is not None}


def _lines(built: Built) -> dict[int, Point]:
    """Without a board the sides stand in two lines."""
    left, top, right, bottom = FIELD
    places: dict[int, Point] = {}
    for side, x in ((0, left + 90), (1, right - 90)):
        line = [who for who, other in enumerate(built.sides) if other == side]
        for place, who in enumerate(line):
            places[who] = (x, top + (bottom - top) * (place + 0.5) / len(line))
    return places


class Cells:
    """The cells of a board, fitted into the field."""

    def __init__(self, board: Any) -> None:
        self.hex = board["kind"] == ground.BoardKind.HEX
        width, height = int(board["width"]), int(board["height"])
        left, top, right, bottom = FIELD
        across, down = (width + 0.5, 1.5 * height / sqrt(3) + 0.3) if self.hex else (float(width), float(height))
        self.size = min((right - left) / across, (bottom - top) / down, 80.0)  # the width of a cell
        self.left = left + (right - left - self.size * across) / 2
        self.top = top + (bottom - top - self.size * down) / 2

    def centre(self, x: int, y: int) -> Point:
        """The middle of a cell."""
        if self.hex:
            radius = self.size / sqrt(3)
            return self.left + self.size * (x + 0.5 * (y & 1) + 0.5), self.top + radius * (1.5 * y + 1)
        return self.left + self.size * (x + 0.5), self.top + self.size * (y + 0.5)

    def draw(self, canvas: Canvas, x: int, y: int, terrain: int) -> None:
        """A cell: open, blocked, or difficult with its target number."""
        fill = WALL if terrain == ground.BLOCKED else ROUGH if terrain > 0 else GROUND
        mx, my = self.centre(x, y)
        if self.hex:
            radius = self.size / sqrt(3)
            corners = [(mx + radius * sin(k * pi / 3), my - radius * cos(k * pi / 3)) for k in range(6)]
        else:
            half = self.size / 2
            corners = [(mx - half, my - half), (mx + half, my - half), (mx + half, my + half), (mx - half, my + half)]
        canvas.shape(corners, fill)
        if terrain > 0:
            canvas.text((mx, my - self.size * 0.28), str(terrain), min(9, self.size / 3), FAINT, "mm")


def _figure(canvas: Canvas, at: Point, built: Built, who: int, one: Portrait, asked: bool) -> None:
    """A fighter on the ground: a disc in the colour of its side with its number, ringed if it is asked."""
    on_board = one.cell is not None
    radius = 9.0 if on_board else 22.0
    colour = FAINT if one.out else SIDES[int(built.sides[who])]
    if asked:
        canvas.disc(at, radius + 3.5, PIP, PIP)
    canvas.disc(at, radius, colour, PAPER, 1.5)
    canvas.text(at, str(who + 1), radius * 1.1, PAPER, "mm")
    if one.facing is not None and not one.out:
        angle = one.facing * pi / 4
        tip = at[0] + sin(angle) * (radius + 5), at[1] - cos(angle) * (radius + 5)
        canvas.stroke(at, tip, INK, 2)


def _name(canvas: Canvas, at: Point, built: Built, who: int, one: Portrait) -> None:
    """The name under a fighter, as far as its cell has room."""
    board = built.setup[0]["board"]
    room = 150.0 if one.cell is None else Cells(board).size - 4
    size, drop = (12.0, 28.0) if one.cell is None else (9.0, 12.0)
    if room >= 36:
        canvas.text((at[0], at[1] + drop), canvas.fit(built.fighters[who], size, room), size, INK, "ma")


def _attack(canvas: Canvas, shown: Picture, places: dict[int, Point], built: Built) -> None:
    """An arrow from the attacker to the target, and the attack in words."""
    colour = SIDES[int(built.sides[shown.attacker])]
    if shown.attack:
        canvas.text((12, 440), canvas.fit(shown.attack, 13, 390), 13, colour)
    if shown.attacker not in places or shown.target not in places or shown.attacker == shown.target:
        return
    (x1, y1), (x2, y2) = places[shown.attacker], places[shown.target]
    length = max(1.0, sqrt((x2 - x1) ** 2 + (y2 - y1) ** 2))
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    gap = min(26.0 if length > 120 else 12.0, length / 3)
    start, tip = (x1 + ux * gap, y1 + uy * gap), (x2 - ux * gap, y2 - uy * gap)
    canvas.stroke(start, tip, colour, 3)
    barbs = [(tip[0] - 9 * ux + k * 5 * uy, tip[1] - 9 * uy - k * 5 * ux) for k in (1, -1)]
    canvas.shape([tip, *barbs], colour, colour)


def _panel(canvas: Canvas, shown: Picture, built: Built) -> None:
    """Everybody's name, pools, points and conditions."""
    left, top, _, bottom = PANEL
    height = min(86.0, (bottom - top) / len(shown.portraits))
    for who, one in enumerate(shown.portraits):
        _entry(canvas, left, top + height * who, height, built, who, one)


def _entry(canvas: Canvas, left: float, top: float, height: float, built: Built, who: int, one: Portrait) -> None:
    """A fighter in the panel; with little room only what matters most."""
    width = PANEL[2] - left
    colour = FAINT if one.out else SIDES[int(built.sides[who])]
    canvas.disc((left + 8, top + 8), 7, colour, colour)
    canvas.text((left + 8, top + 8), str(who + 1), 9, PAPER, "mm")
    canvas.text((left + 20, top + 1), canvas.fit(built.fighters[who], 12, 110), 12, colour)
    _pips(canvas, left + width - 4, top + 8, one)
    room = max(1, min(len(one.bars), int((height - 20) // BAR)))
    for place, bar in enumerate(one.bars[:room]):
        y = top + 18 + BAR * place
        share = bar.now / bar.most if bar.most else 0.0
        canvas.text((left + 20, y + 6.5), f"{bar.name} {bar.now}/{bar.most}", 10, INK, "lm")
        canvas.box(left + 104, y + 2, left + width - 4, y + 11, PAPER)
        if share > 0:
            canvas.box(left + 104, y + 2, left + 104 + (width - 108) * share, y + 11, BARS[place % len(BARS)])
    told = "out" if one.out else ", ".join(one.notes)
    if told and height - 18 - BAR * room > 11:
        canvas.text((left + 20, top + 19 + BAR * room), canvas.fit(told, 10, width - 24), 10, WARN)


def _pips(canvas: Canvas, right: float, middle: float, one: Portrait) -> None:
    """Points to spend, a disc each, the spent ones empty."""
    count = max(one.pips.most, one.pips.now)
    for place in range(count):
        at = (right - 5 - 9 * (count - 1 - place), middle)
        canvas.disc(at, 3.6, PIP if place < one.pips.now else PAPER, WARN)
