"""What a store keeps when the power fails (Linux, with a C compiler): ``make powercut``.

The same cuts are then made to a disk that ignores the syncs of the write-ahead log. There the
store must lose something, or this program would notice no loss at all.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.measure.powercut.simulation import Blind, Outcome, Unavailable, cut_power, record

DEAF_TO = "-wal"


def main() -> int:
    asked = _arguments()
    try:
        recording = record(asked.seed)
        control = record(asked.seed, deaf=DEAF_TO)
    except Unavailable as reason:
        print(f"powercut: skipped, {reason}")
        return 0
    except Blind as reason:
        print(f"powercut: {reason}")
        return 1
    limits = {"creation": asked.creation, "seconds": asked.seconds / 2}
    outcome = cut_power(recording, asked.cuts, keep=asked.keep, **limits)
    print(f"the store: {outcome}")
    _show_examples(outcome)
    unsynced = cut_power(control, asked.cuts, **limits)
    print(f"control, a disk that ignores syncs of the log: {unsynced}")
    if not unsynced.lost:
        print("powercut: the control has lost nothing, so this proves nothing")
    return int(outcome.failed or not unsynced.lost)


def _show_examples(outcome: Outcome, most: int = 5) -> None:
    for example in outcome.examples[:most]:
        print(f"  {example}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.measure.powercut")
    parser.add_argument("--cuts", type=int, default=300, help="how often the power fails")
    parser.add_argument("--seed", type=int, default=1, help="other moments, other damage")
    parser.add_argument("--seconds", type=float, default=300, help="stop after this time")
    parser.add_argument("--keep", type=Path, help="a folder for disks that failed")
    parser.add_argument("--creation", action="store_true", help="cut before the first entry only")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
