"""French; a space before ; : ? ! or % becomes a no-break one when it is said."""

TEXTS = {
    "and": " et ",
    "comma": ", ",
    "others": "{names} et {count} autres",
    "percent": "{x} %",
    "p.small": "p &lt; 0,001",
    "p.equal": "p = {x}",
    "lang": "fr",
    "report": "Rapport",
    "made": "Produit par Gramian {version} ; graine {seed} ; cette page ne va rien chercher "
    "et n’envoie rien.",
    "noscript": "Les figures et les tableaux demandent JavaScript ; le texte s’en passe.",
    # headings
    "h.summary": "En bref",
    "h.data": "Ce qui a été lu, ce qui a été fait",
    "h.dimension": "Combien d’axes ?",
    "h.maps": "Cartes",
    "h.axes": "Lecture des axes",
    "h.outliers": "Les individus à part",
    "h.stability": "D’autres individus diraient-ils la même chose ?",
    "h.linearity": "Des droites ou des courbes ?",
    "h.tables": "Tableaux",
    "h.code": "Le refaire en Python",
    "h.versions": "Versions et graine",
    "h.warnings": "Avant d’y croire",
    "axis": "Axe {k}",
    "contents": "Sommaire",
    # what was done
    "what.table": "{n} individus et {p} colonnes actives ont été étudiés par analyse en "
    "composantes principales (ACP) normée : chaque colonne compte autant, quelle que soit son "
    "unité.",
    "what.distances": "{n} objets, connus par leurs distances mutuelles, ont été placés par "
    "positionnement multidimensionnel classique : une carte dont les distances sont aussi "
    "proches que possible de celles données.",
    "what.graphs": "{n} graphes ont été comparés par le noyau de Weisfeiler–Lehman "
    "({n_iter} raffinements, normalisé), qui compte les voisinages communs, puis placés par ACP à "
    "noyau.",
    "what.sequences": "{n} séquences ont été comparées par le noyau de spectre (mots de {k} "
    "lettres, normalisé), qui compte les mots communs, puis placées par ACP à noyau.",
    "what.graphs.other": "{n} graphes ont été comparés par le noyau {kernel}, puis placés par ACP "
    "à noyau.",
    "what.sequences.other": "{n} séquences ont été comparées par le noyau {kernel}, puis placées "
    "par ACP à noyau.",
    "what.fit": "Le rapport lit un ajustement déjà fait : {estimator}, sur {n} individus.",
    "roles.supplementary": "Placées après coup, sans part dans les axes : {names}.",
    "roles.groups": "Groupes seulement lus sur les axes : {names}.",
    "thinned": "Les cartes montrent {drawn} des {n} individus : les plus remarquables et un "
    "échantillon au hasard des autres. Tous entrent dans le calcul.",
    "tables.cut": "Le tableau des individus contient les {held} individus sur {n} qui contribuent "
    "le plus.",
    "missing.drop-rows": "Les individus à valeur manquante ont été écartés. Autres choix : écarter "
    "les colonnes (drop-columns), ou mettre la moyenne ou la médiane de la colonne (mean, median).",
    "missing.mean": "Écarter tout individu à valeur manquante en aurait coûté plus de la moitié : "
    "la moyenne de la colonne a été mise à la place, ce qui rapproche les individus plus que de "
    "raison. Autres choix : drop-rows, drop-columns, median.",
    "clean": "Rien d’inhabituel dans les données.",
    # facts
    "fact.constant": "Constantes, donc écartées : {names}.",
    "fact.few_rows": "Il n’y a que {n} individus : tout ce qui suit est incertain, et les tests ne "
    "voient que de grands effets.",
    "fact.wide": "Il y a plus de colonnes ({p}) que d’individus ({n}) : certaines suivent un axe "
    "par hasard, fiez-vous aux noms qu’une seconde expérience confirme.",
    "fact.heard": "{text}",
    "fact.negative": "Ces distances ne sont pas celles de points d’un espace euclidien : {share} "
    "de l’inertie est négative, aucune carte ne peut la montrer, et les parts des axes dépassent "
    "100 % au total.",
    "failed": "Cette partie n’a pas pu être calculée : {reason}",
    # summary
    "sum.table": "{n} individus décrits par {p} colonnes.",
    "sum.distances": "{n} objets décrits par leurs distances.",
    "sum.graphs": "{n} graphes décrits par leurs voisinages communs.",
    "sum.sequences": "{n} séquences décrites par leurs mots communs.",
    "sum.fit": "{n} individus, sur les axes de {estimator}.",
    "sum.empty": "Il n’y a rien à interpréter : les axes de ce tableau ne sont pas plus grands que "
    "ceux d’un tableau dont les colonnes n’ont aucun lien. Les figures sont là pour le montrer ; "
    "n’y cherchez pas de sens.",
    "sum.bent": "Aucun axe droit ne dépasse le bruit, et pourtant ce n’est pas du bruit : lisez la "
    "carte à noyau.",
    "sum.axes.one": "Un axe dépasse le bruit ; il porte {share} de l’inertie.",
    "sum.axes": "{q} axes dépassent le bruit ; ensemble ils portent {share} de l’inertie.",
    "sum.untested.one": "Un axe mérite d’être lu, d’après la forme du spectre ; il porte {share} "
    "de l’inertie.",
    "sum.untested": "{q} axes méritent d’être lus, d’après la forme du spectre ; ensemble ils "
    "portent {share} de l’inertie.",
    "sum.outliers.none": "Aucun individu ne s’écarte des autres plus que le hasard ne le permet.",
    "sum.outliers.one": "Un individu est à part : {names}.",
    "sum.outliers": "{count} individus sont à part : {names}.",
    # dimension
    "dim.parallel.none": "Le plus grand axe porte {share} de l’inertie ; quand les colonnes sont "
    "mélangées indépendamment, le plus grand en porte autant ({reference} dans un mélange sur "
    "vingt, {p}). Aucun axe ne dépasse le bruit.",
    "dim.parallel.one": "Un axe est plus grand que dans des tableaux aux colonnes mélangées "
    "indépendamment (analyse parallèle au seuil de 5 %).",
    "dim.parallel": "{q} axes sont plus grands que dans des tableaux aux colonnes mélangées "
    "indépendamment (analyse parallèle au seuil de 5 %).",
    "dim.votes": "Les {rules} autres règles gardent de {low} à {high} axes ; le plus souvent "
    "{consensus}. Elles posent d’autres questions (combien est expliqué, où la courbe plie, ce "
    "qu’on saurait prédire) et n’ont pas à s’accorder ; ce rapport lit ce qui dépasse le bruit.",
    "dim.untested": "Sans colonnes à mélanger, il n’y a pas de test contre le bruit. Le nombre "
    "d’axes repose sur la forme du spectre : la plupart des règles en gardent {consensus}.",
    "dim.single": "Il n’y a qu’un axe : rien à choisir.",
    "dim.many": "Les {read} premiers sont décrits ci-dessous ; les autres sont dans les tableaux.",
    # axes
    "axes.none": "Aucun axe ne dépasse le bruit : aucun n’est décrit.",
    "axis.share": "Il porte {share} de l’inertie ({cumulated} avec les axes qui précèdent).",
    "axis.share.first": "Il porte {share} de l’inertie.",
    "axis.noise": "Il est plus grand que le bruit ne le ferait ({p}).",
    "axis.firm": "Il bouge à peine quand on retire les individus au sort (de {angle}° en règle "
    "générale) : on peut le lire avec confiance.",
    "axis.fair": "Il bouge un peu quand on retire les individus au sort (de {angle}° en règle "
    "générale) : ses grands traits tiennent, ses détails peut-être pas.",
    "axis.loose": "Il bouge beaucoup quand on retire les individus au sort (de {angle}° en règle "
    "générale) : ne bâtissez rien sur lui seul.",
    "axis.tied_axes": "Sa valeur propre est trop proche de celle de son voisin : seul leur plan "
    "est déterminé, pas l’axe lui-même.",
    "axis.opposes": "Il oppose {positive} (côté positif) à {negative} (côté négatif).",
    "axis.positive": "Il suit {names}, qui croissent ensemble vers le côté positif.",
    "axis.negative": "Il suit {names}, qui croissent ensemble vers le côté négatif.",
    "axis.tied.one": "Une variable sur {p} a avec lui une corrélation d’au moins 0,5 en valeur "
    "absolue.",
    "axis.tied": "{count} variables sur {p} ont avec lui une corrélation d’au moins 0,5 en valeur "
    "absolue.",
    "axis.group.clear": "Il sépare les groupes de {group} : {low} du côté négatif, {high} du côté "
    "positif. Ils en expliquent {eta2} ({p}, corrigé du nombre de tests).",
    "axis.group.likely": "Il sépare sans doute les groupes de {group} : {low} du côté négatif, "
    "{high} du côté positif. Ils en expliquent {eta2} ({p}, corrigé du nombre de tests).",
    "axis.number": "La variable supplémentaire {name} le suit (r = {r}, {p}).",
    "axis.outside.none": "Aucune colonne supplémentaire, aucun groupe ne le suit.",
    "axis.pull": "{name} fait à lui seul {share} de cet axe.",
    "axis.pull.why": "{name} fait à lui seul {share} de cet axe, par {why}.",
    "axis.half": "La moitié en est due à {half} individus sur {n}.",
    "axis.ends": "Il va de {low} (bout négatif) à {high} (bout positif).",
    "why.high": "{name} élevé ({z} é.-t.)",
    "why.low": "{name} faible ({z} é.-t.)",
    # outliers
    "out.intro": "Un individu est nommé s’il est plus loin que le hasard ne le permet dans un "
    "nuage normal, au seuil de 5 % corrigé du nombre d’individus : le long des axes (un extrême "
    "de ce que font les autres) ou hors d’eux (il fait autre chose). La limite est 1.",
    "out.none": "Aucun individu n’est plus loin que cela.",
    "out.along": "{name} : {x} fois la limite le long des axes.",
    "out.across": "{name} : {x} fois la limite hors des axes.",
    "out.both": "{name} : {x} fois la limite le long des axes, {y} fois hors d’eux.",
    "out.why": "Surtout {why}.",
    "out.more": "{count} autres sont dans le tableau.",
    # stability
    "sta.intro": "L’analyse a été refaite sur {count} échantillons d’individus tirés avec remise. "
    "L’angle dit de combien un axe tourne d’un échantillon à l’autre.",
    "sta.firm.one": "Le premier axe garde sa direction.",
    "sta.firm": "Les {count} premiers axes gardent leur direction.",
    "sta.none": "Aucun axe ne garde assez sa direction pour être lu seul.",
    "sta.unidentified": "Les axes {axes} ont des valeurs propres plus proches que leurs erreurs "
    "d’échantillonnage : ils peuvent s’échanger ou tourner l’un vers l’autre, seul l’espace qu’ils "
    "engendrent a un sens.",
    "sta.bias": "Tirer deux fois un individu fait paraître le tableau plus ordonné qu’il n’est : "
    "les valeurs propres des échantillons dépassent celles du tableau ; comparez leur dispersion, "
    "pas leur niveau.",
    "sta.ellipses": "Chaque ellipse contient un individu dans 95 % des échantillons.",
    # linearity
    "lin.for": "Il y a des indices que des axes droits ne suffisent pas : les axes {j} et {k}, "
    "bien que non corrélés, dépendent l’un de l’autre ({p}, test de permutation sur {n} "
    "individus). Le nuage est courbe, creux ou en paquets.",
    "lin.weak": "Il y a de faibles indices que des axes droits ne suffisent pas : les axes {j} et "
    "{k} dépendent peut-être l’un de l’autre ({p}, test de permutation sur {n} individus).",
    "lin.against": "Rien n’indique que des axes droits ne suffisent pas : connaître un axe "
    "n’apprend rien sur un autre ({p}, test de permutation sur {n} individus).",
    "lin.power": "Avec si peu d’individus, seule une forte courbure se verrait.",
    "lin.kernel": "À côté, l’ACP à noyau gaussien d’échelle {scale} sur les colonnes normées "
    "(règle de la médiane){approximate}.",
    "lin.kernel.other": "À côté, l’ACP à noyau {kernel} sur les colonnes normées{approximate}.",
    "lin.approximate": ", calculée à partir de {rank} repères",
    "lin.agree": "Les deux premiers axes disent la même chose (corrélation {t} après rotation).",
    "lin.near": "Les deux premiers axes se ressemblent (corrélation {t} après rotation).",
    "lin.differ": "Les deux premiers axes diffèrent (corrélation {t} après rotation).",
    "lin.group": "{group} explique {kernel} d’un axe à noyau (axe {kaxis}), contre {pca} d’un axe "
    "principal (axe {paxis}).",
    # figures
    "fig.scree": "Inertie de chaque axe, et ce que donnerait le bruit",
    "fig.scree.plain": "Inertie de chaque axe",
    "fig.scree.alt": "Diagramme de la part d’inertie des {count} premiers axes ; le premier en "
    "porte {share}.",
    "fig.individuals": "Les individus sur les axes {j} et {k}",
    "fig.objects": "Les objets sur les axes {j} et {k}",
    "fig.individuals.alt": "Nuage de {n} points sur les axes {j} et {k}, qui portent {share} de "
    "l’inertie.",
    "fig.variables": "Les variables sur les axes {j} et {k}",
    "fig.variables.alt": "Flèches des variables dans le cercle des corrélations des axes {j} et "
    "{k}.",
    "fig.contributions": "Ce qui fait l’axe {k}",
    "fig.contributions.rows": "Contributions à l’axe {k}",
    "fig.contributions.alt": "Diagramme des plus grandes contributions à l’axe {k} ; la plus "
    "grande est {name}.",
    "fig.stability": "Où tombent les individus quand l’échantillon change",
    "fig.stability.alt": "La carte des axes 1 et 2 avec une ellipse autour de chaque point.",
    "fig.kernel": "ACP à noyau des mêmes individus",
    "fig.kernel.alt": "Nuage de {n} points sur les deux premiers axes de l’ACP à noyau.",
    "fig.pca": "ACP",
    "fig.shepard": "Distances sur la carte et distances données",
    "fig.shepard.alt": "Distances sur la carte en fonction des distances données ; les points "
    "proches de la droite sont bien représentés.",
    # tables
    "tab.rules": "Les règles",
    "tab.eigenvalues": "Valeurs propres",
    "tab.individuals": "Individus",
    "tab.variables": "Variables",
    "tab.categories": "Groupes",
    "tab.supplementary": "Variables supplémentaires",
    "tab.stability": "Stabilité des axes",
    "tab.outliers": "Individus à part",
    "tab.dependence": "Dépendance entre axes",
    "col.label": "nom",
    "col.rule": "règle",
    "col.asks": "ce qu’elle demande",
    "col.q": "axes",
    "col.value": "valeur",
    "col.threshold": "seuil",
    "col.p_value": "p",
    "col.axis": "axe",
    "col.axes": "axes",
    "col.eigenvalue": "valeur propre",
    "col.share": "inertie %",
    "col.cumulated": "cumul %",
    "col.coordinate": "axe {k}",
    "col.correlation": "r {k}",
    "col.cos2": "cos² {k}",
    "col.contribution": "ctr % {k}",
    "col.v_test": "v-test {k}",
    "col.eta2": "η² {k}",
    "col.distance2": "distance²",
    "col.variable": "groupement",
    "col.category": "groupe",
    "col.low": "bas",
    "col.high": "haut",
    "col.angle": "angle °",
    "col.subspace": "espace °",
    "col.identified": "identifié",
    "col.along": "le long",
    "col.across": "hors axes",
    "col.alignment": "alignement",
    "yes": "oui",
    "no": "non",
    "rule.other": "la règle {name} garde {q} axes",
    "rule.other.one": "la règle {name} garde un axe",
    # buttons
    "b.search": "Chercher",
    "b.csv": "Télécharger en CSV",
    "b.more": "Voir plus",
    "b.rows": "{shown} lignes sur {count}",
    "b.copy": "Copier",
    "b.copied": "Copié",
    "b.sort": "Trier selon cette colonne",
}

