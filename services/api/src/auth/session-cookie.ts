import { isFromOwnPage } from '@posthorn/runtime/own-page';
import type { Request, Response } from 'express';
import { ApiError } from '../transport/error.ts';

/**
 * The web UI's session cookie (docs/interface.md, Credentials and interfaces): the same token as the Bearer one,
 * unreadable by scripts.
 */
export type SessionCookie = {
  read: (request: Request) => string | undefined;
  set: (response: Response, token: string, maxAgeMs: number) => void;
  clear: (response: Response) => void;
  /** Refuses a change that a page of another site sends with the visitor's cookie: `forbidden`. */
  refuseForeignPage: (request: Request) => void;
};

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export function createSessionCookie(baseUrl: string): SessionCookie {
  const ownHost = new URL(baseUrl).host;
  const shared = cookieAttributes(baseUrl);
  // Browsers accept a cookie with this prefix only from its own host, for all paths and over https. So a sibling domain
  // cannot set one that is sent in its place.
  const name = shared.secure ? '__Host-posthorn_session' : 'posthorn_session';
  const attributes = { ...shared, path: shared.secure ? '/' : '/api' };
  return {
    read: (request) => readCookie(request, name),
    set: (response, token, maxAge) => void response.cookie(name, token, { ...attributes, maxAge }),
    clear: (response) => void response.clearCookie(name, attributes),
    refuseForeignPage(request) {
      // SameSite=Strict still allows pages of sibling domains.
      if (SAFE_METHODS.has(request.method) || isFromOwnPage(request.headers, ownHost)) return;
      throw new ApiError('forbidden', 'A change with the session cookie must come from a page of this service');
    },
  };
}

/**
 * With these attributes, no script reads a cookie of this service, and no page of another site causes it to be sent.
 */
export function cookieAttributes(baseUrl: string) {
  return { httpOnly: true, sameSite: 'strict', secure: new URL(baseUrl).protocol === 'https:' } as const;
}

/** The value of the request's cookie of this name. */
export function readCookie(request: Request, name: string): string | undefined {
  const pairs = (request.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
