import re


def extract_email_addresses(text: str) -> list[str]:
    """Extract email addresses: each in the text once, in order."""
    found = re.findall('[\\w.+-]+@[\\w-]+\\.[\\w.-]*\\w', text)
    return list(dict.fromkeys(found))
