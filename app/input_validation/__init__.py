"""Input validation: links are checked by the names of their parameters, messages of components by type.

Whatever does not fit is cut or left out; nothing here knows a screen. Streamlit bounds numbers, choices and texts by
the fields that it drew.

Reading order: link_parameters, component_messages.
"""
