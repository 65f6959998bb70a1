from fists import ENGINE

from engines.kernel import Moment, OpenedSeal

opening = ENGINE.read("table A B")
setting = ENGINE.setting(opening)
moments = [Moment(0, opening, ENGINE.open(setting, opening).state)]
for line in ("A close 2", "B close", "guess 4", "guess 3", "A open 2", "B open 1"):
    number = len(moments)
    heard = ENGINE.judge(setting, moments[-1].state, ENGINE.read(line), number)
    assert heard.verdict.outcome == "legal", line
    moments.append(Moment(number, heard.action, heard.state))

closed = moments[1]
assert ENGINE.hide(closed.state, "A", setting) is closed.state
assert ENGINE.hide(closed.state, "B", setting).players["A"].pebbles is None
assert closed.action.known_to("B").pebbles is None
assert ENGINE.result(moments[-1].state).places == (("B",), ("A",))

early = ENGINE.judge(setting, moments[2].state, ENGINE.read("A open 2"), 3)
assert early.verdict.clause == "FST-TURN-1"
lied = ENGINE.judge(setting, moments[4].state, ENGINE.read("A open 3"), 5)
assert lied.verdict.findings[0].entries == (1,)

sealed = OpenedSeal("B", ("1",), tuple(moments[:3]), tuple(moments[3:]))
(finding,) = ENGINE.sealed["fist"](sealed, setting)
print(finding.status, ENGINE.clauses[finding.clause].fr)
