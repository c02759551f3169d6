"""The site: every page of the project, its course and its reference, as files that need no server."""
