"""The version of this package, which is also in the User-Agent. It follows the version of the API."""

VERSION = "0.3.0"
__version__ = VERSION
