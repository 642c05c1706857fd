"""Provenance: where text comes from and under which licence, known by what is in a file rather than by its name."""

import gzip
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Source:
    """A published collection; `notice` gives its licence, and whom to name or cite."""

    name: str
    notice: str


TATOEBA = Source(
    "Tatoeba, English-French sentences, export of 2019-04-07",
    "CC BY 2.0 FR. Attribution: tatoeba.org and www.manythings.org/anki.",
)
MULTI30K = Source(
    "Multi30k, image captions in English and French, github.com/multi30k/dataset",
    "The repository states no licence; the captions derive from Flickr30k, which is for research and educational use. "
    "Cite Elliott et al. (2016), Multi30K: Multilingual English-German Image Descriptions, and Elliott et al. (2017), "
    "Findings of the Second Shared Task on Multimodal Machine Translation and Multilingual Image Description.",
)
ALIBI = Source(
    "ALIBI, hand-made word alignments of French-English short stories",
    "CC BY-SA 4.0. Cite Xu and Yvon (2016).",
)
TATOEBA_2020 = Source(
    "Tatoeba, English-French sentences of about April 2020 that the export of 2019 lacks",
    "CC BY 2.0 FR. Attribution: tatoeba.org and www.manythings.org/anki.",
)
DIABLA = Source(
    "DiaBLa, English-French chat with reference translations, four of five dialogues",
    "CC BY-SA 4.0, share-alike. Cite Bawden, Bilinski, Lavergne and Rosset (2021), Language Resources and Evaluation "
    "55:635-660.",
)
AFRICAN_STORYBOOK = Source(
    "African Storybook, children's stories", "CC BY. Attribution: African Storybook Project, africanstorybook.org."
)
MGSM = Source("MGSM, word problems", "CC BY 4.0. Cite Shi et al. (2022) and Cobbe et al. (2021).")
GNOME = Source(
    "GNOME help", "CC BY-SA 3.0, share-alike. Attribution: GNOME documentation project and the GNOME French team."
)
TICO19 = Source("TICO-19, public health", "CC0 1.0. Cite Anastasopoulos et al. (2020).")
FRANCAIS_INTERACTIF = Source(
    "Francais Interactif, beginners' vocabulary and classroom phrases",
    "CC BY 4.0. Attribution: Darigov Research, after Francais Interactif (COERLL, University of Texas at Austin).",
)
CLDR = Source("Unicode CLDR 48.2.0, names of emoji", "Unicode License v3. Copyright 2004-2026 Unicode, Inc.")
OSM = Source(
    "OpenStreetMap, names of things and places of id-tagging-schema 6.19.2",
    "ISC licence. Copyright iD Contributors; translated by volunteers of OpenStreetMap.",
)
FAKER = Source("Names of the Python package faker 40.54.0", "MIT licence.")
FLORES = Source("FLORES-200 devtest, for measuring alone", "CC BY-SA 4.0. Cite NLLB Team (2022), Goyal et al. (2022).")
RECIPE = Source("the recipe of the mixture", "Part of this program.")
TYPED_FIRST = Source("what people type first, which measures the model and is never learned", "Part of this program.")

KNOWN: dict[str, Source] = {
    "0bb85dbaa1c896844649094d7eaf2e34bee34e84fe362b26ce7e8f2e12aae104": TATOEBA,  # fra.txt
    "460a15fbd157e34a7a9957ee388c1ca247fe47af3ef25fb50442af6c274e0fc6": MULTI30K,  # train.en
    "5925a3c18f1587b6b54b87743106e6e8ab93618edb6f65d19eac0621f853a10d": MULTI30K,  # train.fr
    "1f2a23d992769b5b3d209b0a10dd0b77c08cceb1f20dfb97ed0aafa49d107227": MULTI30K,  # val.en
    "5304e444d842e962b2dda4d816b70b22a1765b15401642b7ca37a67477e708dc": MULTI30K,  # val.fr
    "399a4382932c1aadd3ceb9bef1008d388a64c76d4ae4e9d4728c6f4301cac182": MULTI30K,  # test_2016_flickr.en
    "cb3160d69b002bb638e66cc7612fcd56cb0af82eadc9c142dedc438afb885ef6": MULTI30K,  # test_2016_flickr.fr
    "e2c5fdfc4eab10f4e6890860e3372cea181117999cccbcb8a681c7bce980ad0f": TATOEBA_2020,
    "e73e88f33dacd85a6f4df0d9bdca069ef91482092952ed4e4fc82260c07363f2": DIABLA,
    "f426e23e0f753db8ad511b9130a352da98e1602f5508844d777863bab05b2e16": AFRICAN_STORYBOOK,
    "37964ecbbde128fc0f5f454f262167810b3981a29895c083c51f4406528b063a": MGSM,
    "b2662bd38190aacebbaa58a676d7063f7510bcf5fa1eb81b4351226dd6655bc4": GNOME,
    "6b5958505676d5f3c1320b9c90e7ee1771e1acd9299bbe925c8474fd57f33546": TICO19,
    "54f90c9de4cdace6ea59d566e1278f05933cd32d43670a7e9835ef77fb3c21a0": FRANCAIS_INTERACTIF,
    "0d8020188a4804fab71263fdcea93bd2d3d88a786caaf9c6cadf9e0862177e92": CLDR,
    "1fb7abd546e95a9c6d17152a26774b2bd5413d7eb98b893b36e8b85386e208ec": OSM,
    "307bf10dab368856ab8ec9959d35b417304296da5d8997a6b619438e31fca14b": FAKER,
    "07f3ee9578e0b2aa0e9fed7f73fd50baa864e2484a38846a3c1517bed77dbb1a": FLORES,
    "58f2e1e6617b018271d30a9a34450ce88616a0bd1028eff121f6023b29bc0c43": RECIPE,  # model/data/everyday.toml, of the six
    "16d9f7f828946ad54a1b1e70d1e4cd7db8cb11241a6b1acefa5af5a9962ed26c": RECIPE,  # of the Transformer
    "09dbeb24f1b3eb1a5ff49e128312d3cccdbdf4e9652e6652f1bea98011294507": RECIPE,  # as it is
    "c2390d35cbf34cd84d2e1a4e26d771494c752c3cab793e9e75445c07306ff7e9": TYPED_FIRST,
    "518c83e307cf1863be1edb8593a555b5ef21a5cf4273960714f917f68c181bb8": ALIBI,  # ChatBotte_MasterCat
    "65b7d4ca982a74957d29e409407940ad0a5effdc84d5fe7d2abd57fcdc9d0cdf": ALIBI,  # LaBarbeBleue_BlueBeard
    "2c291cd1166d0d56d1fd4d54ef3d0fbe1e5b03cf5f1f42115b17fb4f02cc5166": ALIBI,  # LaDerniereClasse_TheLastLesson
}


@dataclass(frozen=True)
class Recorded:
    """A file by its name, without its folders, and the SHA-256 of its contents after decompression."""

    name: str
    sha256: str


def recorded(path: Path) -> Recorded:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        return Recorded(path.name, hashlib.file_digest(file, "sha256").hexdigest())


def notices(files: Iterable[Recorded]) -> list[str]:
    """A Markdown item for each collection the files come from, and one for all those that are not known."""
    names: dict[str, list[str]] = {}
    for file in files:
        source = KNOWN.get(file.sha256)
        notice = f"**{source.name}**. {source.notice}" if source else "origin and licence not known to this program"
        names.setdefault(notice, []).append(f"`{file.name}`")
    return [f"- {notice} ({', '.join(dict.fromkeys(listed))})" for notice, listed in names.items()]
