from pebbles import ENGINE

opening = ENGINE.read("table A B first A")
setting = ENGINE.setting(opening)
game = ENGINE.open(setting, opening)
game = ENGINE.judge(setting, game.state, ENGINE.read("take 2"), 1)
assert game.verdict.outcome == "legal"

again = ENGINE.judge(setting, game.state, ENGINE.read("B prend 2"), 2)
assert again.verdict.clause == "PEB-TAKE-2" and again.state == game.state
print(ENGINE.clauses["PEB-TAKE-2"].fr)

stands = ENGINE.judge(setting, game.state, ENGINE.read("B take 2"), 2, lenient=True)
assert stands.verdict.outcome == "illegal" and stands.state.heap == 8

assert [ENGINE.text(a) for a in ENGINE.options(setting, game.state)] == ["B take 1", "B take 3"]
