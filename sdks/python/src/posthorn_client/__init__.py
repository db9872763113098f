"""
Send events to Posthorn, manage it, and verify the webhooks that it delivers.

    posthorn = Posthorn("https://posthorn.example.com", api_key="phk_…")
    posthorn.events.send("order.paid", order, application="ext:customer-42", idempotency_key="order-1001-paid")
"""

from . import models
from ._async.client import AsyncPosthorn
from ._async.listing import AsyncListing
from ._async.pull import AsyncPulledMessage
from ._calls import Change, Page
from ._errors import (
    ApiError,
    BatchError,
    ConflictError,
    ConnectionError,
    ForbiddenError,
    NotFoundError,
    OptionError,
    PosthornError,
    RateLimitedError,
    SecretNotShownError,
    TimeoutError,
    UnauthorizedError,
    UnavailableError,
    ValidationError,
)
from ._model import Model
from ._options import ALL_APPLICATIONS
from ._sync.client import Posthorn
from ._sync.listing import Listing
from ._sync.pull import PulledMessage
from ._unset import UNSET, Unset
from ._version import __version__
from .receive import Webhook
from .webhooks import VerifiedWebhook, WebhookVerificationError, sign, verify

__all__ = [
    "ALL_APPLICATIONS",
    "AsyncPosthorn",
    "Posthorn",
    "AsyncListing",
    "AsyncPulledMessage",
    "Listing",
    "PulledMessage",
    "Page",
    "Change",
    "UNSET",
    "Unset",
    "Model",
    "models",
    "PosthornError",
    "OptionError",
    "ConnectionError",
    "TimeoutError",
    "SecretNotShownError",
    "BatchError",
    "ApiError",
    "ValidationError",
    "UnauthorizedError",
    "ForbiddenError",
    "NotFoundError",
    "ConflictError",
    "RateLimitedError",
    "UnavailableError",
    "Webhook",
    "VerifiedWebhook",
    "WebhookVerificationError",
    "sign",
    "verify",
    "__version__",
]
