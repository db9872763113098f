import { expect } from '@jest/globals';
import request from 'supertest';
import type { ApiUnderTest } from './api-under-test.ts';

// A sign-in with the provider, as a browser goes through it.

export const CLIENT = { id: 'posthorn', secret: 'a secret of the client' };
export const BASE = 'http://localhost:3000';
/** The client for `register` of an issuer. */
export const REGISTRATION = { ...CLIENT, redirectUri: `${BASE}/oidc/callback`, afterLogout: `${BASE}/login` };

export const settingsOf = (issuer: string) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_NAME: 'Okta',
});

/** The name and the value of each cookie that an answer sets. */
export const cookiesOf = (reply: request.Response) =>
  ((reply.get('set-cookie') ?? []) as string[])
    .map((cookie) => cookie.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='));

export const post = (api: ApiUnderTest, path: string, body: object, headers: Record<string, string> = {}) =>
  request(api.app).post(`/api/auth/${path}`).set(headers).send(body);

/**
 * Begins a sign-in. With the token of a session, it connects the account; the password is needed where it is asked for.
 */
export async function begin(api: ApiUnderTest, session?: string, currentPassword?: string) {
  const headers: Record<string, string> = session === undefined ? {} : { authorization: `Bearer ${session}` };
  const path = session === undefined ? 'oidc/start' : 'oidc/connect';
  const reply = await post(api, path, { returnTo: '/w/acme', currentPassword }, headers);
  expect(reply.status).toBe(200);
  return { url: new URL(reply.body.url), cookie: cookiesOf(reply).join('; ') };
}

export const finish = (api: ApiUnderTest, query: string, cookie: string) =>
  post(api, 'oidc/finish', { query }, { cookie });

/** Goes through the provider's pages like a browser, to the query with which it comes back. */
export async function throughProvider(url: URL): Promise<string> {
  const jar = new Map<string, string>();
  for (let at = url, hops = 0; hops < 10; hops += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const set of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split(/=(.*)/s);
      jar.set(name, value);
    }
    at = new URL(reply.headers.get('location') ?? '', at);
    if (at.href.startsWith(BASE)) return at.search;
  }
  throw new Error('the provider does not lead back');
}
