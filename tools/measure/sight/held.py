"""Cards held into a camera: of one style, tilted and turned, with fingers, glare and shake."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from referee.sight.cards import faces, recognised
from tools.measure.sight.scene import Array, cv2, np

CARDS, STRANGERS, FRAMES = 60, 15, 3
CARD, PHOTO = (300, 420), (800, 600)
SKIN = (205, 160, 130)


def printed(number: int) -> Array:
    """A face: the frame and the ground of all, a picture of its own."""
    rng = random.Random(f"face {number}")
    wide, high = CARD
    card = np.full((high, wide, 3), (232, 222, 200), np.uint8)
    cv2.rectangle(card, (10, 10), (wide - 11, high - 11), (90, 70, 50), 4)
    cv2.rectangle(card, (28, 70), (wide - 29, 290), (150, 170, 160), -1)
    for _ in range(14):
        at = (rng.randint(40, wide - 40), rng.randint(85, 275))
        colour = tuple(rng.randint(20, 235) for _ in range(3))
        reach = (rng.randint(6, 34), rng.randint(6, 26))
        if rng.random() < 0.5:
            cv2.ellipse(card, at, reach, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)
        else:
            end = (at[0] + rng.randint(-50, 50), at[1] + rng.randint(-40, 40))
            cv2.line(card, at, end, colour, rng.randint(2, 7), cv2.LINE_AA)
    name = "".join(rng.choice("ABDEGHKLMNORSTUVZ") for _ in range(rng.randint(4, 8)))
    cv2.putText(card, name, (36, 54), cv2.FONT_HERSHEY_DUPLEX, 1.0, (40, 30, 25), 2, cv2.LINE_AA)
    for row in range(3):
        words = "".join(rng.choice("abcdefghilmnoprstu ") for _ in range(18))
        at = (36, 325 + 28 * row)
        cv2.putText(card, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.55, (60, 50, 45), 1, cv2.LINE_AA)
    return card


def own_picture(card: Array, noise: Any) -> Array:
    """What the club has of it."""
    soft = cv2.GaussianBlur(card.astype(np.float32), (0, 0), 0.9)
    return np.clip(soft * noise.uniform(0.9, 1.05) + noise.normal(0, 3, card.shape), 0, 255).astype(
        np.uint8
    )


def held(card: Array, rng: random.Random, noise: Any) -> Array:
    """One photograph of it in somebody's hand, over a table."""
    wide, high = PHOTO
    ground = cv2.resize(noise.integers(40, 170, (9, 12, 3), np.uint8), PHOTO)
    scale, turn = rng.uniform(0.75, 1.15), np.radians(rng.uniform(-180, 180))
    tilt, lean = (np.radians(rng.uniform(-35, 35)) for _ in range(2))
    half = np.float32([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.float32(CARD) / 2 * scale
    about = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    flat = half @ about.T
    depth = flat[:, 0] * np.sin(tilt) + flat[:, 1] * np.sin(lean)
    near = 900 / (900 + depth)
    middle = (wide / 2 + rng.uniform(-40, 40), high / 2 + rng.uniform(-30, 30))
    corners = flat * np.array([np.cos(tilt), np.cos(lean)]) * near[:, None] + middle
    from_card = np.float32([(0, 0), (CARD[0], 0), CARD, (0, CARD[1])])
    onto = cv2.getPerspectiveTransform(from_card, np.float32(corners))
    over = cv2.warpPerspective(card, onto, PHOTO, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full(card.shape[:2], 255, np.uint8), onto, PHOTO)
    photo = np.where(mask[..., None] > 127, over, ground).astype(np.float32)
    side = rng.randrange(4)
    for part in (0.35, 0.6):
        x, y = corners[side] * (1 - part) + corners[(side + 1) % 4] * part
        reach = (rng.randint(26, 40), rng.randint(40, 70))
        cv2.ellipse(photo, (int(x), int(y)), reach, rng.uniform(0, 180), 0, 360, SKIN, -1)
    if rng.random() < 0.5:
        glare = np.zeros((high, wide), np.float32)
        at = (int(middle[0] + rng.uniform(-90, 90)), int(middle[1] + rng.uniform(-90, 90)))
        cv2.ellipse(glare, at, (rng.randint(30, 90), rng.randint(15, 40)), 30, 0, 360, 1.0, -1)
        photo += 150 * cv2.GaussianBlur(glare, (0, 0), 14)[..., None]
    shake = rng.randint(1, 4)
    trace = np.zeros((2 * shake + 1, 2 * shake + 1), np.float32)
    cv2.line(trace, (0, rng.randint(0, 2 * shake)), (2 * shake, rng.randint(0, 2 * shake)), 1.0, 1)
    photo = cv2.filter2D(photo, -1, trace / trace.sum())
    photo = photo * rng.uniform(0.7, 1.1) + noise.normal(0, 5, photo.shape)
    made = np.clip(photo, 0, 255).astype(np.uint8)
    coded = cv2.imencode(".jpg", made[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    return np.ascontiguousarray(cv2.imdecode(coded, cv2.IMREAD_COLOR)[..., ::-1])


def measured(seed: int, sets: int = 1) -> Counter[str]:
    """How many are recognised in one and in three photographs; strangers among them."""
    count: Counter[str] = Counter()
    for number in range(seed, seed + sets):
        rng, noise = random.Random(number), np.random.default_rng(number)
        first = 1000 * number
        club = faces({str(one): own_picture(printed(first + one), noise) for one in range(CARDS)})
        for one in range(CARDS + STRANGERS):
            photos = [held(printed(first + one), rng, noise) for _ in range(FRAMES)]
            kind = "card" if one < CARDS else "stranger"
            for name, shown in (("one", photos[:1]), ("three", photos)):
                found = recognised(shown, club)
                right = found == (str(one) if one < CARDS else None)
                end = "right" if right else "none" if found is None else "wrong"
                count[f"{kind} {name} {end}"] += 1
    return count


def told(count: Counter[str]) -> Iterator[str]:
    yield "| cards held into the camera | right | cannot tell | wrong | strangers taken for one |"
    yield "|---|---:|---:|---:|---:|"
    for frames in ("one", "three"):
        right, none, wrong = (count[f"card {frames} {end}"] for end in ("right", "none", "wrong"))
        taken = count[f"stranger {frames} wrong"]
        strangers = taken + count[f"stranger {frames} right"]
        total = right + none + wrong
        yield f"| {frames} | {right} of {total} | {none} | {wrong} | {taken} of {strangers} |"
