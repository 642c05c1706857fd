"""Input validation: everything that a browser sends passes here before a screen sees it.

Links are checked by the names of their parameters, fields by what was drawn, messages of components by type. Whatever
does not fit is cut or left out; nothing here knows a screen.

Reading order: link_parameters, bounded_json, component_messages, selections, drawn_fields, wire_format,
browser_messages.
"""
