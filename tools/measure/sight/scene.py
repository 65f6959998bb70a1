"""Photographs of tables that do not exist: boards, pieces, wood, cups, lamps and a camera.

It shares no code with what looks at them. Lengths are units: a board is 720 of them wide or high,
1.44 are a millimetre. Pieces stand where they were put until somebody takes them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from math import cos, hypot, pi, radians, sin
from typing import Any, Literal

cv2: Any = import_module("cv2")
np: Any = import_module("numpy")
Array = Any
Condition = Literal["stand", "phone", "hard"]
SIZE = (1280, 960)
FOCUS = 0.86
NAMED = {
    "red": (196, 50, 40), "blue": (40, 90, 190), "green": (40, 130, 70), "yellow": (235, 195, 40),
    "white": (235, 232, 222), "black": (45, 44, 46), "violet": (120, 70, 160),
    "orange": (226, 128, 30), "pink": (215, 130, 170), "brown": (120, 80, 45),
}  # fmt: skip
TALL = ("pawn", "step", "dreamer", "worker", "spy", "boat")
FLAT = ("tile", "secret")


@dataclass
class Piece:
    kind: str
    x: float
    y: float
    turn: float


@dataclass
class Look:
    """How the pieces of one kind are made."""

    height: float
    radius: float
    corners: int
    taper: float
    colour: tuple[float, float, float]
    mark: tuple[float, float, float]


@dataclass
class Board:
    name: str
    size: tuple[int, int]
    at: tuple[float, float]
    spots: Mapping[str, tuple[float, float]]
    """In units of the board."""
    art: Array
    reach: dict[str, float] = field(default_factory=dict)


class Scene:
    """One table: its boards, what stands on them, the wood and the lamps."""

    def __init__(self, seed: int, boards: Mapping[str, tuple[float, Mapping[str, Any]]]) -> None:
        self.rng = random.Random(seed)
        self.noise = np.random.default_rng(seed)
        self.looks: dict[str, Look] = {}
        self.boards: list[Board] = []
        left = 0.0
        for name, (tall, parts) in boards.items():
            scale = 720 / max(1.0, tall) * (0.75 if len(boards) > 1 and tall < 0.7 else 1.0)
            size = (round(scale), round(scale * tall))
            spots = {place: (x * size[0], y * size[1]) for place, (x, y) in parts.items()}
            at = (0.0, left)
            left += size[1] + 30
            board = Board(name, size, at, spots, self._art(size, spots))
            board.reach = {place: self._reach(place, spots) for place in spots}
            self.boards.append(board)
        self.extent = (max(board.size[0] for board in self.boards), left - 30)
        self.wood = self._wood()
        self.pieces: dict[str, list[Piece]] = {}
        self.cups = [self._cup() for _ in range(self.rng.randint(1, 3))]
        self.pose = (
            self.rng.uniform(35, 52),
            self.rng.uniform(-12, 12),
            self.rng.uniform(1.12, 1.3),
        )
        self.lamp = (self.rng.uniform(0, 2 * pi), self.rng.uniform(0.25, 0.7))

    # what it is made of

    def _octaves(self, size: tuple[int, int], first: int) -> Array:
        made = np.zeros((size[1], size[0]), np.float32)
        for power in range(5):
            cells = max(2, first * 2**power)
            small = self.noise.random((max(2, cells * size[1] // size[0] + 1), cells)).astype(
                np.float32
            )
            made += cv2.resize(small, size, interpolation=cv2.INTER_CUBIC) / 1.7**power
        return (made - made.min()) / (made.max() - made.min())

    def _colour(self, low: int, high: int) -> Array:
        return np.array([self.rng.uniform(low, high) for _ in range(3)], np.float32)

    def _art(self, size: tuple[int, int], spots: Mapping[str, tuple[float, float]]) -> Array:
        mix = self._octaves(size, 3)[..., None]
        art = self._colour(70, 200) * mix + self._colour(90, 230) * (1 - mix)
        art += (self._octaves(size, 24)[..., None] - 0.5) * 60
        art = np.ascontiguousarray(np.clip(art, 0, 255))
        for _ in range(140):
            x, y = self.rng.uniform(0, size[0]), self.rng.uniform(0, size[1])
            colour = tuple(map(float, self._colour(20, 240)))
            reach = self.rng.uniform(4, 22)
            end = (int(x + self.rng.uniform(-30, 30)), int(y + self.rng.uniform(-30, 30)))
            if self.rng.random() < 0.5:
                cv2.line(art, (int(x), int(y)), end, colour, self.rng.randint(1, 3), cv2.LINE_AA)
            else:
                cv2.ellipse(
                    art, (int(x), int(y)), (int(reach), int(reach * 0.6)), self.rng.uniform(0, 180),
                    0, 360, colour, self.rng.choice((1, 2, -1)), cv2.LINE_AA,
                )  # fmt: skip
        for place, (x, y) in spots.items():
            if place.startswith("gap."):
                continue
            reach = self._reach(place, spots)
            tint = art.copy()
            cv2.circle(
                tint, (int(x), int(y)), int(reach), tuple(map(float, self._colour(60, 235))), -1
            )
            art = cv2.addWeighted(tint, 0.5, art, 0.5, 0)
            cv2.circle(art, (int(x), int(y)), int(reach), (40, 35, 30), 2, cv2.LINE_AA)
        cv2.rectangle(art, (2, 2), (size[0] - 3, size[1] - 3), (40, 36, 30), 3)
        return np.clip(art, 0, 255).astype(np.uint8)

    def _reach(self, place: str, spots: Mapping[str, tuple[float, float]]) -> float:
        x, y = spots[place]
        kind = place.partition(".")[0]
        if kind == "gap":
            return 14.0
        others = [at for name, at in spots.items() if kind != "tile" or name.startswith(kind)]
        near = [hypot(x - u, y - v) for u, v in others if (u, v) != (x, y)]
        return float(min(70.0, max(14.0, 0.46 * min(near, default=120.0))))

    def _wood(self) -> Array:
        size = (1500, 1500)
        rings = self._octaves((size[0], size[1]), 2)
        grain = (np.sin(rings * 60 + self._octaves(size, 12) * 4) * 0.5 + 0.5)[..., None]
        return (self._colour(90, 150) * grain + self._colour(120, 190) * (1 - grain)).astype(
            np.uint8
        )

    def _cup(self) -> tuple[float, float, float, float]:
        wide, high = self.extent
        side = self.rng.choice((-1, 1))
        x = -90 if side < 0 else wide + 90
        return x + side * self.rng.uniform(0, 60), self.rng.uniform(0, high), 45, 90

    def look(self, kind: str) -> Look:
        if kind not in self.looks:
            group = kind.partition(".")[0]
            named = next((NAMED[word] for word in kind.split(".") if word in NAMED), None)
            tone = self.rng.uniform(0.85, 1.1)
            colour = [min(250.0, float(part) * tone) for part in named or self._colour(30, 235)]
            mark = [255 - part for part in colour]
            if group in TALL:
                spec = (
                    self.rng.uniform(26, 45),
                    self.rng.uniform(9, 12),
                    14,
                    self.rng.uniform(0.5, 0.8),
                )
            elif group in FLAT:
                spec = (self.rng.uniform(3, 4), self.rng.uniform(15, 18), 4, 1.0)
            elif group == "cloud":
                spec = (4.0, 20.0, 6, 1.0)
            elif group == "resource":
                spec = (self.rng.uniform(14, 20), self.rng.uniform(7, 9), 12, 0.7)
            else:
                spec = (
                    self.rng.uniform(3, 7),
                    self.rng.uniform(9, 12),
                    self.rng.choice((4, 6, 14)),
                    1.0,
                )
            self.looks[kind] = Look(*spec, (*colour,), (*mark,))  # type: ignore[arg-type]
        return self.looks[kind]

    # what stands on it

    def show(self, things: Mapping[tuple[str, str], int]) -> None:
        """Take away what is no longer there, and put down what is new; the rest stays."""
        places = {place: board for board in self.boards for place in board.spots}
        for place in [*self.pieces]:
            for kind in {piece.kind for piece in self.pieces[place]}:
                there = [piece for piece in self.pieces[place] if piece.kind == kind]
                for piece in there[things.get((place, kind), 0) :]:
                    self.pieces[place].remove(piece)
        for (place, kind), count in things.items():
            if place in places:
                there = self.pieces.setdefault(place, [])
                for _ in range(count - sum(piece.kind == kind for piece in there)):
                    there.append(self._put(places[place], place, kind))

    def _put(self, board: Board, place: str, kind: str) -> Piece:
        x, y = board.spots[place]
        reach, own = board.reach[place], self.look(kind).radius
        if kind.startswith("face."):
            return Piece(kind, x, y, 0.0)
        others = [one for one in self.pieces.get(place, []) if not one.kind.startswith("face.")]
        best, room = (x, y), -1e9
        for _ in range(40):
            far = max(0.0, reach - 0.6 * own) * self.rng.random() ** 0.5
            way = self.rng.uniform(0, 2 * pi)
            at = (x + far * cos(way), y + far * sin(way))
            gap = min(
                (hypot(at[0] - o.x, at[1] - o.y) - own - self.look(o.kind).radius for o in others),
                default=1.0,
            )
            if gap > room:
                best, room = at, gap
            if gap > 0:
                break
        return Piece(kind, *best, self.rng.uniform(0, pi))

    def remembered(self) -> dict[str, list[Piece]]:
        """Where everything stands."""
        return {place: [replace(piece) for piece in there] for place, there in self.pieces.items()}

    def bump(self) -> None:
        """Somebody's sleeve."""
        all_of_them = [
            p for there in self.pieces.values() for p in there if not p.kind.startswith("face.")
        ]
        if all_of_them:
            piece = self.rng.choice(all_of_them)
            far, way = self.rng.uniform(4, 9), self.rng.uniform(0, 2 * pi)
            piece.x, piece.y = piece.x + far * cos(way), piece.y + far * sin(way)

    # the camera

    def camera(self, condition: Condition) -> Array:
        rng = self.rng
        if condition == "stand":
            tilt, yaw, far = self.pose
            tilt, yaw = tilt + rng.gauss(0, 0.08), yaw + rng.gauss(0, 0.08)
        else:
            tilt, yaw, far = rng.uniform(12, 42), rng.uniform(-28, 28), rng.uniform(1.1, 1.4)
        wide, high = self.extent
        aim = np.array([wide / 2, high / 2, 0.0])
        if condition != "stand":
            aim += np.array([rng.uniform(-25, 25), rng.uniform(-25, 25), 0])
        away = far * max(wide, high * 1.15)
        t, w = radians(tilt), radians(yaw)
        eye = aim + away * np.array([sin(t) * sin(w), sin(t) * cos(w), cos(t)])
        forward = (aim - eye) / np.linalg.norm(aim - eye)
        right = np.cross(forward, np.array([0, 0, 1.0]) if t > 0.05 else np.array([0, -1.0, 0]))
        right /= np.linalg.norm(right)
        if right[0] < 0:
            right = -right
        down = np.cross(forward, right)
        if down[1] < 0:
            down = -down
        turn = np.stack([right, down, forward])
        focus = FOCUS * max(SIZE)
        inside = np.array([[focus, 0, SIZE[0] / 2], [0, focus, SIZE[1] / 2], [0, 0, 1.0]])
        return inside @ np.column_stack([turn, -turn @ eye])

    def corners(self, board: Board, camera: Array) -> list[tuple[float, float]]:
        """Where the corners of a board are in the photograph, in parts of it."""
        (x, y), (wide, high) = board.at, board.size
        flat = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]
        at = _seen(camera, [(*point, 0.0) for point in flat])
        return [(float(u / SIZE[0]), float(v / SIZE[1])) for u, v in at]

    def photograph(self, condition: Condition, camera: Array) -> Array:
        rng = self.rng
        photo = self._drawn(camera)
        strong = {"stand": 0.6, "phone": 0.9, "hard": 1.5}[condition]
        wide, high = SIZE
        across, down = np.meshgrid(
            np.linspace(-1, 1, wide, dtype=np.float32), np.linspace(-1, 1, high, dtype=np.float32)
        )
        way = rng.uniform(0, 2 * pi)
        light = 1 + 0.18 * strong * (across * cos(way) + down * sin(way))
        light *= rng.uniform(1 - 0.15 * strong, 1 + 0.08 * strong)
        if rng.random() < {"stand": 0.2, "phone": 0.4, "hard": 0.7}[condition]:
            light *= self._arm(strong)
        cast = np.float32([1 + rng.gauss(0, 0.03 * strong) for _ in range(3)])
        lit = photo * light[..., None] * cast
        lit = 255 * np.clip(lit / 255, 0, 1) ** rng.uniform(1 - 0.12 * strong, 1 + 0.12 * strong)
        shake = {"stand": 0.0, "phone": 1.6, "hard": 4.0}[condition] * rng.random()
        if shake > 0.6:
            lit = cv2.GaussianBlur(lit, (0, 0), shake * 0.6)
        grain = self.noise.standard_normal(lit.shape, np.float32)
        lit = lit + np.float32(2.5 * strong) * grain
        made = np.clip(lit, 0, 255).astype(np.uint8)
        quality = {"stand": 88, "phone": 82, "hard": 70}[condition]
        coded = cv2.imencode(".jpg", made[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return np.ascontiguousarray(cv2.imdecode(coded, cv2.IMREAD_COLOR)[..., ::-1])

    def _arm(self, strong: float) -> Array:
        wide, high = SIZE
        shade = np.zeros((high // 4, wide // 4), np.float32)
        x = self.rng.uniform(0, wide / 4)
        end = (int(self.rng.uniform(0, wide / 4)), int(self.rng.uniform(0, high / 4)))
        cv2.line(shade, (int(x), high // 4), end, 1.0, self.rng.randint(20, 45))
        shade = cv2.resize(cv2.GaussianBlur(shade, (0, 0), 7), SIZE)
        return 1 - 0.22 * strong * shade

    def empty(self, board: Board) -> Array:
        """The club's own photograph of the empty board, straightened: in another light."""
        rng = random.Random(board.name)
        lit = board.art * np.array([rng.uniform(0.9, 1.05) for _ in range(3)])
        lit = cv2.GaussianBlur(lit, (0, 0), 0.8) + self.noise.normal(0, 2, lit.shape)
        return np.clip(lit, 0, 255).astype(np.uint8)

    def _drawn(self, camera: Array) -> Array:
        photo = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
        middle = (self.extent[0] / 2, self.extent[1] / 2)
        spread = 2.2
        plane = camera[:, [0, 1, 3]]
        laid = np.array(
            [
                [spread, 0, middle[0] - 750 * spread],
                [0, spread, middle[1] - 750 * spread],
                [0, 0, 1],
            ]
        )
        cv2.warpPerspective(self.wood, plane @ laid, SIZE, photo, borderMode=cv2.BORDER_REPLICATE)
        for board in self.boards:
            art = board.art.copy()
            for there in self.pieces.values():
                for piece in there:
                    if piece.kind.startswith("face.") and self._on(board, piece):
                        self._face(art, board, piece)
            moved = np.array([[1, 0, board.at[0]], [0, 1, board.at[1]], [0, 0, 1.0]])
            onto = plane @ moved
            over = cv2.warpPerspective(art, onto, SIZE, flags=cv2.INTER_AREA)
            mask = cv2.warpPerspective(np.full(art.shape[:2], 255, np.uint8), onto, SIZE)
            share = mask[..., None] / 255.0
            photo = (over * share + photo * (1 - share)).astype(np.uint8)
        standing = []
        for place, there in self.pieces.items():
            board = next(board for board in self.boards if place in board.spots)
            for piece in there:
                if not piece.kind.startswith("face."):
                    at = (piece.x + board.at[0], piece.y + board.at[1])
                    standing.append((at, self.look(piece.kind), piece.turn))
        cup = Look(90, 45, 24, 0.9, (225, 222, 215), (90, 60, 40))
        standing += [((x, y), cup, 0.0) for x, y, *_ in self.cups]
        eye = -np.linalg.inv(camera[:, :3]) @ camera[:, 3]
        standing.sort(key=lambda one: -hypot(one[0][0] - eye[0], one[0][1] - eye[1]))
        shade = np.zeros(photo.shape[:2], np.uint8)
        for at, look, turn in standing:
            foot, head = self._outline(at, look, turn, shadow=True)
            hull = cv2.convexHull(np.float32([*_seen(camera, foot), *_seen(camera, head)]))
            cv2.fillConvexPoly(shade, np.int32(hull), 255, cv2.LINE_AA)
        dark = 1 - 0.38 * (cv2.GaussianBlur(shade, (0, 0), 2.0)[..., None] / 255.0)
        photo = (photo * dark).astype(np.uint8)
        for at, look, turn in standing:
            self._stand(photo, camera, at, look, turn)
        return photo

    def _on(self, board: Board, piece: Piece) -> bool:
        return any(abs(piece.x - x) + abs(piece.y - y) < 1 for x, y in board.spots.values())

    def _face(self, art: Array, board: Board, piece: Piece) -> None:
        """A tile that is laid on the board: its print, turned as it lies."""
        pairs = piece.kind.removeprefix("face.").split("/")
        turns = [tuple(pairs[turn:] + pairs[:turn]) for turn in range(len(pairs))]
        first = min(turns)
        side = int(1.9 * max(board.reach.values()))
        printed = self._print(first, side)
        printed = np.rot90(printed, -turns.index(first)).copy()
        x, y = int(piece.x - side / 2), int(piece.y - side / 2)
        part = art[max(0, y) : y + side, max(0, x) : x + side]
        part[:] = printed[: part.shape[0], : part.shape[1]]

    def _print(self, face: tuple[str, ...], side: int) -> Array:
        rng = random.Random("/".join(face) + str(side))
        tile = np.zeros((side, side, 3), np.uint8)
        tile[:] = [rng.randint(60, 150), rng.randint(100, 170), rng.randint(50, 110)]
        for _ in range(26):
            at = (rng.randrange(side), rng.randrange(side))
            colour = (rng.randint(20, 220), rng.randint(60, 230), rng.randint(20, 160))
            cv2.circle(tile, at, rng.randint(2, max(3, side // 9)), colour, -1, cv2.LINE_AA)
        cv2.rectangle(tile, (1, 1), (side - 2, side - 2), (50, 50, 40), 2)
        return tile

    def _outline(
        self, at: tuple[float, float], look: Look, turn: float, *, shadow: bool = False
    ) -> tuple[list[tuple[float, float, float]], list[tuple[float, float, float]]]:
        ways = [turn + 2 * pi * corner / look.corners for corner in range(look.corners)]
        around = [(look.radius * cos(way), look.radius * sin(way)) for way in ways]
        foot = [(at[0] + x, at[1] + y, 0.0) for x, y in around]
        if shadow:
            way, steep = self.lamp
            x0, y0 = at[0] + look.height * steep * cos(way), at[1] + look.height * steep * sin(way)
            return foot, [(x0 + x * look.taper, y0 + y * look.taper, 0.0) for x, y in around]
        return foot, [
            (at[0] + x * look.taper, at[1] + y * look.taper, look.height) for x, y in around
        ]

    def _stand(
        self, photo: Array, camera: Array, at: tuple[float, float], look: Look, turn: float
    ) -> None:
        foot, head = self._outline(at, look, turn)
        low, top = np.float32(_seen(camera, foot)), np.float32(_seen(camera, head))
        side = [part * 0.72 for part in look.colour]
        cv2.fillConvexPoly(
            photo, np.int32(cv2.convexHull(np.vstack([low, top]))), side, cv2.LINE_AA
        )
        cv2.fillConvexPoly(photo, np.int32(cv2.convexHull(top)), look.colour, cv2.LINE_AA)
        if look.height < 8:
            middle = top.mean(axis=0)
            mark = middle + (top - middle) * 0.45
            cv2.fillConvexPoly(photo, np.int32(cv2.convexHull(mark)), look.mark, cv2.LINE_AA)


def _seen(camera: Array, points: list[tuple[float, float, float]]) -> Array:
    flat = np.column_stack([np.array(points), np.ones(len(points))]) @ camera.T
    return flat[:, :2] / flat[:, 2:]
