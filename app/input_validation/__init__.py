"""Input validation: all that a browser says passes here before a screen sees it.

Links by the names of their parameters, fields by what was drawn, what components send by its type. What does not fit is
cut or left out; nothing here knows a screen.

Reading order: link_parameters, bounded_json, component_messages, selections, drawn_fields, wire_format,
browser_messages.
"""
