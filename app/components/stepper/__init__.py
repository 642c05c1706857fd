"""The stepper: traces side by side on one shared step, drawn and stepped in the browser without asking the server.

Reading order: labels, heads, rare, payload, core (what any page needs of it), mount (the Streamlit component).
"""
