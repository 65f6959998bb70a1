"""Drawing: SVG elements, layout of a picture, bar charts."""
