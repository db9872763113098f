import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, managementCaller, tally } from '../../test/caller.ts';

const api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
afterAll(() => api.stop());

const url = 'https://127.0.0.1/hook';
let workspace: SeededWorkspace;
let call: Caller;
beforeAll(async () => {
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
  await call('post', '/event-types', { name: 'order.paid', publishIn: [workspace.environmentId] });
  await call('post', '/event-types', { name: 'order.sent', publishIn: [workspace.environmentId] });
});

describe('PUT /applications/ext:…', () => {
  test('creates with 201, then replaces with 200: what is absent gets its default, and the id stays', async () => {
    const first = await call('put', '/applications/ext:acme', { name: 'Acme', metadata: { tier: 'gold' } });
    expect([first.status, first.body]).toEqual([
      201,
      expect.objectContaining({ externalId: 'acme', name: 'Acme', metadata: { tier: 'gold' } }),
    ]);
    const second = await call('put', '/applications/ext:acme', { name: 'Acme Ltd', externalId: 'acme' });
    expect([second.status, second.body]).toEqual([
      200,
      { ...first.body, name: 'Acme Ltd', metadata: {}, updatedAt: expect.any(String) },
    ]);
    const { body } = await call('get', '/audit-logs');
    const actions = body.data
      .map(({ action }: { action: string }) => action)
      .filter((one: string) => /^appl/.test(one));
    expect(actions).toEqual(['application.updated', 'application.created']);
    expect((await call('put', '/applications/ext:acme', { name: 'Acme Ltd' })).status).toBe(200);
    expect((await call('get', '/audit-logs')).body.data).toHaveLength(body.data.length);
  });

  test('an id, another externalId and a missing name are refused', async () => {
    const { body } = await call('put', '/applications/ext:known', { name: 'Known' });
    const refused = [
      await call('put', `/applications/${body.id}`, { name: 'x' }),
      await call('put', '/applications/ext:known', { name: 'x', externalId: 'other' }),
      await call('put', '/applications/ext:known', {}),
      await call('put', '/applications/ext:', { name: 'x' }),
    ];
    expect(refused.map((one) => [one.status, one.body.error.details[0].field])).toEqual([
      [400, 'path.applicationId'],
      [400, 'externalId'],
      [400, 'name'],
      [400, 'path.applicationId'],
    ]);
  });

  test('of 8 at once one creates it, and the others replace it', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => call('put', '/applications/ext:race', { name: `N ${n}` })),
    );
    expect(tally(replies.map(({ status }) => String(status)))).toEqual({ 200: 7, 201: 1 });
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
  });

  test('with deletions at the same moment no request fails', async () => {
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        n % 2 === 0
          ? call('put', '/applications/ext:flicker', { name: 'x' })
          : call('delete', '/applications/ext:flicker'),
      ),
    );
    expect(replies.map(({ status }) => status).filter((status) => ![200, 201, 204, 404].includes(status))).toEqual([]);
  });
});

