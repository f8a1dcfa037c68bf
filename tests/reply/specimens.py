"""Replies as models send them, each with what a person would understand.

`GENERATED` crosses every form in which code arrives with every content that is hard to carry; `WRITTEN` holds single
specimens. Understood: `code` to run, an `answer`, or `asked` where the reply can only be asked back.
"""

import html
import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Specimen:
    """One reply and its meaning."""

    name: str
    text: str
    code: str | None = None
    answer: str | None = None
    asked: bool = False
    calls: tuple[str, ...] = ()
    truncated: bool = False


# ------------------------------------------------------------------------------------------------ contents
CONTENTS = {
    "one_line": "print(6 * 7)",
    "answer_call": "total = sum(prices.values())\nfinal_answer(total)",
    "comparison": "kept = [x for x in rows if x['price'] < 10 and x['price'] > 2]\nprint(len(kept), 1 < 2)",
    "function": 'def area(r: float) -> float:\n    """Area of a circle."""\n\n    return 3.14159 * r**2\n\n\nprint(area(2))',
    "fence_in_string": 'page = """\n# Title\n```bash\nls -la\n```\n"""\nprint(page.count("```"))',
    "tag_in_string": "text = 'a <b>bold</b> word & more'\nprint(text.replace('<b>', '').replace('</b>', ''))",
    "observation_in_string": 'log = """start\nObservation: 12\nOutput: none\nend"""\nprint(log.count("Observation:"))',
    "json_in_string": 'import json\nrow = json.loads(\'{"code": "X1", "n": 2}\')\nprint(row["code"])',
    "escapes": "print('tab\\tand\\nline', \"it's\", r'\\d+')",
    "await": "a, b = await asyncio.gather(rate.aio('EUR'), rate.aio('USD'))\nprint(a + b)",
    "class": "class Point:\n    x: int = 0\n\n    def move(self, by):\n        self.x += by\n        return self\n\n\nPoint().move(3).x",
    "comment_only_end": "x = [1, 2, 3]  # three\n# now show them\nprint(*x)\n# done",
    "unicode": "greeting = 'Grüße, 世界 – “ok”'\nprint(greeting)",
    "blank_lines": "import math\n\n\nvalue = math.pi\n\n\nfor i in range(3):\n\n    print(i, value)\n",
    "triple_single": "q = '''select *\nfrom t\nwhere a < 3'''\nprint(q)",
}  # fmt: skip


# --------------------------------------------------------------------------------------------------- forms
def _json(code, **more):
    return json.dumps({**more, "code": code})


def indented(code, spaces):
    return "\n".join(" " * spaces + line if line.strip() else line for line in code.split("\n"))


