"""Pages of one event: desk, overview, big screen."""
