import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Response } from 'express';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, managementCaller } from '../../test/caller.ts';
import { seedPortal, uuidOf } from '../../test/people.ts';
import { answerPages, inSizedPages } from '../transport/pages.ts';

let api: ApiUnderTest;
let workspace: SeededWorkspace;
let call: Caller;
/** The characters of JSON that each statement read. */
let read: number[];
beforeAll(async () => {
  api = await startApi({ rateLimits: { management: 0, ingest: 0 } });
  for (const name of ['db', 'listDb'] as const) {
    const watched = api.services[name].$extends({
      query: {
        eventType: {
          async findMany({ args, query }) {
            const rows = await query(args);
            read.push(JSON.stringify(rows.map(({ schema, example }) => [schema, example])).length);
            return rows;
          },
        },
      },
    });
    Reflect.set(api.services, name, watched);
  }
});
afterAll(() => api.stop());
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = managementCaller(api.app, workspace);
  read = [];
});

/** Inserts published types with an example and a schema of this size each. */
async function addTypes(count: number, bytes: number) {
  const ids = Array.from({ length: count }, () => newUuid(new Date()));
  await api.db.eventType.createMany({
    data: ids.map((id, n) => ({
      id,
      workspaceId: uuidOf('ws', workspace.workspaceId),
      name: `order.n${n}`,
      example: 'x'.repeat(bytes),
      schema: { description: 'x'.repeat(bytes) },
      schemaVersion: 1,
    })),
  });
  const environmentId = uuidOf('env', workspace.environmentId);
  await api.db.publishedEventType.createMany({
    data: ids.map((eventTypeId) => ({ environmentId, eventTypeId })),
  });
}

const catalog = () => `/environments/${workspace.environmentId}/catalog`;

test('lists of event types read at most 128 KiB of JSON at a time, or one type, and answer all of them', async () => {
  await addTypes(60, 10_000);
  await addTypes(0, 0);
  const { portalToken: token } = await seedPortal(api.db, { ...workspace, capabilities: ['endpoints:read'] });
  const portal = createCaller(api.app, { base: '/api/portal', token });
  const names = Array.from({ length: 60 }, (_, n) => `order.n${n}`).sort();
  for (const ask of [
    () => call('get', '/event-types'),
    () => call('get', '/event-types?limit=100'),
    () => call('get', catalog()),
    () => portal('get', '/event-types'),
    () => portal('get', '/catalog'),
  ]) {
    read = [];
    const { body } = await ask().expect(200);
    expect(body.map(({ name }: { name: string }) => name).sort()).toEqual(names);
    expect([read.length > 1, Math.max(...read) < 132 * 1024]).toEqual([true, true]);
  }
  await api.db.eventType.deleteMany({ where: { workspaceId: uuidOf('ws', workspace.workspaceId) } });
  await addTypes(3, 65_000);
  read = [];
  expect((await call('get', '/event-types?limit=2')).body).toHaveLength(2);
  expect(read).toHaveLength(2);
});

test('the document of a catalogue reads few types at a time', async () => {
  await addTypes(60, 10_000);
  const { body } = await call('get', `${catalog()}/openapi.json`);
  expect(Object.keys(body.webhooks)).toHaveLength(60);
  expect(Object.keys(body.components.schemas)).toHaveLength(60);
  expect([read.length > 1, Math.max(...read) < 132 * 1024]).toEqual([true, true]);
});

test('a catalogue of more than 8 MiB has no document, and no type is read for it', async () => {
  await addTypes(70, 65_000);
  expect(codeOf(await call('get', `${catalog()}/openapi.json`))).toBe('limit_reached');
  expect(read).toEqual([]);
});

test('a document that is larger than 8 MiB because of its references is refused', async () => {
  await addTypes(30, 1);
  const schema = { allOf: Array.from({ length: 4_500 }, () => ({ $ref: '#' })) };
  const name = 'x'.repeat(100);
  const types = await api.db.eventType.findMany({
    where: { workspaceId: uuidOf('ws', workspace.workspaceId) },
    select: { id: true },
  });
  for (const [n, { id }] of types.entries()) {
    await api.db.eventType.update({ where: { id }, data: { schema, name: `${name}${n}` } });
  }
  expect(codeOf(await call('get', `${catalog()}/openapi.json`))).toBe('limit_reached');
});

test('a list whose first rows are deleted after their keys were read is well-formed JSON', async () => {
  const rows = new Map([
    ['2', ['b']],
    ['4', ['d']],
  ]);
  const keys = ['1', '2', '3', '4'].map((id) => ({ id, bytes: 1_000_000 }));
  const pages = inSizedPages({ keys, readKeys: async () => [] }, async ([id = '']) => rows.get(id) ?? []);
  let text = '';
  const response = {
    setHeader: () => response,
    write(part: string) {
      text += part;
      return true;
    },
    end(part: string) {
      text += part;
    },
  };
  await answerPages(response as unknown as Response, 200, { pages, shown: (page) => [...page] });
  expect(JSON.parse(text)).toEqual(['b', 'd']);
});

test('while a client does not read, no page of a list with documents is kept as objects', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const pages: WeakRef<object>[] = [];
  const list = inSizedPages({ readKeys: async () => [{ id: '1', bytes: 1 }] }, async () => {
    const row = { example: ['x'] };
    pages.push(new WeakRef(row));
    return [row];
  });
  let waits = false;
  const response = {
    setHeader: () => response,
    write: () => false,
    on() {
      waits = true;
      return response;
    },
  };
  void answerPages(response as unknown as Response, 200, { pages: list, shown: (page) => [...page] });
  await waitFor(() => waits, { what: 'the reader' });
  await waitFor(
    () => {
      collect();
      return pages.every((page) => page.deref() === undefined);
    },
    { what: 'the page is collected' },
  );
  expect(pages).toHaveLength(1);
});
