"""Skills: what worked becomes a function, proves itself, and is called again.

`library` is the door, `record` what comes through it, `options` what may be said to it.

    From a run to a function
        promote slice facts changes purity methods known learning sharing scope
        join answering quotes literals hints generalise naming wording talk wrapping
    The gate
        verify recording encoding secrets admit unify swapping meaning
    The shelf
        shelf store layout damaged frontmatter check share usage
    Found again
        search index tables cards fit terms inflection lexicon vectors
"""
