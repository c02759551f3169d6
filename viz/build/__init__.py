"""From what happened to a Scene: the only floor of viz that knows minitape."""
