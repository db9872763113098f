import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fromId, toId } from '@posthorn/contract/ids';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { seedPerson, seedPortal, uuidOf } from '../../test/people.ts';
import { type ProbeStandIn, takeProbes } from '../../test/probe-stand-in.ts';
import type { Route } from '../operation/route.ts';
import { PULL_OPERATIONS } from '../pull/operations.ts';
import { EXAMPLE_IDS, EXAMPLES, exampleId } from './examples.ts';
import { offered } from './offered.ts';

let api: ApiUnderTest;
let dispatcher: ProbeStandIn;
beforeAll(async () => {
  api = await startApi({ settings: { MCP_EVENTS: true } });
  dispatcher = takeProbes(api);
});
afterAll(async () => {
  await dispatcher.close();
  await api.stop();
});

/** No example may remain for an operation that does not exist. */
test('each example belongs to an operation', () => {
  const consumers = Object.values(PULL_OPERATIONS);
  const rows = [...offered.dashboard, ...offered.portal, ...offered.account, ...consumers];
  const known: string[] = rows.map((row) => row.operationId);
  expect(Object.keys(EXAMPLES).filter((row) => !known.includes(row))).toEqual([]);
});

const outsideWorkspaces = [
  ...offered.account.filter((row) => row.body !== undefined).map((row) => [row.operationId, row.body] as const),
  ...Object.values(PULL_OPERATIONS).map((row) => [row.operationId, row.body] as const),
];
test.each(outsideWorkspaces)('the example of %s is valid input', (operationId, body) => {
  expect(body?.safeParse(EXAMPLES[operationId]).error).toBeUndefined();
});

describe('a service with the resources of the example ids accepts the example', () => {
  const withBody = offered.dashboard.filter((row) => row.body !== undefined);

  test.each(withBody.map((row) => [row.operationId, row] as const))('%s', async (operationId, row) => {
    const { workspaceId, sessionToken, ids, create } = await workspaceWithAll();
    const real = (text: string) =>
      Object.entries(ids).reduce((result, [example, id]) => result.replaceAll(example, id), text);
    if (operationId === 'indexEvents') {
      await create('/event-types', { name: 'order.created', searchKeys: [{ name: 'order_id', path: 'id' }] });
    }
    if (operationId === 'updateSubscription') {
      await create(`/endpoints/${ids[EXAMPLE_IDS.endpoint]}/subscriptions`, {
        eventTypeIds: [ids[EXAMPLE_IDS.eventType]],
      });
    }
    if (operationId === 'createPullKey') {
      ids[EXAMPLE_IDS.endpoint] = await create('/endpoints', { type: 'pull' });
    }
    if (operationId === 'seekSource') {
      // A reader has begun to read the source.
      const sourceId = fromId('src', ids[EXAMPLE_IDS.source] ?? '') ?? '';
      await api.db.sourcePlace.create({ data: { sourceId, topic: 'orders', partition: 0, nextOffset: 0n } });
    }
    if (operationId === 'createEvent') await create('/event-types', { name: 'order.created' });
    const reply = await request(api.app)
      [bodyMethod(row)](`/api/workspaces/${workspaceId}${real(examplePath(row))}`)
      .set('authorization', `Bearer ${sessionToken}`)
      .set('content-type', 'application/json')
      .send(real(JSON.stringify(EXAMPLES[operationId])));
    // An operation has a field `error` of its own, which is null.
    expect([reply.status, reply.body.error ?? undefined]).toEqual([row.upserts ? 201 : row.status, undefined]);
  });
});

function bodyMethod({ method }: Route): 'post' | 'put' | 'patch' {
  if (method === 'get' || method === 'delete') throw new Error(`${method} takes no body`);
  return method;
}

function examplePath({ path, upserts }: Route): string {
  const named = upserts ? path.replace(/\{\w+\}$/, 'ext:new') : path;
  return named.replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, segment, name) => `${segment}/${exampleId(name, segment)}`);
}

/** A workspace with one of each resource, by its example id. */
async function workspaceWithAll() {
  const { workspaceId, environmentId, managementToken } = await api.seedAnother();
  const owner = await seedPerson(api.db, { workspaceId, role: 'owner' });
  const member = await seedPerson(api.db, { workspaceId, role: 'member' });
  const { applicationId } = await seedPortal(api.db, { workspaceId, environmentId });
  const create = async (path: string, body: object) => {
    const reply = await request(api.app)
      .post(`/management/v1/workspaces/${workspaceId}${path}`)
      .set('authorization', `Bearer ${managementToken}`)
      .send(body);
    return String(reply.body.id);
  };
  const token = await api.db.managementToken.findFirstOrThrow({ where: { workspaceId: uuidOf('ws', workspaceId) } });
  const ids = {
    [EXAMPLE_IDS.managementToken]: toId('tok', token.id),
    [EXAMPLE_IDS.environment]: environmentId,
    [EXAMPLE_IDS.targetEnvironment]: await create('/environments', { name: 'Live', slug: 'live' }),
    [EXAMPLE_IDS.application]: applicationId,
    [EXAMPLE_IDS.endpoint]: await create('/endpoints', { url: 'https://example.com/' }),
    [EXAMPLE_IDS.eventType]: await create('/event-types', { name: 'example.first' }),
    [EXAMPLE_IDS.apiKey]: await create(`/environments/${environmentId}/api-keys`, { name: 'First' }),
    [EXAMPLE_IDS.alertRule]: await create('/alert-rules', {
      ...{ name: 'R', channel: 'slack', target: 'https://example.com/', events: ['posthorn.endpoint.failing'] },
    }),
    [EXAMPLE_IDS.source]: await create('/sources', {
      ...{ name: 'S', isActive: false },
      config: {
        brokers: ['example.com'],
        saslMechanism: 'none',
        topics: ['orders'],
        eventType: { fixed: 'example.first' },
      },
    }),
    [EXAMPLE_IDS.user]: member.userId,
  };
  return { workspaceId, sessionToken: owner.sessionToken, ids, create };
}
