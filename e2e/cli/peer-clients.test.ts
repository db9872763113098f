import { Outpost } from '@hookdeck/outpost-sdk';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Svix } from 'svix';
import { PEER_TOKEN, type PeerStub, startOutpost, startSvix } from './peer-stubs.ts';

// The stubs answer like the services: each service's own client library, with its own types, reads every field of every
// response. Convoy and Hook0 have no such library for JavaScript. peer-documents.test.ts compares every stub with the
// service's OpenAPI document.

let svix: PeerStub;
let outpost: PeerStub;
beforeAll(async () => {
  [svix, outpost] = await Promise.all([startSvix(), startOutpost()]);
});
afterAll(() => Promise.all([svix?.close(), outpost?.close()]));

/** The stub's response, with the names of the library, which are in camel case. */
async function sent({ url }: PeerStub, path: string): Promise<unknown> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${PEER_TOKEN}` } });
  return camelCased(await response.json());
}

function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [camel(key), camelCased(one)]));
}

function camel(name: string): string {
  const [first = '', ...others] = name.split('_');
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** The value as JSON: times become texts again, and undefined fields disappear. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('the client of Svix reads all that its stub sends', async () => {
  const client = new Svix(PEER_TOKEN, { serverUrl: svix.url });
  expect(plain(await client.eventType.list())).toEqual(await sent(svix, '/api/v1/event-type'));
  const first = await client.application.list();
  expect(plain(first)).toEqual(await sent(svix, '/api/v1/app'));
  const second = await client.application.list({ iterator: first.iterator });
  let endpoints = 0;
  for (const { id } of [...first.data, ...second.data]) {
    const path = `/api/v1/app/${id}/endpoint`;
    const { data } = await client.endpoint.list(id);
    expect(plain(data)).toEqual(((await sent(svix, path)) as { data: unknown }).data);
    for (const endpoint of data) {
      endpoints += 1;
      const below = `${path}/${endpoint.id}`;
      expect(plain(await client.endpoint.getSecret(id, endpoint.id))).toEqual(await sent(svix, `${below}/secret`));
      expect(plain(await client.endpoint.getHeaders(id, endpoint.id))).toEqual(await sent(svix, `${below}/headers`));
    }
  }
  expect([first.done, second.done, endpoints]).toEqual([false, true, 6]);
});

test('the client of Outpost reads all that its stub sends', async () => {
  const client = new Outpost({ serverURL: `${outpost.url}/api/v1`, apiKey: PEER_TOKEN });
  expect(await client.topics.list()).toEqual(await sent(outpost, '/api/v1/topics'));
  const tenants = await client.tenants.list({});
  expect(plain(tenants)).toEqual(await sent(outpost, '/api/v1/tenants'));
  for (const tenant of ['tenant-a', 'tenant-b', 'tenant-c']) {
    const destinations = plain(await client.destinations.list(tenant));
    expect(destinations).toEqual(await sent(outpost, `/api/v1/tenants/${tenant}/destinations`));
  }
});
