"""Boxes beside a store, alike in every kind of store: data, photographs, and places on boards."""

from __future__ import annotations

from contextlib import closing

from referee.store.sidecars.attachments import Attachment
from referee.store.sidecars.boxes import Boxes, Seen
from referee.store.urls import open_boxes


def test_a_box_is_kept_changed_and_brought_to_another_store(shared_url: str) -> None:
    photo, other = Attachment(b"one", b"1"), Attachment(b"other", b"2")
    with closing(open_boxes(shared_url)) as boxes, closing(Boxes(None)) as copy:
        boxes.tell("toy", "club", [Seen("hats", 1, "printed"), Seen("pegs", 3, "printed")])
        boxes.tell("toy", "club", [Seen("hats", 2, "counted")])
        boxes.tell("toy", "other", [Seen("hats", 9, "counted")])
        boxes.show("toy", "club", "flat:front", photo)
        boxes.show("toy", "club", "flat:front", other)
        assert boxes.placing("toy", "club", "front") is None
        boxes.place("toy", "club", "front", {"places": {"F1": [1, 2]}})
        boxes.place("toy", "club", "front", {"places": {"F1": [3, 4]}})
        boxes.place("toy", "club", "back", {"places": {}})
        assert boxes.copy_to(copy) == 3
        for each in (boxes, copy):
            assert each.boards("toy", "club") == ["back", "front"]
            assert each.placing("toy", "club", "front") == {"places": {"F1": [3, 4]}}
            assert each.photo("toy", "club", "flat:front") == other
            assert each.photo("toy", "club", "flat:back") is None
            assert each.seen("toy", "club") == [
                Seen("pegs", 3, "printed"),
                Seen("hats", 2, "counted"),
            ]
