"""The sign-in itself: the SDK's authorization flow (PKCE, state, issuer), driven by hand, with our browser and listener.

Imports the SDKs at once: load it through ``sdk.load_sign_in`` only.
"""

import asyncio
import dataclasses
import json
import logging
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError, OAuthRegistrationError, OAuthTokenError
from mcp.client.auth.oauth2 import OAuthContext
from mcp.client.auth.utils import extract_scope_from_www_auth, validate_authorization_response_iss
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from desktop.core.tasks import begun
from desktop.mcp_client.callback import CallbackAnswer, CallbackListener, listening
from desktop.mcp_client.checked_http import checked_client
from desktop.mcp_client.config import LOOPBACK_HOSTS
from desktop.mcp_client.elicitation import RefusedQuestionError, checked_url
from desktop.mcp_client.reach import ServerPlace
from desktop.mcp_client.sign_in_errors import SignInError
from desktop.mcp_client.sign_in_record import Challenge, SignIn, host_of
from desktop.tools.entities import ServerConfig
from desktop.tools.sign_in import PageAnswer, SignInPage, SignInPages

logger = logging.getLogger(__name__)

_MOST_REQUESTS = 30
_MOST_RIGHTS = 50
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "registration_endpoint")
_UNSUPPORTED_KIND = "unsupported_token_type"
_REFUSED = frozenset({"invalid_grant", "invalid_client", "unauthorized_client", "unsupported_grant_type"})


