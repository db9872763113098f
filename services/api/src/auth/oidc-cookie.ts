import type { Request, Response } from 'express';
import { cookieAttributes, readCookie } from './session-cookie.ts';

/** Binds a sign-in with the provider to the browser that began it: its secret, which is nowhere else. */
export type OidcCookie = {
  read: (request: Request) => string | undefined;
  set: (response: Response, secret: string, maxAgeMs: number) => void;
  clear: (response: Response) => void;
};

export function createOidcCookie(baseUrl: string): OidcCookie {
  const shared = cookieAttributes(baseUrl);
  // As of the session's cookie: no page of a sibling domain sets it.
  const name = shared.secure ? '__Host-posthorn_oidc' : 'posthorn_oidc';
  const attributes = { ...shared, path: shared.secure ? '/' : '/api/auth/oidc' };
  return {
    read: (request) => readCookie(request, name),
    set: (response, secret, maxAge) => void response.cookie(name, secret, { ...attributes, maxAge }),
    clear: (response) => void response.clearCookie(name, attributes),
  };
}
