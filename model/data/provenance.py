"""Provenance: the origin and licence of text, recognised by a file's contents rather than by its name."""

import gzip
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Source:
    """A published collection; `notice` gives its licence and the required attribution."""

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
    "ALIBI, hand-made word alignments of French-English short stories", "CC BY-SA 4.0. Cite Xu and Yvon (2016)."
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
CANADA_PAGES = Source(
    "Pages of the Government of Canada, in both languages",
    "MIT (repositories of cds-snc, gc-da11yn, canada-ca, sara-sabr, wet-boew and StatCan) and Open Government Licence "
    "Canada. Attribution: His Majesty the King in Right of Canada. Contains information licensed under the Open "
    "Government Licence Canada.",
)
CANADA_SERVICES = Source(
    "Online services and forms of Canada and Ontario",
    "MIT (DTS-STN, cds-snc, canada-ca, open-data) and Apache 2.0 (ongov). Crown copyright, Government of Canada; "
    "Government of Ontario.",
)
APP_STRINGS = Source(
    "Strings of nineteen programs",
    "Apache 2.0, MIT, BSD 3-clause or CC0. Attribution: Commons, Wikipedia, Thunderbird, K-9, ODK Collect, DuckDuckGo, "
    "Matrix, Mattermost, Rocket.Chat, GC Forms and Notify, COVID Alert, iNaturalist, Scratch, Grocy, Kolibri, "
    "VisualEditor, Modrinth, BookStack, and their translators.",
)
AOSP = Source(
    "Android, strings of its programs", "Apache 2.0. Copyright The Android Open Source Project and LineageOS."
)
RASPBERRY_PI = Source(
    "Raspberry Pi Foundation, projects for children",
    "CC BY-SA 4.0, share-alike. Attribution: Raspberry Pi Foundation, www.raspberrypi.org, and its translators.",
)
GAMES = Source("Texts of Create, Mekanism, CorsixTH and Ren'Py", "MIT licence.")
OPEN_SOURCE_GUIDES = Source("Open Source Guides", "CC BY 4.0. Attribution: GitHub and contributors, opensource.guide.")
PUD = Source(
    "Parallel Universal Dependencies, news and encyclopedia",
    "CC BY-SA 3.0, share-alike. Attribution: UD_English-PUD, UD_French-PUD and the CoNLL 2017 shared task.",
)
PHRASEBOOKS = Source(
    "Refugee Phrasebook and Hitchwiki, phrases for travellers",
    "MIT and CC0; CC BY-SA, share-alike (Hitchwiki). Attribution: Refugee Phrasebook, Hitchwiki.",
)
HOME_ASSISTANT = Source(
    "Home Assistant, strings of its interface", "Apache 2.0. Home Assistant authors and translators."
)
SDG = Source("Sustainable Development Goals, after Open SDG", "MIT licence. Wording of the goals: United Nations.")
REACT_VUE = Source(
    "Documentation of React and Vue",
    "CC BY 4.0. Attribution: React documentation contributors; Evan You and Vue documentation contributors; the French "
    "translators.",
)
WIKTIONARY = Source(
    "English Wiktionary of January 2015, vocabulary",
    "CC BY-SA 3.0, share-alike, and GFDL. Attribution: Wiktionary contributors, Matthias Buchmeier, Open DSL "
    "Dictionary Project.",
)
EUROVOC = Source(
    "EuroVoc, names of institutions and subjects",
    "Reuse allowed with the source named (Decision 2011/833/EU). Copyright European Union, Publications Office.",
)
FLORES = Source("FLORES-200 devtest, for measuring alone", "CC BY-SA 4.0. Cite NLLB Team (2022), Goyal et al. (2022).")
RECIPE = Source("the recipe of the mixture", "Part of this program.")
MEASURING = Source("lists of sentences that measure the model and are never learned", "Part of this program.")

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
    "9175576743e91cacfd79e0b5dcc73ad7889d2e486cff01a7f2716ce1a57a6e9d": CANADA_PAGES,
    "8646d43103fda9284125149d69b97252179dc2fff90d070587cb2a699a4580c5": CANADA_SERVICES,
    "e9ddc00c6956bbf5e39a5284334c5f899fa7ef78c77e4ee1787653a618a695fb": APP_STRINGS,
    "106a40e5210de0e1ec0cdbd9db1c7dd98ed1bd51e84a793e22c98f0454e4805d": AOSP,
    "7a0316e87581114c2f144908e013234d43aa6289e9885b42ce0f2d84c322a861": RASPBERRY_PI,
    "c2a4d73c3f028fc51add54b05666f019cd201422245d1906df2a61f8ec7da259": RASPBERRY_PI,
    "659859d338b99101d949a365c0fd337d23203b3f6f09f2d847c8d611c0bbf4ac": GAMES,
    "384a2a0baf375380b4832ac0b66aa4a21ad08e9312691d1b75850392d8256d7a": OPEN_SOURCE_GUIDES,
    "41f4dd17d7caac51f60e3a5ff92d5403aabd0047de2d02076cbdc5dd9b81a1a5": PUD,
    "94dfd04da1029e243fe2bba8b1f5c561c79a359057f1ecafcae0fbb6f324135b": PHRASEBOOKS,
    "1829ba0845fe06f30b8666a36be2614c5475b54abdfc13893b4caa41a9dcd203": HOME_ASSISTANT,
    "aa67b092f6833c42dc456a491bb0b80e9471806bd570be2b5a53a44a01f5c9a8": SDG,
    "b5fa260e64edfed4e43a4e89dfd3e42d391c32ebd854b7a94e10b4172312842d": REACT_VUE,
    "ac1585c619a1dc90cbda9bead96f6a6e7cdfe22e89546d99729a867000aeebfd": WIKTIONARY,
    "0696c217d91a6a0866236c5231b516db054e48480574318be56113a48d9922e0": WIKTIONARY,
    "30b576337bb15b2f99232ff0a75a5ac9b667ef5db0e13c2a7acb360266b9f1b3": EUROVOC,
    "07f3ee9578e0b2aa0e9fed7f73fd50baa864e2484a38846a3c1517bed77dbb1a": FLORES,
    "58f2e1e6617b018271d30a9a34450ce88616a0bd1028eff121f6023b29bc0c43": RECIPE,  # model/data/everyday.toml, of the six
    "16d9f7f828946ad54a1b1e70d1e4cd7db8cb11241a6b1acefa5af5a9962ed26c": RECIPE,  # of the Transformer
    "09dbeb24f1b3eb1a5ff49e128312d3cccdbdf4e9652e6652f1bea98011294507": RECIPE,  # of en-fr
    "cb8375efb3a8316a1c06a8f0d85675bda8634bd2077ada30ec02bf2bc6eeae0d": RECIPE,  # with a text a table
    "f760ab832d2cc2231db110a41385d39c6dad14dfa3c8ef322abaa49272db4d1b": RECIPE,  # with a text a line
    "92c3939d0e6d76e0121b15dd45c752c4fc171e0a5b76e7c465b412e0f107779f": RECIPE,  # with ordinals up to 99
    "dddb5ff8f25f756fbf81e759285e140debb754106c91a392bdf13421003c3cbf": RECIPE,  # with more verbs
    "55c18863ed36b2812b7a60dcec77b2a891da132d9e532f033ded5a27d080be14": RECIPE,  # as it is
    "c2390d35cbf34cd84d2e1a4e26d771494c752c3cab793e9e75445c07306ff7e9": MEASURING,  # typed_first.tsv
    "69c9ea87999179e6dcdb2ac2f3159ef337663ebe7b2aaed0b2064f3564f8ddd8": MEASURING,  # words_of_the_world.tsv
    "706ea84e81a31b6aa5f03aed75bb2a3e188fbae7113584d7b7f5ea5c8facd369": MEASURING,  # famous.tsv
    "518c83e307cf1863be1edb8593a555b5ef21a5cf4273960714f917f68c181bb8": ALIBI,  # ChatBotte_MasterCat
    "65b7d4ca982a74957d29e409407940ad0a5effdc84d5fe7d2abd57fcdc9d0cdf": ALIBI,  # LaBarbeBleue_BlueBeard
    "2c291cd1166d0d56d1fd4d54ef3d0fbe1e5b03cf5f1f42115b17fb4f02cc5166": ALIBI,  # LaDerniereClasse_TheLastLesson
}


@dataclass(frozen=True)
class Recorded:
    """A file's name without folders, and the SHA-256 of its decompressed contents."""

    name: str
    sha256: str


def recorded(path: Path) -> Recorded:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        return Recorded(path.name, hashlib.file_digest(file, "sha256").hexdigest())


def notices(files: Iterable[Recorded]) -> list[str]:
    """Return a Markdown item for each collection the files come from, and one for all unknown files."""
    names: dict[str, list[str]] = {}
    for file in files:
        source = KNOWN.get(file.sha256)
        notice = f"**{source.name}**. {source.notice}" if source else "origin and licence not known to this program"
        names.setdefault(notice, []).append(f"`{file.name}`")
    return [f"- {notice} ({', '.join(dict.fromkeys(listed))})" for notice, listed in names.items()]
