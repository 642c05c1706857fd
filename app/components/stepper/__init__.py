"""The stepper: traces side by side on one shared step, drawn and stepped in the browser without asking the server.

Reading order: payload, mount (the Streamlit component). `stepper.js` is the entry of the drawing and knows no
Streamlit; `streamlit.js` connects it to a page, and a page of `regard.app.export` imports it.
"""
