"""A number's working as a column of sums, in the app's drawer and in the one file: `mount` draws it in the app."""
