"""A model in the browser: JavaScript modules, most of them the twin of a Python file that their first lines name.

A twin is called as its Python file is. Where that name is taken, or says nothing here, it has another: arithmetic,
posterior_arithmetic; in `transformer/` arithmetic, heads_arithmetic, layer_norm_arithmetic, places. `index.js` lists
the modules in reading order; `regard.app.components.shared.modules` puts them into one script.
"""
