"""A class: the teacher's page, `screen`."""
