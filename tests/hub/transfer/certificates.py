"""An authority that is made anew in each run of the tests, and what it vouches for: a server on the loopback device."""

import functools
import ssl
from pathlib import Path

import trustme


@functools.cache
def authority() -> trustme.CA:
    return trustme.CA()


@functools.cache
def _server() -> trustme.LeafCert:
    return authority().issue_cert("127.0.0.1", "localhost")


def server_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _server().configure_cert(context)
    return context


def trusting() -> ssl.SSLContext:
    """A client's context that knows the authority."""
    context = ssl.create_default_context()
    authority().configure_trust(context)
    return context


def authority_file(folder: Path) -> str:
    """The authority's certificate in PEM, as a company gives it out."""
    path = folder / "company.pem"
    authority().cert_pem.write_to_path(str(path))
    return str(path)
