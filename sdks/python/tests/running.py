"""The running Posthorn and its Postgres. sdks/python/python.test.ts starts both and sets the environment variables."""

from __future__ import annotations

import os

import pytest

BASE_URL = os.environ.get("POSTHORN_TEST_BASE_URL", "")
TOKEN = os.environ.get("POSTHORN_TEST_TOKEN", "")
API_KEY = os.environ.get("POSTHORN_TEST_API_KEY", "")
ENVIRONMENT = os.environ.get("POSTHORN_TEST_ENVIRONMENT", "")
DATABASE_URL = os.environ.get("POSTHORN_TEST_DATABASE_URL", "")

needs_posthorn = pytest.mark.skipif(BASE_URL == "", reason="no Posthorn runs: POSTHORN_TEST_BASE_URL is not set")
CREDENTIALS = {"base_url": BASE_URL, "token": TOKEN, "api_key": API_KEY}
