import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf, type Reply, type Service, startService } from './service.ts';

let service: Service;
let endpointId: string;
beforeAll(async () => {
  service = await startService();
  endpointId = await endpointWith(4);
});
afterAll(() => service.stop());

/** Makes an endpoint with `count` deliveries, which stay pending because no dispatcher runs. */
async function endpointWith(count: number, workspace = service.workspace): Promise<string> {
  const id = await workspace.make('/endpoints', { url: 'https://127.0.0.1/' });
  for (let data = 0; data < count; data += 1) await workspace.ingest(id, { data });
  return id;
}

const list = (id: string, query: string, workspace = service.workspace) =>
  workspace.manage('GET', `/endpoints/${id}/deliveries?${query}`);
const cursorOf = async (id: string, query = 'limit=2') => String((await list(id, query)).body.nextCursor);

test('docs/interface.md, Lists and cursors: the cursor is opaque: two for one position differ, and neither says the position', async () => {
  const [one, two] = [await cursorOf(endpointId), await cursorOf(endpointId)];
  expect(one).not.toBe(two);
  const { deliveries } = (await list(endpointId, 'limit=2')).body;
  const decoded = Buffer.from(one, 'base64url').toString('latin1') + one;
  for (const { id } of deliveries) expect(decoded).not.toContain(id.slice(4));
  const ids = async (cursor: string) =>
    (await list(endpointId, `limit=2&cursor=${cursor}`)).body.deliveries.map((item: { id: string }) => item.id);
  expect(await ids(one)).toEqual(await ids(two));
});

test('docs/interface.md, Lists and cursors: a cursor with any character changed, left out or added is invalid_cursor', async () => {
  const cursor = await cursorOf(endpointId);
  const altered = [...cursor].flatMap((character, at) => [
    cursor.slice(0, at) + (character === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
    cursor.slice(0, at) + cursor.slice(at + 1),
  ]);
  const others = [
    `${cursor}A`,
    `A${cursor}`,
    cursor + cursor,
    `${cursor}=`,
    '',
    'x',
    'null',
    '%00',
    '%F0%9F%98%80',
    '../..',
  ];
  for (const one of [...altered, ...others]) {
    const reply = await list(endpointId, `limit=2&cursor=${one}`);
    expect([one, reply.status, codeOf(reply)]).toEqual([one, 400, 'invalid_cursor']);
  }
});

describe('docs/interface.md, Lists and cursors: a cursor used elsewhere is invalid_cursor', () => {
  const refused = async (reply: ReturnType<typeof list>) => {
    const { status } = await reply;
    expect([status, codeOf(await reply)]).toEqual([400, 'invalid_cursor']);
  };

  test('on another endpoint', async () => {
    const other = await endpointWith(4);
    await refused(list(other, `cursor=${await cursorOf(endpointId)}`));
  });

  test('with another filter, or without the one that it came with', async () => {
    await refused(list(endpointId, `status=pending&cursor=${await cursorOf(endpointId)}`));
    const filtered = await cursorOf(endpointId, 'limit=2&status=pending');
    await refused(list(endpointId, `cursor=${filtered}`));
    await refused(list(endpointId, `status=failed&cursor=${filtered}`));
    expect((await list(endpointId, `status=pending&cursor=${filtered}`)).status).toBe(200);
  });

  test('on another list of the workspace', async () => {
    const cursor = await cursorOf(endpointId);
    await refused(service.workspace.manage('GET', `/deliveries?cursor=${cursor}`));
    await refused(service.workspace.manage('GET', `/deliveries?endpoint_id=${endpointId}&cursor=${cursor}`));
    await refused(service.workspace.manage('GET', `/applications?cursor=${cursor}`));
  });

  test('in another workspace', async () => {
    const other = await service.another();
    const theirs = await endpointWith(4, other);
    await refused(list(theirs, `cursor=${await cursorOf(endpointId)}`, other));
  });
});

test('docs/interface.md, Lists and cursors: the page size may change between pages', async () => {
  const first = (await list(endpointId, 'limit=1')).body;
  const rest = (await list(endpointId, `limit=100&cursor=${first.nextCursor}`)).body;
  expect([rest.deliveries.length, rest.nextCursor]).toEqual([3, null]);
});

test('docs/interface.md, Delivery list item: while rows come in, each older one is seen exactly once', async () => {
  const id = await endpointWith(9);
  const all = (await list(id, 'limit=100')).body.deliveries.map((item: { id: string }) => item.id);
  const seen: string[] = [];
  let query: string | undefined = 'limit=2';
  while (query !== undefined) {
    const [page]: [Reply, Reply] = await Promise.all([list(id, query), service.workspace.ingest(id, 'new')]);
    seen.push(...page.body.deliveries.map((item: { id: string }) => item.id));
    query = page.body.nextCursor === null ? undefined : `limit=2&cursor=${page.body.nextCursor}`;
  }
  expect(seen.filter((one) => all.includes(one))).toEqual(all);
  expect(new Set(seen).size).toBe(seen.length);
});
