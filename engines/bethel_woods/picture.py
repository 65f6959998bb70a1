from engines.kernel.svg import Picture, Svg


def picture(state, setting, lang, last):
    return Picture(100, 100, Svg(""))
