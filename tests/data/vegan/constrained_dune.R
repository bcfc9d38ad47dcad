suppressMessages(library(vegan))
js <- function(x) { # tiny json
  if (is.null(x)) return("null")
  if (is.list(x)) return(paste0("{", paste(sprintf('"%s": %s', names(x), sapply(x, js)), collapse=", "), "}"))
  v <- sapply(x, function(e) if (is.character(e)) sprintf('"%s"', e) else if (is.na(e)) "null" else sprintf("%.15g", e))
  paste0("[", paste(v, collapse=", "), "]")
}
T <- read.csv("tests/data/factor_methods/data/dune_tests.csv", row.names=1)
sp <- T[,1:30]; env <- T[,31:33]; env$Management <- factor(env$Management); env$Moisture <- factor(env$Moisture)
one <- function(m) {
  a <- list(eig=as.vector(m$CCA$eig), tot=m$tot.chi, con=m$CCA$tot.chi, rest=m$CA$tot.chi, cond=if (is.null(m$pCCA)) 0 else m$pCCA$tot.chi,
    r2adj=RsquareAdj(m)$adj.r.squared, r2=RsquareAdj(m)$r.squared, rest_eig=as.vector(m$CA$eig))
  t <- anova(m, by="terms", permutations=19); a$terms_F <- head(t$F,-1); a$terms_SS <- head(t[[2]],-1); a$terms_df <- head(t$Df,-1)
  t <- anova(m, by="margin", permutations=19); a$margin_F <- head(t$F,-1)
  a$axis_F <- tryCatch(head(anova(m, by="axis", permutations=19)$F,-1), error=function(e) NA)
  t <- anova(m, permutations=19); a$model_F <- t$F[1]
  a }
out <- list(
 rda=one(rda(sp ~ Management + A1, env)),
 rda_scaled=one(rda(sp ~ Management + A1, env, scale=TRUE)),
 rda_partial=one(rda(sp ~ A1 + Condition(Management), env)),
 cca=one(cca(sp ~ Management + A1, env)),
 cca_partial=one(cca(sp ~ A1 + Condition(Management), env)),
 dbrda_bray=one(dbrda(sp ~ Management + A1, env, distance="bray")),
 dbrda_interaction=one(dbrda(sp ~ Management * A1, env, distance="bray")),
 dbrda_hellinger=one(rda(decostand(sp,"hellinger") ~ Moisture, env)))
m <- rda(sp ~ Management + A1, env); lc <- m$CCA$u; out$rda$lc <- as.vector(t(lc))
m <- cca(sp ~ Management + A1, env); out$cca$lc <- as.vector(t(m$CCA$u))
data(varespec)
w <- function(n) as.vector(vegdist(varespec[1:10,], n))
out$varespec10 <- list(hellinger=as.vector(dist(decostand(varespec[1:10,],"hellinger"))), chord=as.vector(dist(decostand(varespec[1:10,],"norm"))),
  logchord=as.vector(dist(decostand(log1p(varespec[1:10,]),"norm"))), profiles=as.vector(dist(decostand(varespec[1:10,],"total"))), bray=w("bray"))
# p-values: level comparison
set.seed(1); a <- adonis2(sp ~ Management + A1, env, permutations=9999, method="bray"); out$adonis_p <- head(a[["Pr(>F)"]],2)
a <- adonis2(sp ~ Management + A1, env, permutations=9999, method="bray", by="margin"); out$adonis_margin_p <- head(a[["Pr(>F)"]],2)
a <- adonis2(sp ~ A1, env, permutations=9999, method="bray", strata=env$Management); out$adonis_strata_p <- a[["Pr(>F)"]][1]
out$betadisper_p <- permutest(betadisper(vegdist(sp), env$Management), permutations=9999)$tab[1,6]
out$anova_rda_axis_p <- head(anova(rda(sp ~ Management + A1, env), by="axis", permutations=9999)[["Pr(>F)"]],-1)
cat(js(out), file="tests/data/vegan/constrained_dune.json"); cat("ok\n")
