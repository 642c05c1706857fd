"""Everything a person sees: `main` serves it, `frame` is the page, `screens` ask, `figures` draw."""
