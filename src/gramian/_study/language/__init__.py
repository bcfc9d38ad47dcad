"""Sentences in English and French: one catalogue, and the voices that say it."""

from gramian._study.language.terms import (
    Count as Count,
)
from gramian._study.language.terms import (
    Fixed as Fixed,
)
from gramian._study.language.terms import (
    Listed as Listed,
)
from gramian._study.language.terms import (
    Name as Name,
)
from gramian._study.language.terms import (
    Number as Number,
)
from gramian._study.language.terms import (
    Options as Options,
)
from gramian._study.language.terms import (
    P as P,
)
from gramian._study.language.terms import (
    Row as Row,
)
from gramian._study.language.terms import (
    Sentence as Sentence,
)
from gramian._study.language.terms import (
    Setting as Setting,
)
from gramian._study.language.terms import (
    Share as Share,
)
from gramian._study.language.terms import (
    Spelling as Spelling,
)
from gramian._study.language.terms import (
    Term as Term,
)
from gramian._study.language.terms import (
    names as names,
)
from gramian._study.language.terms import (
    python as python,
)
from gramian._study.language.terms import (
    quoted as quoted,
)
from gramian._study.language.terms import (
    rows as rows,
)
from gramian._study.language.voice import LANGUAGES as LANGUAGES
from gramian._study.language.voice import Voice as Voice
from gramian._study.language.voice import texts as texts
