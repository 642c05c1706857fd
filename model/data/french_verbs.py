"""French verbs: the forms that generated sentences need, by rule for regular verbs, from a table for others.

Persons are numbered 0 to 5: je, tu, il or elle, nous, vous, ils or elles.
"""

from dataclasses import dataclass
from functools import cache

VOWELS = "aeiouhyàâéèêëîïôùûœæ"
ENDINGS = {
    "imperfect": ("ais", "ais", "ait", "ions", "iez", "aient"),
    "future": ("ai", "as", "a", "ons", "ez", "ont"),
    "conditional": ("ais", "ais", "ait", "ions", "iez", "aient"),
}
AVOIR = {
    "present": ("ai", "as", "a", "avons", "avez", "ont"),
    "imperfect": ("avais", "avais", "avait", "avions", "aviez", "avaient"),
    "conditional": ("aurais", "aurais", "aurait", "aurions", "auriez", "auraient"),
}
ETRE = {
    "present": ("suis", "es", "est", "sommes", "êtes", "sont"),
    "imperfect": ("étais", "étais", "était", "étions", "étiez", "étaient"),
    "conditional": ("serais", "serais", "serait", "serions", "seriez", "seraient"),
}
REFLEXIVE = ("me", "te", "se", "nous", "vous", "se")
WITH_ETRE = frozenset(
    [
        "aller",
        "arriver",
        "entrer",
        "mourir",
        "partir",
        "rentrer",
        "rester",
        "retourner",
        "revenir",
        "sortir",
        "tomber",
        "venir",
    ]
)
# infinitive: participle, stem of the future, present in six persons
_IRREGULAR = """
aller: allé ir vais vas va allons allez vont
apprendre: appris apprendr apprends apprends apprend apprenons apprenez apprennent
attendre: attendu attendr attends attends attend attendons attendez attendent
avoir: eu aur ai as a avons avez ont
boire: bu boir bois bois boit buvons buvez boivent
comprendre: compris comprendr comprends comprends comprend comprenons comprenez comprennent
conduire: conduit conduir conduis conduis conduit conduisons conduisez conduisent
construire: construit construir construis construis construit construisons construisez construisent
courir: couru courr cours cours court courons courez courent
croire: cru croir crois crois croit croyons croyez croient
dire: dit dir dis dis dit disons dites disent
dormir: dormi dormir dors dors dort dormons dormez dorment
entendre: entendu entendr entends entends entend entendons entendez entendent
faire: fait fer fais fais fait faisons faites font
lire: lu lir lis lis lit lisons lisez lisent
mettre: mis mettr mets mets met mettons mettez mettent
ouvrir: ouvert ouvrir ouvre ouvres ouvre ouvrons ouvrez ouvrent
devoir: dû devr dois dois doit devons devez doivent
partir: parti partir pars pars part partons partez partent
peindre: peint peindr peins peins peint peignons peignez peignent
perdre: perdu perdr perds perds perd perdons perdez perdent
pouvoir: pu pourr peux peux peut pouvons pouvez peuvent
prendre: pris prendr prends prends prend prenons prenez prennent
recevoir: reçu recevr reçois reçois reçoit recevons recevez reçoivent
rendre: rendu rendr rends rends rend rendons rendez rendent
répondre: répondu répondr réponds réponds répond répondons répondez répondent
revenir: revenu reviendr reviens reviens revient revenons revenez reviennent
rire: ri rir ris ris rit rions riez rient
sortir: sorti sortir sors sors sort sortons sortez sortent
suivre: suivi suivr suis suis suit suivons suivez suivent
vendre: vendu vendr vends vends vend vendons vendez vendent
venir: venu viendr viens viens vient venons venez viennent
vivre: vécu vivr vis vis vit vivons vivez vivent
voir: vu verr vois vois voit voyons voyez voient
vouloir: voulu voudr veux veux veut voulons voulez veulent
écrire: écrit écrir écris écris écrit écrivons écrivez écrivent
lever: levé lèver lève lèves lève levons levez lèvent
acheter: acheté achèter achète achètes achète achetons achetez achètent
appeler: appelé appeller appelle appelles appelle appelons appelez appellent
jeter: jeté jetter jette jettes jette jetons jetez jettent
envoyer: envoyé enverr envoie envoies envoie envoyons envoyez envoient
payer: payé paier paie paies paie payons payez paient
nettoyer: nettoyé nettoier nettoie nettoies nettoie nettoyons nettoyez nettoient
essayer: essayé essaier essaie essaies essaie essayons essayez essaient
préférer: préféré préférer préfère préfères préfère préférons préférez préfèrent
répéter: répété répéter répète répètes répète répétons répétez répètent
promener: promené promèner promène promènes promène promenons promenez promènent
asseoir: assis assiér assieds assieds assied asseyons asseyez asseyent
appartenir: appartenu appartiendr appartiens appartiens appartient appartenons appartenez appartiennent
atteindre: atteint atteindr atteins atteins atteint atteignons atteignez atteignent
balayer: balayé balaier balaie balaies balaie balayons balayez balaient
battre: battu battr bats bats bat battons battez battent
bouillir: bouilli bouillir bous bous bout bouillons bouillez bouillent
congeler: congelé congèler congèle congèles congèle congelons congelez congèlent
contenir: contenu contiendr contiens contiens contient contenons contenez contiennent
coudre: cousu coudr couds couds coud cousons cousez cousent
craindre: craint craindr crains crains craint craignons craignez craignent
cueillir: cueilli cueiller cueille cueilles cueille cueillons cueillez cueillent
découvrir: découvert découvrir découvre découvres découvre découvrons découvrez découvrent
décrire: décrit décrir décris décris décrit décrivons décrivez décrivent
défendre: défendu défendr défends défends défend défendons défendez défendent
détruire: détruit détruir détruis détruis détruit détruisons détruisez détruisent
disparaître: disparu disparaîtr disparais disparais disparaît disparaissons disparaissez disparaissent
enlever: enlevé enlèver enlève enlèves enlève enlevons enlevez enlèvent
endormir: endormi endormir endors endors endort endormons endormez endorment
épeler: épelé épeller épelle épelles épelle épelons épelez épellent
éteindre: éteint éteindr éteins éteins éteint éteignons éteignez éteignent
élever: élevé élèver élève élèves élève élevons élevez élèvent
élire: élu élir élis élis élit élisons élisez élisent
fondre: fondu fondr fonds fonds fond fondons fondez fondent
fuir: fui fuir fuis fuis fuit fuyons fuyez fuient
geler: gelé gèler gèle gèles gèle gelons gelez gèlent
gérer: géré gérer gère gères gère gérons gérez gèrent
interrompre: interrompu interrompr interromps interromps interrompt interrompons interrompez interrompent
mentir: menti mentir mens mens ment mentons mentez mentent
mordre: mordu mordr mords mords mord mordons mordez mordent
mourir: mort mourr meurs meurs meurt mourons mourez meurent
obtenir: obtenu obtiendr obtiens obtiens obtient obtenons obtenez obtiennent
peser: pesé pèser pèse pèses pèse pesons pesez pèsent
plaindre: plaint plaindr plains plains plaint plaignons plaignez plaignent
pondre: pondu pondr ponds ponds pond pondons pondez pondent
poursuivre: poursuivi poursuivr poursuis poursuis poursuit poursuivons poursuivez poursuivent
prescrire: prescrit prescrir prescris prescris prescrit prescrivons prescrivez prescrivent
produire: produit produir produis produis produit produisons produisez produisent
promettre: promis promettr promets promets promet promettons promettez promettent
protéger: protégé protéger protège protèges protège protégeons protégez protègent
reconnaître: reconnu reconnaîtr reconnais reconnais reconnaît reconnaissons reconnaissez reconnaissent
réduire: réduit réduir réduis réduis réduit réduisons réduisez réduisent
remettre: remis remettr remets remets remet remettons remettez remettent
résoudre: résolu résoudr résous résous résout résolvons résolvez résolvent
sentir: senti sentir sens sens sent sentons sentez sentent
servir: servi servir sers sers sert servons servez servent
soulever: soulevé soulèver soulève soulèves soulève soulevons soulevez soulèvent
sourire: souri sourir souris souris sourit sourions souriez sourient
souvenir: souvenu souviendr souviens souviens souvient souvenons souvenez souviennent
tondre: tondu tondr tonds tonds tond tondons tondez tondent
tordre: tordu tordr tords tords tord tordons tordez tordent
traduire: traduit traduir traduis traduis traduit traduisons traduisez traduisent
traire: trait trair trais trais trait trayons trayez traient
"""


