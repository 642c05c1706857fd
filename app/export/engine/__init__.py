"""A model in the browser: JavaScript modules, each the twin of a Python file and named after it.

`index.js` lists them in reading order; `app.components.shared.modules` puts them into one script.
"""
