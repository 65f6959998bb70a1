from engines.kernel.svg import Picture, text


def picture(state, setting, lang, last):
    return Picture(100, 100, text(10, 10, "x"))