@dataclass(frozen=True)
class FrenchVerb:
    """The forms of one verb; a reflexive verb is named without its pronoun."""

    infinitive: str
    participle: str
    future_stem: str
    present: tuple[str, ...]

    @property
    def gerund(self) -> str:
        """Return the present participle: *finissant*; only *avoir* is irregular."""
        return "ayant" if self.infinitive == "avoir" else f"{self.present[3].removesuffix('ons')}ant"

    def simple(self, tense: str, person: int) -> str:
        """Return a form of one word: present, imperfect, future or conditional."""
        if tense == "present":
            return self.present[person]
        stem = self.present[3].removesuffix("ons") if tense == "imperfect" else self.future_stem
        ending = ENDINGS[tense][person]
        if tense == "imperfect" and ending[0] == "i":  # nous mangions, nous commencions
            stem = (
                stem.removesuffix("e") if stem.endswith("ge") else stem.replace("ç", "c") if stem[-1] == "ç" else stem
            )
        return stem + ending


@cache
def verb(infinitive: str) -> FrenchVerb:
    """Return a verb by its infinitive. Raises ValueError for one that is neither regular nor in the table."""
    if infinitive in _TABLE:
        return _TABLE[infinitive]
    if infinitive.endswith("er"):
        return _first_group(infinitive[:-2])
    if infinitive.endswith("ir"):
        stem = infinitive[:-2]
        present = tuple(stem + ending for ending in ("is", "is", "it", "issons", "issez", "issent"))
        return FrenchVerb(infinitive, f"{stem}i", infinitive, present)
    raise ValueError(f"{infinitive!r} is irregular and not in the table")


def agree(participle: str, female: bool, plural: bool) -> str:
    """Return a past participle with its endings: *arrivée*, *assis*, *prises*."""
    ending = "e" * female
    return participle + ending + ("s" if plural and not (participle + ending).endswith("s") else "")


def before(word: str, following: str) -> str:
    """Put a word that elides before another: *je pars*, *j'ai*, *que Tom*, *qu'il*."""
    elides = following[0].lower() in VOWELS
    return f"{word[:-1]}'{following}" if elides else f"{word} {following}"


def _first_group(stem: str) -> FrenchVerb:
    plural = {"g": f"{stem}e", "c": f"{stem[:-1]}ç"}.get(stem[-1], stem)
    present = (f"{stem}e", f"{stem}es", f"{stem}e", f"{plural}ons", f"{stem}ez", f"{stem}ent")
    return FrenchVerb(f"{stem}er", f"{stem}é", f"{stem}er", present)


def _line(line: str) -> FrenchVerb:
    infinitive, forms = line.split(": ")
    participle, future, *present = forms.split()
    return FrenchVerb(infinitive, participle, future, tuple(present))


_TABLE = {made.infinitive: made for made in map(_line, _IRREGULAR.strip().splitlines())}
