import { kindOfToken, parseToken, type TokenKind, tokenPrefix } from '@posthorn/crypto/token';
import type { Request } from 'express';
import { ApiError } from '../transport/error.ts';

/** The name of each kind of token, and the interface that takes it. */
const KINDS: Record<TokenKind, { name: string; at: string }> = {
  management: { name: 'a management token', at: 'the management interface' },
  apiKey: { name: 'an API key', at: 'ingestion' },
  session: { name: 'a session token', at: 'the dashboard' },
  portal: { name: 'a portal token', at: 'the portal' },
  pullKey: { name: 'a pull key', at: 'fetching' },
  agentKey: { name: 'an agent key', at: 'subscribing of agents' },
};

/** The refusal of a credential. `hint` tells what is wrong with it, without a look-up of the credential. */
function unauthorized(hint: string): ApiError {
  return new ApiError('unauthorized', `Missing or invalid authorization header: ${hint}`, {
    'WWW-Authenticate': 'Bearer',
  });
}

/** The refusal of a well-formed credential. It does not tell whether the credential was ever valid. */
export function notValid(kind: TokenKind): ApiError {
  return unauthorized(`${KINDS[kind].name} that is not valid (any more)`);
}

/** The Bearer credential, well formed and of this kind; throws `unauthorized` otherwise. */
export function requireBearer(request: Request, kind: TokenKind): { kind: TokenKind; token: string } {
  const header = request.get('authorization');
  if (header === undefined) throw unauthorized(`send "Authorization: Bearer" and ${named(kind)}`);
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(header)?.[1];
  if (token === undefined) throw unauthorized(`it must be "Bearer", a space and ${named(kind)}`);
  return requireToken(token, kind);
}

/** The token, if it is well formed and of this kind; throws `unauthorized` otherwise. */
export function requireToken(given: string, kind: TokenKind): { kind: TokenKind; token: string } {
  const { name, at } = KINDS[kind];
  const givenKind = kindOfToken(given);
  if (givenKind === undefined) throw unauthorized(`${name} begins with ${tokenPrefix(kind)}`);
  if (givenKind !== kind) throw unauthorized(`this is ${named(givenKind)}, and ${at} takes ${named(kind)}`);
  const token = parseToken(given);
  if (token === undefined) throw unauthorized(`${name} that is incomplete or mistyped`);
  return token;
}

function named(kind: TokenKind): string {
  return `${KINDS[kind].name} (${tokenPrefix(kind)}…)`;
}
