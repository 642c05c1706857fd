"""A model in the browser: JavaScript modules, most of them the twin of a Python file that their first lines name.

A twin has the name of its Python file, unless that name is taken or says nothing here. `index.js` lists the modules in
reading order; `regard.app.components.shared.modules` puts them into one script.
"""
