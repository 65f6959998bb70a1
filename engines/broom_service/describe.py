def describe(state, setting, lang):
    return ["Round" if lang == "en" else "Manche"]
