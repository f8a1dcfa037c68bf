"""Replies in the marks of other notations than Markdown, and calls written as tags; each as a person understands it."""

from tests.reply.specimens import Specimen as S

NOTED = [
    S("toml code", 'thought = "compute"\ncode = """\nx = 2\nprint(x * 21)\n"""', code="x = 2\nprint(x * 21)"),
    S("self closing", 'I will look it up.\n\n<search query="x"/>', code="search(query='x')"),
    S("entity in string", '```python\nprint("a &amp; b")\n```', code='print("a &amp; b")'),
    S(
        "prompts >>> before string lines",
        '```python\n>>> t = """one\n>>> two"""\n>>> print(t)\n```',
        code='t = """one\ntwo"""\nprint(t)',
    ),
    S("json cut in word", '{"thought": "compute", "code": "x = 2\\nprin', asked=True),
    S("json cut in word 2", '```json\n{"code": "total = sum(valu', asked=True),
    S("yaml folded fence", "```yaml\nthought: go\ncode: |\n  x = 2\n  print(x * 21)\n```", code="x = 2\nprint(x * 21)"),
    S(
        "rst directive",
        "Let me compute.\n\n.. code-block:: python\n\n    x = 2\n    print(x * 21)\n",
        code="x = 2\nprint(x * 21)",
    ),
    S(
        "org lower",
        "Plan: go.\n#+begin_src python :results output\nx = 2\nprint(x * 21)\n#+end_src\n#+RESULTS:\n: 42",
        code="x = 2\nprint(x * 21)",
    ),
    S("script tag", '<script type="text/python">\nx = 2\nprint(x * 21)\n</script>', code="x = 2\nprint(x * 21)"),
    S("bbcode", "[code=python]\nx = 2\nprint(x * 21)\n[/code]", code="x = 2\nprint(x * 21)"),
    S(
        "confluence noformat",
        "Running this:\n{code:language=python}\nx = 2\nprint(x * 21)\n{code}\n",
        code="x = 2\nprint(x * 21)",
    ),
    S(
        "highlight liquid",
        "{% highlight python %}\nx = 2\nprint(x * 21)\n{% endhighlight %}",
        code="x = 2\nprint(x * 21)",
    ),
    S("python-exec", "```python-exec\nx = 2\nprint(x * 21)\n```", code="x = 2\nprint(x * 21)"),
    S("numbered lines", "```python\n1 | x = 2\n2 | print(x * 21)\n```", code="x = 2\nprint(x * 21)"),
    S("numbered lines 2", "```python\n1: x = 2\n2: print(x * 21)\n```", code="x = 2\nprint(x * 21)"),
    S("diff plus lines", "```python\n+x = 2\n+print(x * 21)\n```", code="x = 2\nprint(x * 21)"),
    S("ipython shell bang", "```python\n!pip install numpy\nx = 2\nprint(x * 21)\n```", code="x = 2\nprint(x * 21)"),
    S(
        "executableCode",
        '{"executableCode": {"language": "PYTHON", "code": "x = 2\\nprint(x * 21)"}}',
        code="x = 2\nprint(x * 21)",
    ),
    S(
        "llama tool json semicolon",
        '{"name": "search", "parameters": {"query": "a"}}; {"name": "search", "parameters": {"query": "b"}}',
        code="search(query='a')\nsearch(query='b')",
    ),
    S("python_tag dot", '<|python_tag|>search.call(query="a")', code='search(query="a")'),
    S("functools prefix", 'functools[{"name": "search", "arguments": {"query": "a"}}]', code="search(query='a')"),
    S("xml children", "<search>\n<query>a</query>\n</search>", code="search(query='a')"),
    S("xml tool with name", '<tool name="search">\n<query>a</query>\n</tool>', code="search(query='a')"),
    S("escaped newlines", "```python\\nx = 2\\nprint(x * 21)\\n```", code="x = 2\nprint(x * 21)"),
    S("json escaped fence", '"```python\\nx = 2\\nprint(x * 21)\\n```"', code="x = 2\nprint(x * 21)"),
    S("full width marks", "｀｀｀python\nx = 2\nprint(x * 21)\n｀｀｀", code="x = 2\nprint(x * 21)"),
    S(
        "answer with sql",
        "Here is the query you asked for:\n\n```sql\nSELECT 1;\n```",
        answer="Here is the query you asked for:\n\n```sql\nSELECT 1;\n```",
    ),
    S("self closing html", "First line.<br/>Second line.", answer="First line.<br/>Second line."),
    S(
        "mistral list",
        'Let me look.[TOOL_CALLS][{"name": "search", "arguments": {"query": "x"}}]</s>',
        code="search(query='x')",
    ),
    S(
        "mistral list 2",
        '[TOOL_CALLS] [{"name": "search", "arguments": {"query": "x"}, "id": "a1"}, {"name": "search", "arguments": {"query": "y"}}]',
        code="search(query='x')\n\nsearch(query='y')",
    ),
    S(
        "react observed",
        "Thought: compute\nAction: python\nAction Input: x = 2\nprint(x * 21)\nObservation: 42\nFinal Answer: 42",
        code="x = 2\nprint(x * 21)",
    ),
    S("react observed call", "Action: python\nAction Input: final_answer(3)\nObservation: 3", code="final_answer(3)"),
    S(
        "react next thought",
        "Action: python\nAction Input: x = 2\nprint(x * 21)\n\nThought: I know\nFinal Answer: 42",
        code="x = 2\nprint(x * 21)",
    ),
    S(
        "react observation in a string",
        'Action Input: print("""\nObservation: 3\n""")',
        code='print("""\nObservation: 3\n""")',
    ),
    S("two ticks", "``final_answer(3)``", code="final_answer(3)"),
    S("ticks around lines", "`x = 2\nprint(x * 21)`", code="x = 2\nprint(x * 21)"),
    S("xml cut", '<tool_call>\n{"name": "run_python", "arguments": {"code": "x = 2\\npri', asked=True),
]
