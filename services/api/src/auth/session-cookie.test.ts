import { expect, test } from '@jest/globals';
import express, { type Request } from 'express';
import request from 'supertest';
import { createSessionCookie } from './session-cookie.ts';

const requestWith = (cookie: string) => ({ get: () => cookie }) as unknown as Request;

async function cookieSetBy(baseUrl: string): Promise<string | undefined> {
  const app = express();
  app.get('/', (_, response) => {
    createSessionCookie(baseUrl).set(response, 'phs_a', 1_000);
    response.end();
  });
  return (await request(app).get('/')).get('set-cookie')?.[0];
}

test('over https, the cookie is one that no sibling domain can set, and only that one is read', async () => {
  const cookie = createSessionCookie('https://posthorn.example');
  expect(await cookieSetBy('https://posthorn.example')).toMatch(
    /^__Host-posthorn_session=phs_a; Max-Age=1; Path=\/; .*HttpOnly; Secure; SameSite=Strict$/,
  );
  expect(cookie.read(requestWith('posthorn_session=phs_b; __Host-posthorn_session=phs_a'))).toBe('phs_a');
  expect(cookie.read(requestWith('posthorn_session=phs_b'))).toBeUndefined();
});

test('over http, where no browser takes such a cookie, it has a plain name', async () => {
  expect(await cookieSetBy('http://localhost:3000')).toMatch(/^posthorn_session=phs_a; Max-Age=1; Path=\/api; /);
  const cookie = createSessionCookie('http://localhost:3000');
  expect(cookie.read(requestWith('posthorn_session=phs_a'))).toBe('phs_a');
});
