"""The tests: core/ and viz/ mirror the packages, browser/ needs a Chromium, project/ is about the project itself."""
