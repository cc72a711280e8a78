"""A minimal Kestrel client."""

import json
import urllib.request


class KestrelClient:
    """Talks to one node over HTTP."""

    def __init__(self, base_url, token):
        self.base_url = base_url.rstrip("/")
        self.token = token

    def get(self, key, consistency="bounded"):
        """Returns the value of a key, or None."""
        request = urllib.request.Request(
            f"{self.base_url}/v1/values/{key}?consistency={consistency}",
            headers={"Authorization": f"Bearer {self.token}"},
        )
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise


def retry_delays(first=1.0, limit=60.0):
    """Yields waiting times that double up to a limit."""
    delay = first
    while True:
        yield min(delay, limit)
        delay *= 2