describe('PUT /endpoints/ext:…', () => {
  test('creates with 201, then replaces with 200: defaults come back; id, secret, isActive and parents stay', async () => {
    const given = {
      url,
      description: 'Shop',
      metadata: { a: '1' },
      config: { timeoutSeconds: 5 },
      secretHeaders: { 'x-key': 'k' },
      authUsername: 'u',
      authPassword: 'p',
      eventTypes: ['order.paid', { name: 'order.sent', filter: { n: 1 } }],
    };
    const first = await call('put', '/endpoints/ext:shop', given);
    expect([first.status, first.body.externalId, first.body.environmentId]).toEqual([
      201,
      'shop',
      workspace.environmentId,
    ]);
    const { id } = first.body;
    await call('patch', `/endpoints/${id}`, { isActive: false });
    const second = await call('put', '/endpoints/ext:shop', {
      url: `${url}/2`,
      isActive: true,
      eventTypes: ['order.sent'],
    });
    expect([second.status, second.body]).toMatchObject([
      200,
      {
        ...{ id, url: `${url}/2`, description: '', metadata: {}, authUsername: null, isActive: false },
        ...{ secret: first.body.secret, applicationId: null, environmentId: workspace.environmentId },
      },
    ]);
    expect(second.body.config).toEqual((await call('put', '/endpoints/ext:plain', { url })).body.config);
    expect(JSON.stringify(second.body)).not.toContain('x-key');
    const { body } = await call('get', `/endpoints/${id}/subscriptions`);
    expect(body).toMatchObject([{ eventType: 'order.sent', filter: null }]);
    expect(body).toHaveLength(1);
  });

  test('the same body again changes nothing and leaves no audit entry', async () => {
    const body = {
      url,
      secretHeaders: { 'x-key': 'k' },
      eventTypes: ['order.paid'],
      config: { timeoutSeconds: 5 },
    };
    const first = await call('put', '/endpoints/ext:same', body);
    const { data } = (await call('get', '/audit-logs')).body;
    const again = await call('put', '/endpoints/ext:same', body);
    expect([again.status, again.body]).toEqual([200, { ...first.body }]);
    expect((await call('get', '/audit-logs')).body.data).toEqual(data);
  });

  test('the name belongs to its environment', async () => {
    const staging = (await call('post', '/environments', { name: 'Staging', slug: 'staging' })).body.id;
    const here = await call('put', '/endpoints/ext:both', { url });
    const there = await call('put', '/endpoints/ext:both', { url, environmentId: staging });
    const again = await call('put', '/endpoints/ext:both', { url: `${url}/2`, environmentId: staging });
    expect([here.status, there.status, again.status]).toEqual([201, 201, 200]);
    expect([there.body.id === here.body.id, again.body.id, again.body.environmentId]).toEqual([
      false,
      there.body.id,
      staging,
    ]);
  });

  test('the same name under another owner is external_id_taken, in both directions', async () => {
    const acme = (await call('put', '/applications/ext:owner-a', { name: 'A' })).body.id;
    await call('put', '/applications/ext:owner-b', { name: 'B' });
    const made = await call('put', '/applications/ext:owner-a/endpoints/ext:of-a', { url });
    expect([made.status, made.body.applicationId]).toEqual([201, acme]);
    const others = [
      await call('put', '/applications/ext:owner-b/endpoints/ext:of-a', { url }),
      await call('put', '/endpoints/ext:of-a', { url }),
      await call('put', '/endpoints/ext:of-a', { url, applicationId: 'ext:owner-b' }),
      await call('put', '/applications/ext:owner-a/endpoints/ext:plain', { url }),
    ];
    expect(others.map(codeOf)).toEqual(Array(4).fill('external_id_taken'));
    const same = [
      await call('put', '/applications/ext:owner-a/endpoints/ext:of-a', { url }),
      await call('put', '/endpoints/ext:of-a', { url, applicationId: acme }),
    ];
    expect(same.map(({ status, body }) => [status, body.id])).toEqual(Array(2).fill([200, made.body.id]));
    const unknown = await call('put', '/applications/ext:nobody/endpoints/ext:x', { url });
    expect([unknown.status, codeOf(unknown)]).toEqual([404, 'not_found']);
  });

  test('another type, an unknown event type, a missing url and an id in the path are refused as by POST', async () => {
    await call('put', '/endpoints/ext:typed', { url });
    const refused = [
      await call('put', '/endpoints/ext:typed', { type: 'playground' }),
      await call('put', '/endpoints/ext:typed', { url, eventTypes: ['no.such'] }),
      await call('put', '/endpoints/ext:typed', {}),
      await call('put', '/endpoints/ep_01jczhk8m3fd8tqv5x0w2b9n4e', { url }),
    ];
    expect(refused.map(codeOf)).toEqual(['validation_error', 'not_found', 'validation_error', 'validation_error']);
  });

  test('of 8 at once one creates it, and the others replace it', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => call('put', '/endpoints/ext:race', { url, description: `N ${n}` })),
    );
    expect(tally(replies.map(({ status }) => String(status)))).toEqual({ 200: 7, 201: 1 });
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
  });
});

describe('POST /endpoints with applicationId', () => {
  test('creates the endpoint of that application, by its id or by ext:', async () => {
    const { id } = (await call('put', '/applications/ext:direct', { name: 'Direct' })).body;
    for (const applicationId of [id, 'ext:direct']) {
      const made = await call('post', '/endpoints', { url, applicationId });
      expect([made.status, made.body.applicationId]).toEqual([201, id]);
    }
    expect(codeOf(await call('post', '/endpoints', { url, applicationId: 'ext:nobody' }))).toBe('not_found');
  });

  test('in the path of an application, the body names none', async () => {
    await call('put', '/applications/ext:one', { name: 'One' });
    await call('put', '/applications/ext:two', { name: 'Two' });
    const body = { url, applicationId: 'ext:two' };
    const refused = [
      await call('post', '/applications/ext:one/endpoints', body),
      await call('put', '/applications/ext:one/endpoints/ext:new', body),
    ];
    expect(refused.map((one) => [one.status, one.body.error.details[0].field])).toEqual(
      Array(2).fill([400, 'applicationId']),
    );
  });
});
