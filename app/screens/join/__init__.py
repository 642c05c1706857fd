"""Join a class: a student's page, `screen`."""
