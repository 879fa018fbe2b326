"""A desk of web applications in headless Chromium: real pages, real clicks, exact state."""
