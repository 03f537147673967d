"""What a card that is not here would bring, by its maker's figures.

Owns the question: it is asked again for another model, and forgotten with the engine that was asked.
"""

from app.error_text import ErrorText
from app.window.bridge import EngineBridge
from engine.messages import OfferPlacement
from engine.placement_reports import PlacementOffer


class AssumedCard:
    def __init__(self, bridge: EngineBridge) -> None:
        self._bridge = bridge
        self._n_requests = 0
        self._request_id = ""
        self.name = ""
        """Of the card; empty for none."""
        self.offer: PlacementOffer | None = None
        self.error: ErrorText | None = None

    def assume(self, name: str) -> None:
        """From now on this card; empty: none."""
        self.name = name
        self.offer = self.error = None
        self._request_id = ""

    def ask(self, model_id: str, context_tokens: int | None) -> None:
        """For this model, where a card is assumed and that was not asked; empty: no model is there."""
        if self.offer is not None and self.offer.model_id != model_id:
            self.offer = None
        is_known = self.offer is not None or self.error is not None
        if not self.name or not model_id or self._request_id or is_known:
            return
        self._n_requests += 1
        self._request_id = f"assumed-{self._n_requests}"
        self._bridge.submit(OfferPlacement(self._request_id, model_id, context_tokens, assumed_card=self.name))

    def is_of(self, request_id: str) -> bool:
        """Whether this is the question's answer."""
        return bool(self._request_id) and request_id == self._request_id

    def take(self, offer: PlacementOffer) -> None:
        self._request_id, self.offer, self.error = "", offer, None

    def refuse(self, error: ErrorText | None) -> None:
        self._request_id, self.error = "", error
