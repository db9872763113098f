import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { uuidOf } from '../../test/people.ts';

let api: ApiUnderTest;
const startMs = Date.now() - 86_400_000;
const at = (second: number) => new Date(startMs + second * 1_000).toISOString();

beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  const other = await api.seedAnother();
  await api.db.auditEntry.createMany({
    data: [
      ...Array.from({ length: 120 }, (_, second) =>
        entry({ createdAt: new Date(startMs + second * 1_000), resourceId: `r${second}` }),
      ),
      entry({ visibility: 'internal' }),
      entry({ createdAt: new Date(Date.now() - 365 * 86_400_000 - 60_000), resourceId: 'old' }),
      entry({ createdAt: new Date(startMs - 1_000), action: 'event_type.created', resourceType: 'event_type' }),
      entry({ createdAt: new Date(startMs - 2_000), actorType: 'user', actorId: 'usr_1' }),
      entry({ workspaceId: uuidOf('ws', other.workspaceId) }),
    ],
  });
});
afterAll(() => api.stop());

function entry(parts: object) {
  return {
    id: newUuid(),
    workspaceId: uuidOf('ws', api.workspaceId),
    actorType: 'management_token',
    actorId: 'tok_1',
    actorLabel: 'Test',
    visibility: 'workspace' as const,
    action: 'endpoint.created',
    resourceType: 'endpoint',
    resourceId: 'ep_1',
    metadata: { changes: { url: { from: null, to: 'x' } }, ip: null, userAgent: null, requestId: 'r' },
    ...parts,
  };
}

const list = (query: Record<string, string>) =>
  request(api.app).get(`${api.base}/audit-logs`).query(query).set('authorization', `Bearer ${api.managementToken}`);
const idsOf = (reply: { body: { data: { resourceId: string }[] } }) => reply.body.data.map((row) => row.resourceId);

describe('the audit log', () => {
  test('comes newest first in pages of 50, and the total counts what the filters match', async () => {
    const first = await list({});
    expect(first.status).toBe(200);
    expect([first.body.total, first.body.page, first.body.pageSize]).toEqual([122, 1, 50]);
    expect(idsOf(first)).toEqual(Array.from({ length: 50 }, (_, index) => `r${119 - index}`));
    expect(idsOf(await list({ page: '3' })).slice(0, 20)).toEqual(
      Array.from({ length: 20 }, (_, index) => `r${19 - index}`),
    );
    expect((await list({ page: '999999' })).body).toEqual({ data: [], total: 122, page: 999_999, pageSize: 50 });
    expect(first.body.data[0]).toEqual({
      ...entry({}),
      id: expect.any(String),
      workspaceId: undefined,
      resourceId: 'r119',
      createdAt: at(119),
    });
  });

  test('from is inclusive and to exclusive, with any offset', async () => {
    expect(idsOf(await list({ from: at(10), to: at(12) }))).toEqual(['r11', 'r10']);
    const inBerlin = new Date(startMs + 10_000 + 3_600_000).toISOString().replace('Z', '+01:00');
    expect(idsOf(await list({ from: inBerlin, to: at(11) }))).toEqual(['r10']);
    expect((await list({ from: at(12), to: at(10) })).body).toMatchObject({ data: [], total: 0 });
    expect((await list({ from: '0000-01-01T00:00:00Z', to: '0000-01-02T00:00:00Z' })).body.total).toBe(0);
    expect((await list({ to: '9999-12-31T23:59:59Z' })).body.total).toBe(122);
  });

  test('filters by action, kind of resource and kind of actor', async () => {
    expect((await list({ action: 'event_type.created' })).body.total).toBe(1);
    expect((await list({ resource_type: 'endpoint' })).body.total).toBe(121);
    expect((await list({ actor_type: 'user' })).body.total).toBe(1);
    expect((await list({ actor_type: 'user', action: 'event_type.created' })).body.total).toBe(0);
    expect((await list({ actor_type: 'nobody' })).body.total).toBe(0);
  });

  test.each([
    [{ page: '0' }, 'page must be a whole number from 1 to 999,999'],
    [{ page: '-1' }, 'page must be a whole number from 1 to 999,999'],
    [{ page: '1.5' }, 'page must be a whole number from 1 to 999,999'],
    [{ page: '99999999999' }, 'page must be a whole number from 1 to 999,999'],
    [{ from: '2026-01-01T00:00:00' }, 'from must be an ISO 8601 date-time with an offset'],
    [{ to: 'yesterday' }, 'to must be an ISO 8601 date-time with an offset'],
    [{ action: 'a\u0000' }, 'action must not contain control characters or lone surrogates'],
  ])('%j is a validation_error', async (query, message) => {
    const reply = await list(Object(query));
    expect([reply.status, reply.body.error]).toEqual([400, { code: 'validation_error', message }]);
  });
});