async def sign_in(
    config: ServerConfig,
    challenge: Challenge,
    pages: SignInPages,
    place: ServerPlace,
    *,
    former: SignIn | None = None,
) -> SignIn:
    """Lead the user through the sign-in that the server's challenge asks for. Raises ``SignInError``.

    Nothing is sent to the server itself. ``former`` is the sign-in until now: its rights are kept where the server
    wants more, and a client secret that was entered goes to no other issuer.
    """
    port = config.oauth.port if config.oauth is not None else None
    async with listening(port) as listener, checked_client(place) as http:
        flow = _Flow(config, challenge, pages, listener, former)
        try:
            await flow.drive(http)
            return flow.result()
        except (OAuthFlowError, httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
            raise flow.explained(error) from error


async def renewed(sign_in: SignIn, place: ServerPlace) -> SignIn | None:
    """Return the sign-in with new tokens; None when its issuer does not renew it any more. Raises ``httpx2.HTTPError``
    and ``SignInError`` when that cannot be told now."""
    data = {
        "grant_type": "refresh_token",
        "refresh_token": sign_in.refresh_token,
        "client_id": sign_in.client_id,
        **({"resource": sign_in.resource} if sign_in.resource else {}),
    }
    async with checked_client(place) as http:
        response = await _posted(http, sign_in, sign_in.token_endpoint, data)
    body = _object(response)
    if response.status_code != 200:
        if body.get("error") in _REFUSED or response.status_code == 401:
            return None
        raise SignInError("sign_in_failed", f"the sign-in server answered {response.status_code}.")
    try:
        tokens = OAuthToken.model_validate(body)
    except ValueError as error:
        raise SignInError("sign_in_failed", "the sign-in server sent no token.") from error
    return dataclasses.replace(
        sign_in,
        access_token=tokens.access_token,
        refresh_token=tokens.refresh_token or sign_in.refresh_token,
        ends_at=_end_of(tokens),
        scope=tokens.scope or sign_in.scope,
    )


async def revoke(sign_in: SignIn, place: ServerPlace) -> None:
    """Tell the issuer that nobody needs the tokens any more (RFC 7009). Raises ``SignInError`` and ``OSError`` where it
    does not confirm that."""
    tokens = {"refresh_token": sign_in.refresh_token, "access_token": sign_in.access_token}
    async with checked_client(place) as http:
        for kind, token in tokens.items():
            if not token:
                continue
            data = {"token": token, "token_type_hint": kind, "client_id": sign_in.client_id}
            try:
                response = await _posted(http, sign_in, sign_in.revocation_endpoint, data)
            except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
                raise SignInError("sign_in_unreachable", host_of(sign_in.revocation_endpoint)) from error
            # Some revoke what renews alone, and with it all that came of it.
            is_enough = kind == "access_token" and sign_in.refresh_token
            if response.status_code != 200 and not (is_enough and _object(response).get("error") == _UNSUPPORTED_KIND):
                raise SignInError("sign_in_failed", f"the sign-in server answered {response.status_code}.")


async def _posted(http: httpx2.AsyncClient, sign_in: SignIn, url: str, data: dict[str, str]) -> httpx2.Response:
    """Send a form as the client that the sign-in belongs to."""
    client = OAuthClientInformationFull(
        client_id=sign_in.client_id,
        client_secret=sign_in.client_secret or None,
        token_endpoint_auth_method=sign_in.auth_method or None,
    )
    context = OAuthContext(
        server_url=sign_in.url,
        client_metadata=OAuthClientMetadata(redirect_uris=None),
        storage=_NoStorage(),
        redirect_handler=None,
        callback_handler=None,
        client_info=client,
    )
    data, headers = context.prepare_token_auth(data, {})
    return await http.post(url, data=data, headers=headers)


class _NoStorage:
    """The SDK's storage for one flow: it begins without tokens, and what it comes to know is read from its context."""

    def __init__(self, tokens: OAuthToken | None = None, client: OAuthClientInformationFull | None = None) -> None:
        self._tokens = tokens
        self._client = client

    async def get_tokens(self) -> OAuthToken | None:
        return self._tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """It stands in the context."""

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self._client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """It stands in the context."""


class _Flow(OAuthClientProvider):
    def __init__(
        self,
        config: ServerConfig,
        challenge: Challenge,
        pages: SignInPages,
        listener: CallbackListener,
        former: SignIn | None,
    ) -> None:
        self._config = config
        self._challenge = challenge
        headers = {"WWW-Authenticate": challenge.words} if challenge.words else {}
        self._first_response = httpx2.Response(challenge.status, headers=headers)
        self._pages = pages
        self._listener = listener
        self._former = former
        self._brought: CallbackAnswer | None = None
        self._is_server_known = False
        """Whether anything was found out about where to sign in."""
        self._last_status = 0
        tokens = None
        if former is not None and challenge.wants_more_rights:
            tokens = OAuthToken(access_token=former.access_token, scope=former.scope or None)
        super().__init__(
            server_url=config.url,
            client_metadata=OAuthClientMetadata(
                client_name="Threadwell", redirect_uris=[AnyUrl(listener.address)], token_endpoint_auth_method="none"
            ),
            storage=_NoStorage(tokens, self._entered_client(config, former, listener.address)),
            redirect_handler=self._open_page,
            callback_handler=self._take_answer,
        )

    @staticmethod
    def _entered_client(config: ServerConfig, former: SignIn | None, address: str) -> OAuthClientInformationFull | None:
        if config.oauth is None:
            return None
        secret = config.oauth.client_secret
        return OAuthClientInformationFull(
            client_id=config.oauth.client_id,
            client_secret=secret or None,
            token_endpoint_auth_method="client_secret_post" if secret else "none",
            redirect_uris=[AnyUrl(address)],
            issuer=former.issuer if former is not None and former.client_id == config.oauth.client_id else None,
        )

    async def drive(self, http: httpx2.AsyncClient) -> None:
        """Answer the flow's first request with the challenge that the server gave us, and send the others."""
        first = httpx2.Request("POST", self._config.url)
        flow = self.async_auth_flow(first)
        try:
            request = await anext(flow)
            for _ in range(_MOST_REQUESTS):
                if request is first and self._brought is not None:
                    return  # with the token, which the connection uses
                if request is not first and request.method == "POST":
                    self._check_metadata()
                response = await self._send(http, request) if request is not first else self._first_response
                request = await flow.asend(response)
            raise SignInError("sign_in_failed", "there is no end to it.")
        except StopAsyncIteration:
            raise SignInError("sign_in_unsupported") from None
        finally:
            await flow.aclose()

    def _check_metadata(self) -> None:
        """The SDK would go on without what the named sign-in server says of itself, at addresses of its own guess."""
        if self.context.auth_server_url is not None and self.context.oauth_metadata is None:
            raise SignInError("sign_in_unreachable", host_of(self.context.auth_server_url))

    async def _send(self, http: httpx2.AsyncClient, request: httpx2.Request) -> httpx2.Response:
        try:
            response = await http.send(request)
        except httpx2.HTTPError as error:
            logger.info("the sign-in at %s failed: %s", request.url.host, type(error).__name__)
            raise SignInError("sign_in_unreachable", request.url.host) from error
        self._last_status = response.status_code
        if request.method == "GET" and response.status_code == 200:
            _check_endpoints(_object(response))
        return response

    def result(self) -> SignIn:
        context = self.context
        tokens, client = context.current_tokens, context.client_info
        if tokens is None or client is None:
            raise SignInError("sign_in_failed", "there is no token.")
        return SignIn(
            url=self._config.url,
            issuer=self._issuer,
            token_endpoint=self._get_token_endpoint(),
            revocation_endpoint=self._revocation_endpoint(),
            resource=context.get_resource_url() if context.should_include_resource_param() else "",
            client_id=client.client_id,
            client_secret=client.client_secret or "",
            auth_method=client.token_endpoint_auth_method or "",
            access_token=tokens.access_token,
            refresh_token=tokens.refresh_token or "",
            ends_at=_end_of(tokens),
            scope=tokens.scope or "",
        )

    def explained(self, error: Exception) -> SignInError:
        """Say in our words what the SDK says in its own."""
        text = str(error)
        if isinstance(error, OAuthRegistrationError):
            known = self._is_server_known
            if not known and self._last_status in (404, 405):
                return SignInError("sign_in_unsupported")
            return SignInError("sign_in_no_registration")
        if isinstance(error, OAuthTokenError):
            if "invalid_client" in text or "unauthorized_client" in text:
                return SignInError("sign_in_bad_client")
            return SignInError("sign_in_failed", f"the sign-in server answered {self._last_status}.")
        if "issuer" in text or "iss mismatch" in text or "missing iss" in text:
            return SignInError("sign_in_wrong_issuer")
        if text.startswith("Protected resource"):
            return SignInError("sign_in_other_server", text.split()[2] if "does not match" in text else "")
        if isinstance(error, httpx2.InvalidURL):
            return SignInError("sign_in_bad_address", text)
        return SignInError("sign_in_failed", text)

    # What the SDK's flow asks for on its way.

    @property
    def _issuer(self) -> str:
        metadata = self.context.oauth_metadata
        return str(metadata.issuer) if metadata is not None else super()._expected_issuer()

    def _expected_issuer(self) -> str:
        """Asked for once before anything is known of the sign-in server, and again right before a registration: how we
        prove who we are depends on what it takes."""
        self._is_server_known = self.context.oauth_metadata is not None or self.context.auth_server_url is not None
        metadata = self.context.oauth_metadata
        methods = metadata.token_endpoint_auth_methods_supported if metadata is not None else None
        if methods and "none" not in methods:
            for method in ("client_secret_post", "client_secret_basic"):
                if method in methods:
                    self.context.client_metadata.token_endpoint_auth_method = method
                    break
        return super()._expected_issuer()

    async def _perform_authorization_code_grant(self) -> tuple[str, str]:
        context = self.context
        metadata, resource = context.oauth_metadata, context.protected_resource_metadata
        if metadata is not None:
            methods = metadata.code_challenge_methods_supported
            if methods is not None and "S256" not in methods:
                raise SignInError("sign_in_unsafe")
        client = context.client_info
        if self._config.oauth is not None and client is not None and client.client_secret:
            supported = (metadata and metadata.token_endpoint_auth_methods_supported) or []
            method = "client_secret_post" if "client_secret_post" in supported else "client_secret_basic"
            client.token_endpoint_auth_method = method  # of a registration the sign-in server has said it
        named = extract_scope_from_www_auth(self._first_response)
        if named is None and (resource is None or resource.scopes_supported is None):
            # The SDK would ask for everything that the sign-in server has to give.
            context.client_metadata.scope = None
        return await super()._perform_authorization_code_grant()

    def _revocation_endpoint(self) -> str:
        metadata = self.context.oauth_metadata
        try:
            return checked_url(str((metadata and metadata.revocation_endpoint) or ""))
        except RefusedQuestionError:
            return ""  # nobody is told then, which is no reason not to sign in

    async def _open_page(self, url: str) -> None:
        try:
            url = checked_url(url)
        except RefusedQuestionError:
            raise SignInError("sign_in_bad_address", url) from None
        parts = urlsplit(url)
        if parts.hostname in LOOPBACK_HOSTS and urlsplit(self._config.url).hostname not in LOOPBACK_HOSTS:
            raise SignInError("sign_in_inside", parts.netloc)
        query = parse_qs(parts.query)
        self._listener.expect(query["state"][-1])
        async with begun(self._listener.answer()) as answer, begun(self._pages.open_page(self._page(url))) as asked:
            # Who copied the address instead of clicking brings an answer while the question is still there.
            await asyncio.wait({answer, asked}, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done() and asked.result() is not PageAnswer.OPENED:
                raise SignInError("sign_in_cancelled")
            await asyncio.wait({answer})
            self._brought = answer.result()

    def _page(self, url: str) -> SignInPage:
        host, issuer = host_of(url), host_of(self._issuer)
        to = host_of(self._get_token_endpoint())
        former = host_of(self._former.issuer) if self._former is not None else ""
        return SignInPage(
            server_id=self._config.id,
            url=url,
            rights=tuple((self.context.client_metadata.scope or "").split()[:_MOST_RIGHTS]),
            given_to=to if to != host else "",
            former_host=former if former != issuer else "",
        )

    async def _take_answer(self) -> AuthorizationCodeResult:
        brought = self._brought
        if brought is None:
            raise SignInError("sign_in_failed", "there is no answer.")
        validate_authorization_response_iss(brought.issuer, self.context.oauth_metadata)
        if brought.error or not brought.code:
            words = brought.error_words or brought.error or "no code"
            raise SignInError("sign_in_refused", words.rstrip("."))
        return AuthorizationCodeResult(code=brought.code, state=brought.state, iss=brought.issuer)


def _check_endpoints(metadata: Mapping[str, Any]) -> None:
    """The addresses in a sign-in server's description, judged before the SDK makes something of them."""
    for name in _ENDPOINTS:
        if (url := metadata.get(name)) is None:
            continue
        try:
            checked_url(url)
        except RefusedQuestionError:
            raise SignInError("sign_in_bad_address", str(url)) from None


def _end_of(tokens: OAuthToken) -> float | None:
    return time.time() + tokens.expires_in if tokens.expires_in is not None else None


def _object(response: httpx2.Response) -> Mapping[str, Any]:
    try:
        body = json.loads(response.content)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
