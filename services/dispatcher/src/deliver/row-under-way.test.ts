import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import type { UnwrittenRow } from '@posthorn/ledger/unwritten';
import { waitFor } from '@posthorn/testkit/wait-for';
import { openRow, type RowUnderWay } from './row-under-way.ts';

const unwritten = {
  ...{ eventId: 'event', workspaceId: 'workspace', environmentId: 'environment', eventType: 'order.created' },
  ...{ matchedAt: null, leaseSeconds: 20 },
};
const claim: ClaimedDelivery = {
  ...{ deliveryId: 'delivery', eventId: 'event', workspaceId: 'workspace', endpointId: 'endpoint' },
  ...{ endpointRevision: 'first', orderingKey: null, leaseToken: 'token', askedAtMs: 0, askedAtWallMs: 0 },
  ...{ attemptNumber: 1, trigger: 'schedule', scheduleStep: 0, lostLeases: 0, eventAgeSeconds: 0, event: null },
  unwritten,
};

let written: UnwrittenRow[];
let faults: Error[];
let warnings: string[];
let shown: string[];
const opened: RowUnderWay[] = [];
beforeEach(() => {
  [written, faults, warnings, shown] = [[], [], [], []];
});
afterEach(() => {
  for (const row of opened.splice(0)) row.close();
});

function open(of: ClaimedDelivery = claim): RowUnderWay {
  const row = openRow(
    {
      async writeUnderWay(given) {
        const fault = faults.shift();
        if (fault !== undefined) throw fault;
        written.push(given);
      },
      live: { deliveryChanged: ({ deliveryId }) => void shown.push(deliveryId) },
      logger: { warn: (message) => warnings.push(message) },
    },
    of,
  );
  opened.push(row);
  return row;
}

test('an attempt that takes long gets its row while it is under way, with its lease, and live streams show it', async () => {
  const row = open();
  await waitFor(() => shown.length > 0, { what: 'the row' });
  expect(shown).toEqual(['delivery']);
  expect(written).toEqual([{ deliveryId: 'delivery', endpointId: 'endpoint', leaseToken: 'token', ...unwritten }]);
  expect(await row.left()).toEqual({});
});

test('the settle of a short attempt gets what it needs to write the row', async () => {
  expect(await open().left()).toEqual({ unwritten });
  expect(written).toEqual([]);
});

test('a row that could not be written is tried again, and is left to the settle until it is there', async () => {
  faults = [new Error('Postgres is away'), new Error('Postgres is away')];
  const row = open();
  await waitFor(() => written.length > 0, { what: 'the row' });
  expect([warnings.length, await row.left()]).toEqual([2, {}]);
  faults = [new Error('Postgres is away')];
  const other = open();
  await waitFor(() => warnings.length === 3, { what: 'the failure' });
  expect(await other.left()).toEqual({ unwritten });
});

test('a delivery that is deferred gets its row first, once', async () => {
  const row = open();
  await Promise.all([row.write(), row.write()]);
  expect([written.length, await row.left()]).toEqual([1, {}]);
});

test('a delivery that has a row from the start is not written', async () => {
  const { unwritten: _, ...withRow } = claim;
  const row = open(withRow);
  await row.write();
  expect([await row.left(), written]).toEqual([{}, []]);
});
