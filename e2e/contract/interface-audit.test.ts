import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf, type Service, startService, unique, type Workspace } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const actionsOf = async ({ manage }: Workspace, query = '') =>
  (await manage('GET', `/audit-logs${query}`)).body.data.map((entry: { action: string }) => entry.action);

test('docs/interface.md, Audit entry: has its fields, and names who did what to which resource', async () => {
  const workspace = await service.another();
  const { manage, make } = workspace;
  const id = await make('/endpoints', { url: 'https://127.0.0.1/', authUsername: 'u', authPassword: 'pass-canary' });
  const { status, body, text } = await manage('GET', '/audit-logs');
  expect([status, body]).toEqual([
    200,
    {
      data: [
        {
          id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
          actorType: 'management_token',
          actorId: expect.stringMatching(/^tok_/),
          actorLabel: 'Test',
          visibility: 'workspace',
          action: 'endpoint.created',
          resourceType: 'endpoint',
          resourceId: id,
          metadata: expect.objectContaining({ changes: expect.any(Object), requestId: expect.any(String) }),
          createdAt: expect.stringMatching(/\.\d{3}Z$/),
        },
      ],
      total: 1,
      page: 1,
      pageSize: 50,
    },
  ]);
  expect(text).not.toMatch(/pass-canary|whsec_/);
});

test('docs/interface.md, Audit entry: each change is recorded once, newest first; what changes nothing is not recorded', async () => {
  const workspace = await service.another();
  const { manage, make, environmentId } = workspace;
  const eventTypeId = await make('/event-types', { name: unique('audited.type_') });
  const path = `/environments/${environmentId}/event-types/${eventTypeId}/visibility`;
  await manage('PUT', path, { published: true });
  await manage('PUT', path, { published: true });
  const endpointId = await make('/endpoints', { url: 'https://127.0.0.1/' });
  await manage('POST', `/endpoints/${endpointId}/subscriptions`, { eventTypeIds: [eventTypeId] });
  await manage('POST', `/endpoints/${endpointId}/subscriptions`, { eventTypeIds: [eventTypeId] });
  await manage('PATCH', `/endpoints/${endpointId}`, {});
  await manage('PATCH', `/endpoints/${endpointId}`, { description: 'B' });
  await manage('POST', '/endpoints', { url: 'http://127.0.0.1/' });
  await manage('DELETE', `/endpoints/${endpointId}`);
  expect(await actionsOf(workspace)).toEqual([
    'endpoint.deleted',
    'endpoint.updated',
    'subscription.created',
    'endpoint.created',
    'event_type.published',
    'event_type.created',
  ]);
});

test('docs/interface.md, Audit entry: filters by action, resource type, actor type and time, and pages', async () => {
  const workspace = await service.another();
  const { manage, make, dashboard, sessionOf } = workspace;
  await make('/endpoints', { url: 'https://127.0.0.1/' });
  await dashboard(await sessionOf('owner'), 'POST', '/event-types', { name: 'by.user' });
  for (let n = 0; n < 49; n += 1) await make('/event-types', { name: `many.n_${n}` });
  const total = async (query: string) => (await manage('GET', `/audit-logs?${query}`)).body.total;
  expect(await total('')).toBe(51);
  expect(await total('action=endpoint.created')).toBe(1);
  expect(await total('resource_type=event_type')).toBe(50);
  expect(await total('actor_type=user')).toBe(1);
  expect(await total('actor_type=user&resource_type=endpoint')).toBe(0);
  const second = (await manage('GET', '/audit-logs?page=2')).body;
  expect([second.data.length, second.total, second.page, second.pageSize]).toEqual([1, 51, 2, 50]);
  expect(second.data[0].action).toBe('endpoint.created');
  expect((await manage('GET', '/audit-logs?page=3')).body.data).toEqual([]);
  const at = encodeURIComponent(second.data[0].createdAt);
  expect(await total(`from=${at}`)).toBe(51);
  expect(await total(`to=${at}`)).toBe(0);
  expect(await total(`from=${encodeURIComponent(second.data[0].createdAt.replace('Z', '+00:00'))}`)).toBe(51);
});

test('docs/interface.md, Audit entry: page is at least 1; from and to need a timezone offset', async () => {
  const { manage } = service.workspace;
  for (const query of [
    ...['page=0', 'page=-1', 'page=x', 'page=1.5', 'page=', 'page=99999999999999999999'],
    ...['from=2026-11-21', 'from=2026-11-21T10:00:00', 'to=yesterday', 'to=', 'from=2026-13-01T00:00:00Z'],
  ]) {
    const reply = await manage('GET', `/audit-logs?${query}`);
    expect([query, reply.status, codeOf(reply)]).toEqual([query, 400, 'validation_error']);
  }
});

test('docs/interface.md, Audit entry: entries of another workspace are not shown', async () => {
  const mine = await service.another();
  const other = await service.another();
  await other.make('/endpoints', { url: 'https://127.0.0.1/' });
  expect(await actionsOf(mine)).toEqual([]);
});
