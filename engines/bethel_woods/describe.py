def describe(state, setting, lang):
    return [f"{lang} {state.phase}"]
