"""The page of `app.export.page`, under the name that README gave it up to version 0.5."""

from app.export.page import page as page
