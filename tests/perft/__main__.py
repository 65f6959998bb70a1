from tests.perft.page import PAGE, page

PAGE.write_text(page(), "utf-8")
