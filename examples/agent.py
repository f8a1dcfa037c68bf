"""An agent whose model errs first, reads the failure, and corrects itself. Replies are scripted; all else is real.

Prints:
    step 1: KeyError
    step 2: fine
    answer: 31.5
"""

from codeact import Agent
from codeact.testing import ScriptedModel

ORDERS = [{"customer": "Ada", "eur": 12.0}, {"customer": "Bob", "eur": 19.5}]
REPLIES = [
    "I add up the amounts.\n```python\ntotal = sum(order['amount'] for order in orders)\n```",
    "The column is called eur.\n```python\nfinal_answer(sum(order['eur'] for order in orders))\n```",
]

run = Agent(model=ScriptedModel(REPLIES)).run("What do the orders come to?", inputs={"orders": ORDERS})
for step in run.steps:
    failure = step.observation.failure
    print(f"step {step.index}: {failure.type if failure else 'fine'}")
print("answer:", run.answer)
