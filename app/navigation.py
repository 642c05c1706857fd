"""The screens in the order in which the navigation shows them; one that is not built is not here."""

FIRST = "translate"  # what a visitor without a link sees
SECTIONS = {  # by file, with title and icon
    "": (  # stand in the bar itself
        ("learn", "Learn", ":material/school:"),
        ("translate", "Translate", ":material/translate:"),
        ("compare", "Compare", ":material/view_column:"),
    ),
    "What if": (
        ("beam", "Beam search", ":material/account_tree:"),
        ("sampling", "Sampling", ":material/casino:"),
        ("persuasion", "The attention that would say it", ":material/tune:"),
    ),
    "Understand": (
        ("by_hand", "By hand", ":material/calculate:"),
        ("bottleneck", "Bottleneck", ":material/compress:"),
        ("alignment", "Is attention an alignment?", ":material/link:"),
        ("explanation", "Is attention an explanation?", ":material/help_center:"),
        ("learning", "Learning to look", ":material/timeline:"),
        ("transformer", "From Luong to the Transformer", ":material/hub:"),
    ),
    "Make": (
        ("watch", "Watch it learn", ":material/model_training:"),
        ("bring", "Bring your own model", ":material/upload_file:"),
        ("elsewhere", "Attention from elsewhere", ":material/move_to_inbox:"),
    ),
    "Teach": (
        ("glossary", "Glossary", ":material/menu_book:"),
        ("worksheet", "Worksheet", ":material/print:"),
    ),
}
TITLES = {name: title for screens in SECTIONS.values() for name, title, _ in screens}
ICONS = {name: icon for screens in SECTIONS.values() for name, _, icon in screens}
