"""What happened, seen on a photograph: pure functions over arrays; no clock, no store.

``registration`` finds a board in a photograph, ``evidence`` what changed at which of its places,
``proposals`` which legal actions would change just that.
"""
