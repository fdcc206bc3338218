"""Random games as frames show them: covered here and there, misread now and then."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from vision.observation import Content, Intersection

B, W = Content.BLACK, Content.WHITE

SIZE = 6


@dataclass(frozen=True, kw_only=True)
class Film:
    """Frames of a game in which stones are laid and nothing else happens.

    ``boards``: what each frame shows. ``laid``: the frame that first could show each stone. ``noisy``: misread points
    by frame; a point is never misread in two of its sightings in a row, nor in the two that follow its stone.
    """

    instants: list[int]
    boards: list[list[str]]
    laid: dict[Intersection, tuple[Content, int]]
    noisy: set[tuple[int, Intersection]]


def film(random: Random, *, noise: float, spare_new: bool) -> Film:
    points = [Intersection(row, col) for row in range(SIZE) for col in range(SIZE)]
    order = random.sample(points, random.randint(1, 8))
    laid: dict[Intersection, tuple[Content, int]] = {}
    frame = 1
    for n, point in enumerate(order):
        frame += random.choice([1, 1, 2, 3, 5])
        laid[point] = (B if n % 2 == 0 else W, frame)
    instants, boards, noisy = [], [], set()
    t, wrong_before, sightings = 0, set[Intersection](), dict[Intersection, int]()
    hand: set[Intersection] = set()
    for number in range(frame + 4):
        t += random.choice([33, 100, 100, 250, 1000])  # dropped frames leave longer pauses
        if random.random() < 0.5:
            row, col = random.randrange(SIZE), random.randrange(SIZE)
            reach = random.randint(0, 3)
            hand = {p for p in points if abs(p.row - row) <= reach and abs(p.col - col) <= reach}
        elif random.random() < 0.5:
            hand = set()
        board = []
        for row in range(SIZE):
            letters = ""
            for col in range(SIZE):
                point = Intersection(row, col)
                content, since = laid.get(point, (Content.EMPTY, 0))
                truth = content if since <= number else Content.EMPTY
                if point in hand:
                    letters += "?"
                    continue
                if truth is not Content.EMPTY:
                    sightings[point] = sightings.get(point, 0) + 1
                fresh = spare_new and (0 < sightings.get(point, 0) <= 2 or (truth is Content.EMPTY and point in laid))
                if point not in wrong_before and not fresh and random.random() < noise:
                    wrong_before.add(point)
                    noisy.add((number, point))
                    truth = random.choice([c for c in (B, W, Content.EMPTY) if c is not truth])
                else:
                    wrong_before.discard(point)
                letters += truth.value
            board.append(letters)
        instants.append(t)
        boards.append(board)
    return Film(instants=instants, boards=boards, laid=laid, noisy=noisy)