FORMS = {
    "fence_python": lambda c: f"```python\n{c}\n```",
    "fence_py": lambda c: f"Thought: I should compute this.\n\n```py\n{c}\n```<end_code>",
    "fence_capital": lambda c: f"Let me do that.\n```Python\n{c}\n```\n",
    "fence_bare": lambda c: f"I run:\n\n```\n{c}\n```",
    "fence_tilde": lambda c: f"~~~python\n{c}\n~~~",
    "fence_four": lambda c: f"````python\n{c}\n````",
    "fence_attributes": lambda c: f'```python title="step.py" linenums="1"\n{c}\n```',
    "fence_tool_code": lambda c: f"```tool_code\n{c}\n```",
    "fence_in_list": lambda c: "1. First compute:\n\n   ```python\n" + indented(c, 3) + "\n   ```",
    "fence_unclosed": lambda c: f"Computing now.\n```python\n{c}",
    "fence_windows": lambda c: f"```python\r\n{c}\r\n```\r\n".replace("\r\n", "\n").replace("\n", "\r\n"),
    "tag_execute": lambda c: f"<execute_python>\n{c}\n</execute_python>",
    "tag_code": lambda c: f"I will look.\n<code>\n{c}\n</code>",
    "tag_unclosed": lambda c: f"<execute_python>\n{c}",
    "tag_with_fence": lambda c: f"<code>\n```python\n{c}\n```\n</code>",
    "tag_one_line_open": lambda c: f"<execute_python>{c}</execute_python>",
    "json_object": _json,
    "json_thought": lambda c: _json(c, thought="I need the value first."),
    "json_fence": lambda c: f"Here is my action:\n```json\n{json.dumps({'code': c}, indent=2)}\n```",
    "json_call": lambda c: json.dumps({"name": "run_python", "arguments": {"code": c}}),
    "json_call_string": lambda c: json.dumps({"tool_calls": [{"function": {"name": "run_python", "arguments": _json(c)}}]}),
    "hermes": lambda c: f"<tool_call>\n{json.dumps({'name': 'run_python', 'arguments': {'code': c}})}\n</tool_call>",
    "qwen_coder": lambda c: f"<tool_call>\n<function=run_python>\n<parameter=code>\n{c}\n</parameter>\n</function>\n</tool_call>",
    "thinking": lambda c: f"<think>\nMaybe ```python\nprint('draft')\n``` would do?\n</think>\n\n```python\n{c}\n```",
    "thought_closed_only": lambda c: f"I could draft\n```python\nprint('draft')\n```\n</think>\n```python\n{c}\n```",
    "invented_observation": lambda c: f"```python\n{c}\n```\n\nObservation: 42\n\n```python\nfinal_answer(42)\n```",
    "invented_output": lambda c: f"```python\n{c}\n```\n\nOutput:\n```\n42\n```\nThe answer is 42.",
    "prose_after": lambda c: f"```python\n{c}\n```\n\nThis prints what we need; I will then go on.",
    "with_bash": lambda c: f"First install:\n```bash\npip install pandas\n```\nthen\n```python\n{c}\n```",
    "with_json_data": lambda c: f'The input is\n```json\n{{"prices": [1, 2]}}\n```\nso\n```python\n{c}\n```',
    "escaped": lambda c: f"<execute_python>\n{html.escape(c)}\n</execute_python>",
    "special_tokens": lambda c: f"```python\n{c}\n```<|im_end|>",
    "python_tag": lambda c: f"<|python_tag|>{c}<|eom_id|>",
    "label": lambda c: f"Thought: compute.\nCode:\n{c}",
}  # fmt: skip

# what a form cannot carry, and why
IMPOSSIBLE = {
    ("escaped", "escapes"): "the code parses both ways: \\&quot; could be meant",
}


def _generated():
    for form, carry in FORMS.items():
        for content, code in CONTENTS.items():
            if (form, content) not in IMPOSSIBLE:
                yield Specimen(f"{form}-{content}", carry(code), code=code)


GENERATED = list(_generated())

