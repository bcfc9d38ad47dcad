"""Names of columns that tell what they hold, in English and French."""

import re


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-zà-ÿ]+|\d+")

_CATEGORY = word_set("""
    am arm batch block breed class classe cluster cohort cohorte color colour condition couleur
    country county cultivar cyl cylinders dataset department departement diet ditch district
    ethnic ethnicity eye female fold gender genotype genre group groupe habitat hospital
    industry kiln label language male marital method nationality occupation outcome parcelle
    phenotype plot profession race region religion season sector sex sexe site smoke smoker sp
    species state status statut strain strata stratum subgroup target team traitement treatment
    trt type usage vs ward variety zone
""")
_IDENTIFIER = word_set("id ids identifier identifiant uuid guid barcode siret isbn ean ssn")
_POSTAL = word_set("zip zipcode postcode postal plz fips insee")
# Only as the whole name: "price index" and "sample size" are measures.
_COUNTER = word_set("""
    account bloc block cage case chick client code customer dossier farm firm herd idx index key
    location matricule no nr num number numero obs observation parcelle participant patient pen
    person phone plot pot quadrat rat record ref reference rep replicate respondent row rowid
    rownames rownum sample serial specimen student subject sujet tank tel ticket transect tray
    unnamed worker
""")
_LABEL = word_set("city country ids label make model name names nom sample species state ville")
_ORDINAL = word_set("""
    children grade level likert n niveau note number num opinion order rank rating score stage
    step agreement count enfants importance nb pain quality satisfaction severity
""")
_ENVIRONMENT = word_set("""
    ph temp temperature alt altitude elev elevation slope depth profondeur moisture humidity
    humidite oxygen oxygene conductivity conductivite salinity salinite latitude longitude lat
    lon long precipitation rainfall pluie nitrate nitrates phosphate phosphates ammonium
    chlorophyll turbidity dose week day year month time semaine jour annee mois temps hour area
    surface distance density watrcont subsdens
""")
_SUBJECT = word_set("""
    algebra math maths mathematics mathematiques phys physics physique chem chemistry chimie bio
    biol biology biologie svt science sciences econ economics economie fran french francais
    francaise angl anglais english espa espagnol spanish german allemand latin greek grec hist
    history histoire geo hgeo geography geographie philo philosophy philosophie music musique art
    arts sport eps reading writing literature
""")
_FREQUENCY = word_set(
    """
    freq frequency frequence n count counts effectif effectifs nombre number num total
    """
)
_VALUE = word_set(
    """
    value valeur values abundance abondance cover recouvrement biomass biomasse result resultat
    measurement mesure reading amount quantite density densite individuals individus presence weight
    weights poids
    """
)
_TAXON = word_set("""
    species taxon taxa espece especes otu asv genus genre family famille variable parameter
    parametre gene item product produit word mot key measure
""")
# What a column is called that is measured, not counted, and may well be 1, 2, 3, ….
MEASURE_WORDS = word_set("""
    age annee day depth distance dose height hauteur hour income jour lag length longueur mass
    minute order poids position pressure price prix rang rank score size speed step t taille
    temp temperature temps time volume week weight width wavelength year
""")
_PARTS = {
    **dict.fromkeys(("month", "mois"), (1, 12)),
    **dict.fromkeys(("day", "jour"), (1, 31)),
    **dict.fromkeys(("hour", "heure"), (0, 24)),
    **dict.fromkeys(("week", "semaine"), (0, 53)),
    "weekday": (0, 7),
    "minute": (0, 60),
    **dict.fromkeys(("year", "annee"), (0, 2100)),
}

TIME_WORDS = word_set("year yr annee année date datetime timestamp")
# Words that stand for "missing" in a column of numbers, in small letters.
MISSING_WORDS = word_set("""
    - -- --- . .. ... ? ?? * # na n.a n.a. n/a #n/a nan null nd n.d n.d. n/d nr n/r miss missing
    manquant unknown unk inconnu bdl b.d.l. bld lod loq nq n.q. tr tr. trace traces #div/0!
    #value! #ref! #name? #num!
""") | {"not available", "not detected", "no data", "non disponible", "non détecté"}


# Words for one thing: merged where a column holds no others.
_SAME = (
    ("male m man mâle masculin", "female f woman femelle féminin w"),
    ("homme h", "femme f"),  # not beside M, where H may be a hermaphrodite
    ("yes y oui o true vrai", "no n non false faux"),
)
SYNONYMS = tuple({word: one for one in pair for word in one.split()} for pair in _SAME)


def words_of(name: str) -> list[str]:
    """Return the words that a name is made of, in small letters."""
    return [word.lower() for word in _WORD.findall(str(name))]


def is_identifier(name: str) -> bool:
    """Whether a column is called the identity of something."""
    words = words_of(name)
    return bool(words) and bool({words[0], words[-1]} & _IDENTIFIER)


def is_counter(name: str) -> bool:
    """Whether a column is called nothing but the number of a row."""
    words = [word for word in words_of(name) if not word.isdigit()]
    return 1 <= len(words) <= 2 and all(word in _COUNTER for word in words)


def is_postal(name: str) -> bool:
    """Whether a column is called a code of places."""
    return bool(_POSTAL & set(words_of(name)))


def is_category(name: str) -> bool:
    """Whether a column is called what has categories."""
    words = [word for word in words_of(name) if not word.isdigit()]
    return bool(words) and (words[-1] in _CATEGORY or (len(words) > 1 and words[0] in _CATEGORY))


def is_ordinal(name: str) -> bool:
    """Whether a column is called a count or a scale."""
    words = words_of(name)
    return bool(_ORDINAL & set(words)) or bool(re.fullmatch(r"[qQ]\d+\w?|item.?\d+", str(name)))


def is_measure(name: str) -> bool:
    """Whether a column is called a time, a place or a number of rows, which nobody counted."""
    if is_identifier(name) or is_counter(name):
        return True
    return bool(set(words_of(name)[-1:]) & MEASURE_WORDS)


def is_environment(name: str) -> bool:
    """Whether a column is called a measure of a place or of a treatment, not a species."""
    words, plain = words_of(name), [w for w in re.split(r"[\W_]+", name.lower()) if w]
    ends = {*words[:1], *words[-1:], *plain[:1], *plain[-1:]}
    return len(plain) <= 3 and bool(_ENVIRONMENT & ends)


def is_subject(name: str) -> bool:
    """Whether a column is called a subject at school."""
    words = words_of(name)
    return len(words) <= 3 and bool(_SUBJECT & set(words))


def is_frequency(name: str) -> bool:
    """Whether a column is called the number of individuals of a cell."""
    words = [word for word in words_of(name) if not word.isdigit()]
    return bool(words) and words[-1] in _FREQUENCY and len(words) <= 3


def is_value(name: str) -> bool:
    """Whether a column is called what a long table has one of in each row."""
    return is_frequency(name) or bool(_VALUE & set(words_of(name)))


def is_taxon(name: str) -> bool:
    """Whether a column is called what was counted: species, taxa, items."""
    return bool(_TAXON & set(words_of(name)))


def is_label(name: str) -> bool:
    """Whether a column is called what names rows."""
    words = words_of(name)
    return bool(words) and words[-1] in _LABEL


def calendar_part(name: str) -> tuple[int, int] | None:
    """Return the range of a part of a date, by the name of its column."""
    words = words_of(name)
    return _PARTS.get(words[0]) if len(words) == 1 else None
