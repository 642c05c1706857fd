"""The page of `regard.app.export.page`, under the name that README gave it up to version 0.5."""

from regard.app.export.page import page as page