# ------------------------------------------------------------------------------------------- single specimens
S = Specimen
WRITTEN = [
    # answers
    S("plain answer", "The total is 42.", answer="The total is 42."),
    S("number", "42", answer="42"),
    S("final answer label", "Final Answer: 42", answer="42"),
    S("thought then final answer", "Thought: I now know.\nFinal Answer: 42 EUR", answer="42 EUR"),
    S("bold final answer", "**Final answer:** Paris", answer="Paris"),
    S("heading final answer", "### Final Answer\n\nParis", answer="Paris"),
    S("answer label first", "Answer: 7", answer="7"),
    S("answer tag", "<think>easy</think><answer>Paris</answer>", answer="Paris"),
    S("final answer tag", "I am done.\n<final_answer>\n12 rows\n</final_answer>", answer="12 rows"),
    S("mentions inline code", "Use `sorted(rows)` to sort them.", answer="Use `sorted(rows)` to sort them."),
    S("mentions call", "The function len(x) gives the length.", answer="The function len(x) gives the length."),
    S("mentions a tag", "Wrap it in <code>len(x)</code> to count.", answer="Wrap it in <code>len(x)</code> to count."),
    S("mentions a fence mark", "A block starts with ```python and ends with ```.",
      answer="A block starts with ```python and ends with ```."),
    S("two line maths", "x = 5\ny = 6 metres", answer="x = 5\ny = 6 metres"),
    S("one assignment", "x = 5", answer="x = 5"),
    S("formula", "sin(x)", answer="sin(x)"),
    S("formula after text", "The derivative is:\nsin(x)", answer="The derivative is:\nsin(x)"),
    S("json data", '{"total": 42, "currency": "EUR"}', answer='{"total": 42, "currency": "EUR"}'),
    S("json data with a code field", '{"code": "EUR", "rate": 1.2}', answer='{"code": "EUR", "rate": 1.2}'),
    S("json list data", "[1, 2, 3]", answer="[1, 2, 3]"),
    S("json fence data", 'Here:\n```json\n{"a": 1}\n```', answer='Here:\n```json\n{"a": 1}\n```'),
    S("table in a bare fence", "Result:\n```\nname  n\na     1\n```", answer="Result:\n```\nname  n\na     1\n```"),
    S("tree in a bare fence", "```\nsrc/\n  a.py\n  b.py\n```", answer="```\nsrc/\n  a.py\n  b.py\n```"),
    S("one number in a bare fence", "The answer:\n```\n42\n```", answer="The answer:\n```\n42\n```"),
    S("bash inside an answer", "Run\n```bash\npip install x\n```\nand you are done.",
      answer="Run\n```bash\npip install x\n```\nand you are done."),
    S("markdown table", "| a | b |\n|---|---|\n| 1 | 2 |", answer="| a | b |\n|---|---|\n| 1 | 2 |"),
    S("yes", "Yes", answer="Yes"),
    S("none", "None", answer="None"),
    S("list of words", "apples, pears", answer="apples, pears"),
    S("thinking then answer", "<think>6*7</think>\n\n42", answer="42"),
    S("end of thought then answer", "6 times 7 is 42\n</think>\n42", answer="42"),
    S("thought tag with code then answer", "<think>```python\nprint(1)\n```</think>It is 1.", answer="It is 1."),
    S("html answer", "<p>42 &lt; 43</p>", answer="<p>42 &lt; 43</p>"),
    S("refusal", "I'm sorry, but I can't help with that.", answer="I'm sorry, but I can't help with that."),
    S("question", "Which column holds the price?", answer="Which column holds the price?"),
    S("arrow", "a -> b", answer="a -> b"),
    S("date", "2024-01-02", answer="2024-01-02"),
    S("url", "https://example.org/a?b=1", answer="https://example.org/a?b=1"),
    S("quote", '"Forty-two"', answer='"Forty-two"'),
    S("numbered list", "1. apples\n2. pears", answer="1. apples\n2. pears"),
    S("special token after answer", "42<|eot_id|>", answer="42"),
    S("harmony final", "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>42<|return|>",
      answer="42"),
    # several blocks
    S("two blocks", "```python\na = 1\n```\nthen\n```python\nprint(a)\n```", code="a = 1\n\nprint(a)"),
    S("three blocks with prose", "One:\n```py\na = 1\n```\nTwo:\n```py\nb = 2\n```\nThree:\n```py\nprint(a + b)\n```",
      code="a = 1\nb = 2\nprint(a + b)"),
    S("the same block twice", "```python\nsend(1)\n```\nThat is:\n```python\nsend(1)\n```", code="send(1)"),
    S("a block repeated and continued", "```python\na = f()\n```\nIn full:\n```python\na = f()\nprint(a)\n```",
      code="a = f()\nprint(a)"),
    S("two tags", "<execute_python>\na = 1\n</execute_python>\n<execute_python>\nprint(a)\n</execute_python>",
      code="a = 1\nprint(a)"),
    S("fence then tag", "```python\na = 1\n```\n<code>\nprint(a)\n</code>", code="a = 1\nprint(a)"),
    S("last block unclosed", "```python\na = 1\n```\n```python\nprint(a)", code="a = 1\nprint(a)"),
    S("first block never closed", "```python\na = 1\n\nNow show it:\n```python\nprint(a)\n```", code="a = 1\nprint(a)"),
    S("glued fences", "```python\na = 1\n```\n```python\nprint(a)\n```", code="a = 1\nprint(a)"),
    S("output fence between", "```python\nprint(1)\n```\n```output\n1\n```\n```python\nprint(2)\n```", code="print(1)"),
    S("bash after python", "```python\nprint(1)\n```\n```bash\nls\n```", code="print(1)"),
    S("javascript beside", "```javascript\nconsole.log(1)\n```\n```python\nprint(1)\n```", code="print(1)"),
    S("sql beside", "```sql\nselect 1\n```\n```python\nprint(query('select 1'))\n```", code="print(query('select 1'))"),
    S("yaml then bare python", "```yaml\na: 1\n```\n```\nprint(1)\n```", code="print(1)"),
    # invented
    S("observation line", "```python\nprint(1)\n```\nObservation: 1\nFinal Answer: 1", code="print(1)"),
    S("bold observation", "```python\nprint(1)\n```\n**Observation:** 1\n```python\nprint(2)\n```", code="print(1)"),
    S("heading output", "```python\nprint(1)\n```\n### Output\n1\n```python\nprint(2)\n```", code="print(1)"),
    S("observation tag", "```python\nprint(1)\n```\n<observation>1</observation>\n```python\nprint(2)\n```", code="print(1)"),
    S("execution result tag", "<execute_python>\nprint(1)\n</execute_python>\n<execution_result>\n1\n</execution_result>\n42",
      code="print(1)"),
    S("invented user turn", "```python\nprint(1)\n```\nUser: Observation 1\nAssistant:\n```python\nprint(2)\n```", code="print(1)"),
    S("unclosed then observation", "```python\nprint(1)\n\nObservation: 1", code="print(1)"),
    S("unclosed then prose", "```python\nprint(1)\n\nThis prints one, as wanted.", code="print(1)"),
    S("unclosed tag then observation", "<execute_python>\nprint(1)\nObservation: 1\nThe answer is 1.", code="print(1)"),
    S("final answer after code", "```python\nprint(1)\n```\nFinal Answer: 1", code="print(1)"),
    S("observation before the code", "Observation: the file has 3 rows.\n```python\nprint(3)\n```", code="print(3)"),
    S("react without code", "Thought: search\nAction: search[rates]\nObservation: 1.08\nFinal Answer: 1.08", asked=True),
    S("execution logs", "```py\nprint(1)\n```\nExecution logs:\n1\nLast output from code snippet:\nNone\n```py\nprint(2)\n```",
      code="print(1)"),
    S("out prompt", "```python\n1 + 1\n```\nOut[1]: 2\n```python\nf(2)\n```", code="1 + 1"),
    S("chat template user", "```python\nprint(1)\n```<|im_end|>\n<|im_start|>user\n1<|im_end|>\n<|im_start|>assistant\n```python\nprint(2)\n```",
      code="print(1)"),
    S("inst marker", "```python\nprint(1)\n```\n[INST] 1 [/INST]\n```python\nprint(2)\n```", code="print(1)"),
    S("text fence as output", "```python\nprint(1)\n```\n```text\n1\n```\nSo:\n```python\nfinal_answer(1)\n```", code="print(1)"),
    # slips
    S("smart quotes", "```python\nprint(\u201chello\u201d, \u2018x\u2019)\n```", code="print(\"hello\", 'x')"),
    S("smart quotes that are data", "```python\nprint('\u201chello\u201d')\n```", code="print('\u201chello\u201d')"),
    S("no-break spaces", "```python\nif\u00a0True:\n\u00a0\u00a0\u00a0\u00a0print(1)\n```", code="if True:\n    print(1)"),
    S("zero-width space", "```python\n\u200bprint(1)\n```", code="print(1)"),
    S("byte order mark", "\ufeff```python\nprint(1)\n```", code="print(1)"),
    S("prompts", "```python\n>>> a = 1\n>>> for i in range(2):\n...     print(i)\n...\n0\n1\n>>> a\n1\n```",
      code="a = 1\nfor i in range(2):\n    print(i)\na"),
    S("prompts in a bare fence", "```\n>>> print(1)\n1\n```", code="print(1)"),
    S("pycon", "```pycon\n>>> print(1)\n1\n```", code="print(1)"),
    S("ipython prompts", "```python\nIn [1]: a = 1\nIn [2]: print(a)\n1\n```", code="a = 1\nprint(a)"),
    S("prompts without a fence", ">>> print(1)\n1", code="print(1)"),
    S("escaped that parses", "```python\nx = a &lt; b\nprint(x)\n```", code="x = a < b\nprint(x)"),
    S("escaped ampersands", "```python\nif a &amp; b and a &gt; 1:\n    print(&quot;x&quot;)\n```",
      code='if a & b and a > 1:\n    print("x")'),
    S("escaped tags", "&lt;execute_python&gt;\nprint(1)\n&lt;/execute_python&gt;", code="print(1)"),
    S("entity that is data", "```python\nprint('a &lt; b')\n```", code="print('a &lt; b')"),
    S("indented whole", "```python\n    a = 1\n    print(a)\n```", code="a = 1\nprint(a)"),
    S("first line indented", "```python\n a = 1\nprint(a)\n```", code="a = 1\nprint(a)"),
    S("magic", "```python\n%matplotlib inline\nprint(1)\n```", code="print(1)"),
    S("full-width brackets", "```python\nprint\uff081\uff0c 2\uff09\n```", code="print(1, 2)"),
    S("blockquote", "> ```python\n> a = 1\n> print(a)\n> ```", code="a = 1\nprint(a)"),
    S("code on the fence's line", "```python print(1)\nprint(2)\n```", code="print(1)\nprint(2)"),
    S("one-line fence", "```python print(1)```", code="print(1)"),
    S("fence in a sentence", "Run: ```python\nprint(1)\n```", code="print(1)"),
    S("closing mark after code", "```python\nprint(1)```", code="print(1)"),
    S("quarto", "```{python}\nprint(1)\n```", code="print(1)"),
    S("a syntax error is the model's", "```python\nprint(1\n```", code="print(1"),
    S("a syntax error in a bare fence", "```\nfor i in range(3)\n    print(i)\n```", code="for i in range(3)\n    print(i)"),
    S("a syntax error in a tag", "<execute_python>\nx = = 1\n</execute_python>", code="x = = 1"),
    S("wrong closing tag", "<execute_python>\nprint(1)\n</code>", code="print(1)"),
    S("attributes on the tag", '<execute_python id="1">\nprint(1)\n</execute_python>', code="print(1)"),
    S("cdata", "<execute_python><![CDATA[\nprint(1 < 2)\n]]></execute_python>", code="print(1 < 2)"),
    S("capital tag", "<EXECUTE_PYTHON>\nprint(1)\n</EXECUTE_PYTHON>", code="print(1)"),
    S("code tag on its own line", "<code>final_answer(42)</code>", code="final_answer(42)"),
    S("python tag", "<python>\nprint(1)\n</python>", code="print(1)"),
    S("runner called in python", '```python\nrun_python(code="print(1)")\n```', code="print(1)"),
    S("runner called in text", 'run_python("""\nprint(1)\nprint(2)\n""")', code="print(1)\nprint(2)"),
    S("think inside a string", "```python\nt = '<think>x</think>'\nprint(t)\n```", code="t = '<think>x</think>'\nprint(t)"),
    # unmarked
    S("bare code", "import math\nprint(math.pi)", code="import math\nprint(math.pi)"),
    S("bare answer call", "final_answer(42)", code="final_answer(42)"),
    S("bare tool call", "exchange_rate('EUR', 'USD')", code="exchange_rate('EUR', 'USD')"),
    S("bare assignment of a call", "rate = exchange_rate('EUR', 'USD')", code="rate = exchange_rate('EUR', 'USD')"),
    S("prose then bare code", "I will compute it.\n\nx = 6 * 7\nprint(x)", code="x = 6 * 7\nprint(x)"),
    S("bare code then observation", "print(6 * 7)\nObservation: 42\nFinal Answer: 42", code="print(6 * 7)"),
    S("action label", "Thought: go\nAction: python\nAction Input: print(1)", code="print(1)"),
    # JSON and calls
    S("json with real line ends", '{"code": "a = 1\nprint(a)"}', code="a = 1\nprint(a)"),
    S("json cut", '{"thought": "x", "code": "print(1)\\nprint(2)', code="print(1)\nprint(2)"),
    S("json code as lines", '{"code": ["a = 1", "print(a)"]}', code="a = 1\nprint(a)"),
    S("json after prose", 'I run this:\n{"code": "print(1)"}', code="print(1)"),
    S("json holding a fence", json.dumps({"code": "```python\nprint(1)\n```"}), code="print(1)"),
    S("json action", '{"thought": "x", "action": "run_python", "action_input": "print(1)"}', code="print(1)"),
    S("json action object", '{"action": "run_python", "action_input": {"code": "print(1)"}}', code="print(1)"),
    S("json list of calls", '[{"name": "run_python", "arguments": {"code": "a = 1"}}, '
      '{"name": "run_python", "arguments": {"code": "print(a)"}}]', code="a = 1\nprint(a)"),
    S("json lines of calls", '{"code": "a = 1"}\n{"code": "print(a)"}', code="a = 1\nprint(a)"),
    S("call of a tool as json", '{"name": "exchange_rate", "arguments": {"base": "EUR", "quote": "USD"}}',
      code="exchange_rate(base='EUR', quote='USD')"),
    S("final answer as json call", '{"name": "final_answer", "arguments": {"answer": 42}}', code="final_answer(42)"),
    S("invoke form", '<invoke name="run_python">\n<parameter name="code">print(1)</parameter>\n</invoke>', code="print(1)"),
    S("function calls form", '<function_calls>\n<invoke name="run_python">\n<parameter name="code">print(1 < 2)</parameter>\n'
      "</invoke>\n</function_calls>", code="print(1 < 2)"),
    S("tool call unclosed", '<tool_call>\n{"name": "run_python", "arguments": {"code": "print(1)"}}', code="print(1)"),
    S("native call", "", code="print(1)", calls=("print(1)",)),
    S("native call with prose", "Let me see.", code="print(1)", calls=("print(1)",)),
    S("parallel native calls", "", code="a = 1\nprint(a)", calls=("a = 1", "print(a)")),
    S("the same native call twice", "", code="send(1)", calls=("send(1)", "send(1)")),
    S("native call with a fence inside", "", code="print(1)", calls=("```python\nprint(1)\n```",)),
    S("native call cut", "", asked=True, calls=("print(1",), truncated=True),
    S("native call cut where it parses", "", asked=True, calls=("a = 1\nresul",), truncated=True),
    # cut by length
    S("cut inside code", "```python\na = 1\nprint(a", asked=True, truncated=True),
    S("cut inside code that parses", "```python\na = 1\n", asked=True, truncated=True),
    S("cut after code", "```python\nprint(1)\n```\nThis will sh", code="print(1)", truncated=True),
    S("cut inside an answer", "The total of all the", asked=True, truncated=True),
    S("cut inside thoughts", "<think>Let me see, perhaps I", asked=True, truncated=True),
    # nothing to act on
    S("empty", "", asked=True),
    S("white space", " \n\n ", asked=True),
    S("only thoughts", "<think>hm</think>", asked=True),
    S("empty fence", "```python\n```", asked=True),
    S("only bash", "Let me look.\n```bash\nls -la\n```", asked=True),
    S("sql after a plan", "First I need to see what is in there, so next:\n```sql\nselect * from orders\n```", asked=True),
    S("sql as the answer", "The query that gives you the totals by month is:\n\n```sql\nselect month, sum(n) from t\n```",
      answer="The query that gives you the totals by month is:\n\n```sql\nselect month, sum(n) from t\n```"),
    S("bash as the answer", "You can install it with this command:\n```bash\npip install codeact\n```",
      answer="You can install it with this command:\n```bash\npip install codeact\n```"),
    S("only sql", "```sql\nselect * from orders\n```", asked=True),
]  # fmt: skip

ALL = [*GENERATED, *WRITTEN]