# What the figures say by themselves, and how to say it here.
FIGURES = (
    (r"^Axis\b", "Axe"),
    (r"^Inertia \(%\)$", "Inertie (%)"),
    (r"^Cumulated inertia \(%\)$", "Inertie cumulée (%)"),
    (r"^cumulated$", "cumul"),
    (r"^active$", "actives"),
    (r"^supplementary$", "supplémentaires"),
    (r"^Contribution to axis (\d+) \(%\)$", r"Contribution à l’axe \1 (%)"),
    (r"^uniform \(", "uniforme ("),
    (r"^equal distances$", "distances égales"),
    (r"^Given distance$", "Distance donnée"),
    (r"^Distance in feature space$", "Distance dans l’espace du noyau"),
    (r"^Distance in the map \((\d+) ax[ei]s\)$", r"Distance sur la carte (\1 axes)"),
    (
        r"^arrows: the (\d+) of (\d+) variables that contribute most to either axis$",
        r"flèches : les \1 variables sur \2 qui contribuent le plus à l’un des deux axes",
    ),
    (
        r"^arrows: the (\d+) of (\d+) variables with the largest cos² in the plane$",
        r"flèches : les \1 variables sur \2 de plus grand cos² dans le plan",
    ),
    (r"^the (\d+) largest of (\d+)$", r"les \1 plus grandes sur \2"),
    (r"^(.*) pairs, correlation (.*)$", r"\1 paires, corrélation \2"),
)
