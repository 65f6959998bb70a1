"""Small databases beside the store, for what must not stand in a record.

Names, tokens, boxes, attachments.
"""
