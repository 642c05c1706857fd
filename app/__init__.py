"""Everything a person sees: `main` is the server, `frame` the page, `screens` hold the widgets, `figures` draw.

Reading order: theme, wording, navigation, frame, main, security, launch, which `regard` starts, and
`__main__`, an older name for it; then models, visitor, ui, figures, components, arithmetic, export, glossary,
worked_example, lesson, training_jobs, classroom, server, screens. Streamlit puts this folder on the path, so
no module here may share the name of an installed library.
"""
