"""Pure rules of the language: what a snippet may say, how it is rewritten and metered.

`program` makes code of a text, `execute` runs that on the names of a session, `explain` says what went wrong.

    What a text may say
        check rules names builtin_names attribute_rules private_names pattern_names sayable
        precheck certain toolcalls literals habits copies
    How it is read and written anew
        bindings build rewrite guards charging products unpacking
        amounts counters once proofs steady text_globals while_loops
    What is counted while it runs
        meter polled charges charged operating counting consumed elements endless
        held_iterators long_ranges membership digits whole
    What it finds in place of Python's own
        hooks builtins_ types_ evaluating given live_names helping facade attached refused_modules
    Attributes, decided by the object
        attributes special storable shared behind formatting named redirecting methods no_methods
        data_objects lent_memory memory_names sparse_places library_methods library_texts
        library_files
    Classes
        classes ownership class_statements class_lines class_tables metaclasses asked_classes
        kinds said_kinds makers set_up annotated field_tables group_names class_answers
    What of Python and of libraries is held back, and put back
        running sinks machine_files patches unchanged defects moved_memory reentered compared_lists
        collected unbound held_subjects held_trees set_up_once bare_states alias_parts plain_order
        asked_members members_let_go array_forms other_names
    What the model is told
        describe leaves frames hints traces places failure_text endings
    Pages and tables about all this
        reference words
"""
