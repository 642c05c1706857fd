"""Glossary: `screen`; the terms are in `app/glossary`."""
