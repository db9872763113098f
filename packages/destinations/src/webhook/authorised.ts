import type { Clock } from '@posthorn/runtime/clock';
import type { SendRequest, Tools, WebResult } from '../kind.ts';
import { type AuthorisedPlace, createTokens, type TokenResult } from './oauth2.ts';
import type { WebSender } from './send.ts';

export type AuthorisedSender = {
  /**
   * Sends as a `WebSender` does, with a bearer token. If the receiver answers 401, sends again with a new token, once.
   */
  send(request: AuthorisedRequest): Promise<WebResult>;
  /** The token for a request, for the doctor's check. */
  tokenFor(request: AuthorisedRequest): Promise<TokenResult>;
};

/**
 * A forged request (`isForged`), which the receiver must refuse, is sent only once: its answer says nothing about the
 * token.
 */
export type AuthorisedRequest = SendRequest & { place: AuthorisedPlace; isAlone?: boolean; isForged?: boolean };

/** `send` reaches the endpoint, and `sendToServer` reaches the token endpoint. */
export type AuthorisingOptions = {
  send(request: AuthorisedRequest): Promise<WebResult>;
  sendToServer: WebSender['send'];
  clock: Clock;
  onTokenRequest: Tools['onTokenRequest'];
};

/** Sends requests to endpoints with OAuth 2. If there is no token, the attempt fails. */
export function createAuthorisedSender(options: AuthorisingOptions): AuthorisedSender {
  const { send, sendToServer, clock, onTokenRequest } = options;
  const tokens = createTokens({ send: sendToServer, clock, onTokenRequest });
  return {
    tokenFor: ({ place, timeoutMs }) => tokens.of(place, timeoutMs),
    async send(request) {
      const { place, timeoutMs } = request;
      const startedMs = clock.monotonicMs();
      const elapsedMs = () => clock.monotonicMs() - startedMs;
      const leftMs = () => Math.max(1, Math.round(timeoutMs - elapsedMs()));
      // The secrets of both requests: the second answer may repeat the first token.
      const secrets: string[] = [];
      const attempt = async () => {
        const held = await tokens.of(place, leftMs());
        secrets.push(...held.secrets);
        if (held.kind === 'aborted') return { result: { kind: 'aborted' } as const, token: undefined };
        if (held.kind === 'failed') return { result: failed({ ...held, secrets }, elapsedMs()), token: undefined };
        secrets.push(held.token);
        const authorization = `Bearer ${held.token}`;
        const headers = { ...request.headers, authorization };
        const result = await send({ ...request, headers, timeoutMs: leftMs() });
        const told = result.kind === 'aborted' ? result : { ...result, sent: { authorization, secrets } };
        return { result: told, token: held.token };
      };
      const first = await attempt();
      const isRefused = first.result.kind === 'response' && first.result.status === 401;
      if (!isRefused || request.isForged === true || first.token === undefined)
        return lasting(first.result, elapsedMs());
      tokens.forget(place, first.token);
      return lasting((await attempt()).result, elapsedMs());
    },
  };
}

/** The result with the time of the whole attempt, including the token request. */
function lasting(result: WebResult, durationMs: number): WebResult {
  return result.kind === 'aborted' ? result : { ...result, durationMs: Math.round(durationMs) };
}

function failed({ failure, answer, secrets }: Extract<TokenResult, { kind: 'failed' }>, durationMs: number): WebResult {
  return {
    kind: 'error',
    ...failure,
    response: answer && { ...answer, headers: {} },
    sent: { secrets },
    durationMs: Math.round(durationMs),
    timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null },
    remoteAddress: null,
  };
}
