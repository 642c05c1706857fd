"""Regard: a sequence-to-sequence model with attention, and every number of its translations.

`regard.model` computes and `regard.app` shows. In a checkout the two folders stand beside this one, and `__path__`
names the folder that holds them; in an installed package they are inside it.
"""

from pathlib import Path

__version__ = "0.7.0"

_HERE = Path(__file__).parent
if not (_HERE / "model").is_dir():
    __path__.append(str(_HERE.parent))
