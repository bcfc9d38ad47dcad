"""What runs in a browser: the interactive map, and the local app and the widget built on it."""
