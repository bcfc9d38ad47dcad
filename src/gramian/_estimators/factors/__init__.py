"""Factor methods: tables of counts, of categories, of both with numbers, in groups."""
