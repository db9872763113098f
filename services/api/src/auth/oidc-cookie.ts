import type { Request, Response } from 'express';
import { cookieAttributes, readCookie } from './session-cookie.ts';

/**
 * The cookie that binds a sign-in with the provider to the browser that began it. It has the only copy of the secret.
 */
export type OidcCookie = {
  read: (request: Request) => string | undefined;
  set: (response: Response, secret: string, maxAgeMs: number) => void;
  clear: (response: Response) => void;
};

export function createOidcCookie(baseUrl: string): OidcCookie {
  const shared = cookieAttributes(baseUrl);
  // Like the session's cookie, no page of a sibling domain can set it.
  const name = shared.secure ? '__Host-posthorn_oidc' : 'posthorn_oidc';
  const attributes = { ...shared, path: shared.secure ? '/' : '/api/auth/oidc' };
  return {
    read: (request) => readCookie(request, name),
    set: (response, secret, maxAge) => void response.cookie(name, secret, { ...attributes, maxAge }),
    clear: (response) => void response.clearCookie(name, attributes),
  };
}
