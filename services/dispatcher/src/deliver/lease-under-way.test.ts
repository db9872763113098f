import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import { askForLease } from '@posthorn/ledger/lease';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type LeaseUnderWay, openLease } from './lease-under-way.ts';

let pausedMs = 0;
let lease: LeaseUnderWay | undefined;
afterEach(() => {
  lease?.close();
  pausedMs = 0;
});

function open(given: Partial<ClaimedDelivery>, leaseOffer: () => Promise<boolean> = async () => true): LeaseUnderWay {
  const claim: ClaimedDelivery = {
    ...{
      deliveryId: 'delivery',
      eventId: 'event',
      workspaceId: 'workspace',
      endpointId: 'endpoint',
      orderingKey: null,
    },
    ...{ endpointRevision: randomUUID(), attemptNumber: 1, trigger: 'schedule', scheduleStep: 0, lostLeases: 0 },
    ...{ eventAgeSeconds: 0, event: null, ...askForLease(), ...given },
  };
  const clock = { monotonicMs: () => performance.now() + pausedMs };
  lease = openLease({ leaseOffer, clock, logger: { warn: () => {} } }, claim);
  return lease;
}

test('a lease is held until the process has paused for longer than its margin', async () => {
  const held = open({});
  expect(await held.beforeSending()).toBe('held');
  pausedMs = 5_100;
  expect(await held.beforeSending()).toBe('stalled');
});

test('an offer is held without a word while more than a second is left of it', async () => {
  let asked = 0;
  const held = open({ offerLeftMs: 3_000 }, async () => {
    asked += 1;
    return true;
  });
  expect([await held.beforeSending(), asked]).toEqual(['held', 0]);
  pausedMs = 2_500;
  expect([await held.beforeSending(), asked]).toEqual(['held', 1]);
});

test('the lease that an offer became is held for its margin alone', async () => {
  const held = open({ offerLeftMs: 0 });
  expect(await held.beforeSending()).toBe('held');
  pausedMs = 5_100;
  expect(await held.beforeSending()).toBe('stalled');
});

test('an offer that somebody else has is lost', async () => {
  expect(await open({ offerLeftMs: 0 }, async () => false).beforeSending()).toBe('lost');
});

test('while Postgres is away the lease is asked for again and again', async () => {
  let asked = 0;
  const held = open({ offerLeftMs: 0 }, async () => {
    asked += 1;
    if (asked < 3) throw new Error('Postgres is away');
    return true;
  });
  await waitFor(() => asked === 3, { what: 'the third try' });
  expect(await held.beforeSending()).toBe('held');
});
