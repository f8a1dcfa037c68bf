"""Forms in which code arrives beside those of `specimens.py`: chat templates, agent frameworks, other languages.

Each is crossed with the contents there; `IMPOSSIBLE` names what cannot be told from another meaning.
"""

import html
import json

from tests.reply.specimens import CONTENTS, Specimen, indented

MORE_FORMS = {
    "tilde4": lambda c: f"Let me work it out.\n\n~~~~python\n{c}\n~~~~\n",
    "four_ticks": lambda c: f"Now:\n````python\n{c}\n````",
    "python3": lambda c: f"I'll do it:\n\n```python3\n{c}\n```\nThis should print the result.",
    "ipython": lambda c: f"```ipython\n{c}\n```",
    "python_attrs": lambda c: f'```python title="solve.py" linenums="1"\n{c}\n```',
    "braces": lambda c: "```{python}\n" + c + "\n```",
    "dotbraces": lambda c: "```{.python .numberLines}\n" + c + "\n```",
    "crlf": lambda c: (f"Sure.\n```python\n{c}\n```\n").replace("\n", "\r\n"),
    "zw": lambda c: f"\ufeffOk\u200b:\n\u200b```python\n{c}\n```",
    "quoted": lambda c: (
        "Here is what I run:\n\n" + "\n".join("> " + line for line in f"```python\n{c}\n```".split("\n"))
    ),
    "list_item": lambda c: "1. First I compute it:\n\n" + indented(f"```python\n{c}\n```", 3) + "\n\n2. Then I answer.",
    "code_tag_inline": lambda c: f"<code>{c}</code>",
    "execute": lambda c: f"I'll execute this:\n<execute>\n{c}\n</execute>",
    "python_tag": lambda c: f"<python>\n{c}\n</python>",
    "unclosed_code": lambda c: f"Thought: go\n<code>\n{c}",
    "unclosed_fence": lambda c: f"Go:\n```python\n{c}",
    "unclosed_end_tag": lambda c: f"Go:\n```python\n{c}\n```<end_code>",
    "thought_code": lambda c: f"Thought: I need the total.\nCode:\n```py\n{c}\n```<end_code>",
    "thought_code_bare": lambda c: f"Thought: I need the total.\nCode:\n{c}\n<end_code>",
    "llama_start": lambda c: f"<|start_header_id|>assistant<|end_header_id|>\n\n```python\n{c}\n```<|eot_id|>",
    "hermes_code_interp": lambda c: (
        "I will run it.\n<tool_call>\n" + json.dumps({"arguments": {"code": c}, "name": "python"}) + "\n</tool_call>"
    ),
    "mistral": lambda c: (
        "[TOOL_CALLS]" + json.dumps([{"name": "run_python", "arguments": {"code": c}, "id": "abc123def"}])
    ),
    "mistral_v11": lambda c: "[TOOL_CALLS]run_python[ARGS]" + json.dumps({"code": c}),
    "deepseek": lambda c: (
        "<\uff5ctool▁calls▁begin\uff5c><\uff5ctool▁call▁begin\uff5c>function<\uff5ctool▁sep\uff5c>run_python\n```json\n"
        + json.dumps({"code": c})
        + "\n```<\uff5ctool▁call▁end\uff5c><\uff5ctool▁calls▁end\uff5c>"
    ),
    "deepseek_v31": lambda c: (
        "<\uff5ctool▁calls▁begin\uff5c><\uff5ctool▁call▁begin\uff5c>run_python<\uff5ctool▁sep\uff5c>"
        + json.dumps({"code": c})
        + "<\uff5ctool▁call▁end\uff5c><\uff5ctool▁calls▁end\uff5c>"
    ),
    "kimi": lambda c: (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.run_python:0<|tool_call_argument_begin|>"
        + json.dumps({"code": c})
        + "<|tool_call_end|><|tool_calls_section_end|>"
    ),
    "function_calls_xml": lambda c: (
        f'<function_calls>\n<invoke name="run_python">\n<parameter name="code">{c}</parameter>\n</invoke>\n</function_calls>'
    ),
    "llama_function": lambda c: "<function=run_python>" + json.dumps({"code": c}) + "</function>",
    "json_bare": lambda c: json.dumps({"thought": "go", "code": c}),
    "json_fence": lambda c: "```json\n" + json.dumps({"thoughts": "Let me see", "code": c}, indent=2) + "\n```",
    "json_fence_python": lambda c: (
        "```json\n" + json.dumps({"action": "python", "action_input": c}, indent=1) + "\n```"
    ),
    "json_tool_input": lambda c: json.dumps({"tool": "python", "input": c}),
    "json_openai_func": lambda c: json.dumps(
        {"type": "function", "function": {"name": "run_python", "arguments": json.dumps({"code": c})}}
    ),
    "json_tool_calls": lambda c: json.dumps(
        {
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "run_python", "arguments": json.dumps({"code": c})},
                }
            ]
        }
    ),
    "anthropic_tool_use": lambda c: json.dumps(
        {"type": "tool_use", "id": "toolu_01", "name": "run_python", "input": {"code": c}}
    ),
    "json_array": lambda c: json.dumps([{"name": "run_python", "arguments": {"code": c}}]),
    "json_params": lambda c: json.dumps({"name": "run_python", "parameters": {"code": c}}),
    "action_python": lambda c: f"Thought: let me do it\nAction: python\nAction Input: {c}\n",
    "action_input_fence": lambda c: (
        f"Thought: let me do it\nAction: Python_REPL\nAction Input:\n```python\n{c}\n```\nObservation: 42\nThought: I now know\nFinal Answer: 42"
    ),
    "action_json": lambda c: (
        "Thought: x\nAction:\n```json\n" + json.dumps({"action": "run_python", "action_input": {"code": c}}) + "\n```"
    ),
    "think_then_code": lambda c: (
        f"<think>\nMaybe ```python\nos.remove('x')\n``` no, not that.\n</think>\n\n```python\n{c}\n```"
    ),
    "thinking_then_tag": lambda c: f"<thinking>I could call <code>bad()</code>.</thinking><code>{c}</code>",
    "reasoning_no_open": lambda c: f"I wonder about ```python\nbad()\n```\n</think>\n```python\n{c}\n```",
    "seed_think": lambda c: f"<seed:think>hm</seed:think>\n```python\n{c}\n```",
    "harmony": lambda c: (
        f"<|channel|>analysis<|message|>We need code.<|end|><|start|>assistant<|channel|>commentary to=python <|constrain|>code<|message|>{c}<|call|>"
    ),
    "output_after": lambda c: f"```python\n{c}\n```\n\nOutput:\n```\n42\n```\n\nSo the answer is 42.",
    "observation_after": lambda c: (
        f"```python\n{c}\n```\nObservation: 17\n\nThought: good\n```python\nfinal_answer(17)\n```"
    ),
    "result_after": lambda c: (
        f"<code>\n{c}\n</code>\n<observation>\n17\n</observation>\n<code>\nfinal_answer(17)\n</code>"
    ),
    "exec_output": lambda c: f"```python\n{c}\n```\n```output\n[1,2]\n```\nThe final answer is [1,2].",
    "tool_response": lambda c: (
        "<tool_call>\n"
        + json.dumps({"name": "run_python", "arguments": {"code": c}})
        + "\n</tool_call>\n<tool_response>\n42\n</tool_response>\nThe answer is 42."
    ),
    "user_turn": lambda c: f"```python\n{c}\n```\n\nUser: Output:\n5\n\nAssistant: ```python\nfinal_answer(5)\n```",
    "execution_result": lambda c: (
        f"```python\n{c}\n```\n\n**Execution result:**\n\n```\n5\n```\n\n```python\nfinal_answer(5)\n```"
    ),
    "html_escaped_fence": lambda c: f"```python\n{html.escape(c)}\n```",
    "html_escaped_tag": lambda c: f"<code>\n{html.escape(c, quote=False)}\n</code>",
    "pre_code": lambda c: f'<pre><code class="language-python">{html.escape(c)}</code></pre>',
    "repl": lambda c: (
        "```\n"
        + "\n".join(("... " if (line[:1] in " \t" or not line) else ">>> ") + line for line in c.split("\n"))
        + "\n```"
    ),
    "german": lambda c: (
        f"Zuerst lese ich die Zeilen und summiere die Beträge.\n\n```python\n{c}\n```\n\nDanach melde ich das Ergebnis."
    ),
    "chinese": lambda c: f"思考：我需要先计算总数。\n代码：\n```python\n{c}\n```",
    "russian_code": lambda c: f"Мысль: посчитаем.\nКод:\n```python\n{c}\n```",
    "heading": lambda c: f"## Step 1\n\n**Code**\n\n```python\n{c}\n```\n---\n",
    "lang_own_line": lambda c: f"```\npython\n{c}\n```",
    "fence_same_line": lambda c: f"Here: ```python\n{c}```",
    "no_lang": lambda c: f"I will run\n```\n{c}\n```",
    "notebook": lambda c: "In [1]:\n" + c,
    "indented_after_fence": lambda c: "  ```python\n" + indented(c, 2) + "\n  ```",
    "bare": lambda c: c,
    "boxed_details": lambda c: f"<details><summary>code</summary>\n\n```python\n{c}\n```\n</details>",
    "bash_then_python": lambda c: f"First install:\n```bash\npip install rich\n```\nThen\n```python\n{c}\n```",
    "illustrative_json": lambda c: f'The data looks like\n```json\n{{"kind": "debit"}}\n```\nso\n```python\n{c}\n```',
    "answer_tag_none": lambda c: f"<plan>1. load 2. sum</plan>\n<code>{c}</code>",
    "action_tag": lambda c: f"<action>\n{c}\n</action>",
    "antml": lambda c: f"<run_python>\n<code>{c}</code>\n</run_python>",
    "script_tool": lambda c: f'<tool name="python">\n{c}\n</tool>',
    "gemini": lambda c: "<tool_code>\n" + c + "\n</tool_code>",
    "fence_space": lambda c: f"``` python\n{c}\n```",
    "bom_crlf_tag": lambda c: ("\ufeff<code>\n" + c + "\n</code>").replace("\n", "\r\n"),
    "assistant_prefix": lambda c: f"Assistant: Sure!\n```python\n{c}\n```",
    "gpt_style": lambda c: (
        f"**Step 1 – Retrieve the data**\n\nI'll use the search tool.\n\n```python\n{c}\n```\n\nLet me know if you want more!"
    ),
    "claude_antml": lambda c: (
        f'<function_calls>\n<invoke name="python">\n<parameter name="code">\n{c}\n</parameter>\n</invoke>\n</function_calls>'
    ),
    "gemini_exec": lambda c: f"```tool_code\n{c}\n```\n```tool_outputs\n42\n```\nThe answer is 42.",
    "gemini_json": lambda c: (
        "```json\n" + json.dumps({"functionCall": {"name": "run_python", "args": {"code": c}}}) + "\n```"
    ),
    "openai_func_field": lambda c: json.dumps(
        {"function_call": {"name": "python", "arguments": json.dumps({"code": c})}}
    ),
    "cohere": lambda c: (
        "Action: ```json\n" + json.dumps([{"tool_name": "run_python", "parameters": {"code": c}}]) + "\n```"
    ),
    "langchain_blob": lambda c: (
        "Thought: I should run it\nAction:\n```\n"
        + json.dumps({"action": "python_repl", "action_input": c})
        + "\n```\nObservation: 5"
    ),
    "smol": lambda c: (
        f"Thought: I will do this.\n\nCode:\n```py\n{c}\n```<end_code>\nObservation:\nExecution logs:\n3\n"
    ),
    "openhands": lambda c: f"I'll run it.\n\n<execute_ipython>\n{c}\n</execute_ipython>",
    "swe": lambda c: f"DISCUSSION\nLet me run this.\n\n```\n{c}\n```",
    "granite": lambda c: "<|tool_call|>" + json.dumps([{"name": "run_python", "arguments": {"code": c}}]),
    "phi": lambda c: (
        "<|tool_call|>" + json.dumps([{"name": "run_python", "arguments": {"code": c}}]) + "<|/tool_call|>"
    ),
    "functionary": lambda c: ">>>python\n" + c,
    "internlm": lambda c: "I'll call it.<|action_start|><|interpreter|>\n" + c + "<|action_end|>",
    "glm": lambda c: "<tool_call>run_python\n<arg_key>code</arg_key>\n<arg_value>" + c + "</arg_value>\n</tool_call>",
    "minimax": lambda c: (
        '<minimax:tool_call>\n<invoke name="run_python">\n<parameter name="code">'
        + c
        + "</parameter>\n</invoke>\n</minimax:tool_call>"
    ),
    "xlam": lambda c: json.dumps({"tool_calls": [{"name": "run_python", "arguments": {"code": c}}]}),
    "nemotron": lambda c: "<TOOLCALL>" + json.dumps([{"name": "run_python", "arguments": {"code": c}}]) + "</TOOLCALL>",
    "commandr": lambda c: (
        "<|START_THINKING|>hm<|END_THINKING|><|START_ACTION|>"
        + json.dumps([{"tool_call_id": "0", "tool_name": "run_python", "parameters": {"code": c}}])
        + "<|END_ACTION|>"
    ),
    "gptoss_json": lambda c: (
        "<|channel|>analysis<|message|>think<|end|><|start|>assistant<|channel|>commentary to=functions.run_python <|constrain|>json<|message|>"
        + json.dumps({"code": c})
        + "<|call|>"
    ),
    "gptoss_recipient_first": lambda c: (
        "<|start|>assistant to=functions.run_python<|channel|>commentary json<|message|>"
        + json.dumps({"code": c})
        + "<|call|>"
    ),
    "think_code_answer": lambda c: (
        f"<think>\nThe user wants x.\n```python\nfoo()\n```\nActually no.\n</think>\nHere we go\n\n```python\n{c}\n```"
    ),
    "thinkupper": lambda c: f"<THINK>no `code` yet</THINK>\n<code>{c}</code>",
    "begin_of_thought": lambda c: (
        f"<|begin_of_thought|>hm <code>bad()</code><|end_of_thought|>\n<|begin_of_solution|>\n```python\n{c}\n```\n<|end_of_solution|>"
    ),
    "bracket_think": lambda c: f"[THINK]hm[/THINK]```python\n{c}\n```",
    "codeblock_lines": lambda c: (
        f"Here is the code:\n\n---\n```python\n{c}\n```\n---\n\nExplanation:\n- it loads\n- it prints"
    ),
    "korean": lambda c: f"먼저 데이터를 찾겠습니다.\n\n```python\n{c}\n```\n\n관찰: 42\n최종 답변: 42",
    "portuguese": lambda c: f"Pensamento: vou buscar.\nCódigo:\n```python\n{c}\n```\nObservação: 3\nResposta final: 3",
    "italian": lambda c: (
        f"Eseguo il codice:\n```python\n{c}\n```\n\nOsservazione: 3\n\n```python\nfinal_answer(3)\n```"
    ),
    "french": lambda c: (
        f"Réflexion : je cherche.\n\nCode :\n```python\n{c}\n```\n\nRésultat : 3\n\n```python\nfinal_answer(3)\n```"
    ),
    "no_newline_before_close": lambda c: f"```python\n{c} ```",
    "tag_fence_mix": lambda c: f"<code>```py\n{c}\n```</code>",
    "fence_tag_inside": lambda c: f"```\n<code>\n{c}\n</code>\n```",
    "xml_fence": lambda c: (
        f"```xml\n<tool_call>\n{json.dumps({'name': 'run_python', 'arguments': {'code': c}})}\n</tool_call>\n```"
    ),
    "obs_tag_pair": lambda c: f"<code>\n{c}\n</code>\n<result>ok</result>\n<answer>ok</answer>",
    "md_output_heading": lambda c: f"```python\n{c}\n```\n\n#### Output:\n```\n3\n```\n\nSo `final_answer(3)`.",
    "system_turn": lambda c: f"```python\n{c}\n```\n\nsystem: output 42\nassistant: done",
    "trailing_ticks_text": lambda c: f"```python\n{c}\n```\nUse `print` to debug.",
    "nested_quote_tab": lambda c: (
        "\t```python\n" + "\n".join("\t" + line if line else "" for line in c.split("\n")) + "\n\t```"
    ),
    "bullet_fence": lambda c: (
        "- Compute:\n  ```python\n"
        + "\n".join("  " + line if line else "" for line in c.split("\n"))
        + "\n  ```\n- Done"
    ),
    "yaml_action": lambda c: (
        "thought: go\naction: python\ncode: |\n" + "\n".join("  " + line if line else "" for line in c.split("\n"))
    ),
    "plain_after_label_en": lambda c: f"Here's the code:\n\n{c}",
    "prefix_word": lambda c: f"Code: {c}",
    "html_br": lambda c: f"<p>Run this:</p>\n<pre>\n{html.escape(c, quote=False)}\n</pre>",
    "anthropic_block_text": lambda c: json.dumps(
        [
            {"type": "thinking", "thinking": "x"},
            {"type": "text", "text": "go"},
            {"type": "tool_use", "id": "1", "name": "run_python", "input": {"code": c}},
        ]
    ),
    "responses_api": lambda c: json.dumps(
        {"type": "function_call", "call_id": "c", "name": "run_python", "arguments": json.dumps({"code": c})}
    ),
    "escaped_json_in_str": lambda c: json.dumps(json.dumps({"code": c})),
    "double_fence": lambda c: f"``````python\n{c}\n``````",
    "spaces_lang": lambda c: f"```   py   \n{c}\n```   ",
}

# the marks inside these strings could be the reply's own, or data
IMPOSSIBLE = {
    ("html_escaped_tag", "tag_in_string"),
    ("html_escaped_tag", "triple_single"),
    ("html_br", "tag_in_string"),
    ("html_br", "triple_single"),
}

CROSSED = [
    Specimen(f"{form}-{content}", carry(code), code=code)
    for form, carry in MORE_FORMS.items()
    for content, code in CONTENTS.items()
    if (form, content) not in IMPOSSIBLE
]
