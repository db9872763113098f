import { expect, test } from '@jest/globals';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createExpiredLeaseTimer, type Leased } from './expired-lease-timer.ts';

const job = { deliveryId: 'd', eventId: 'e', endpointId: 'p', workspaceId: 'w' };
const leased: Leased = { kind: 'leased', generation: 4, round: 100, delayMs: 1, isolated: false };

test('a delivery is enqueued once for each lease, before all waiting jobs, however often its job arrived', async () => {
  const enqueued: DeliverRequest[] = [];
  const timer = createExpiredLeaseTimer((deliveries) => enqueued.push(...deliveries));
  for (let n = 0; n < 3; n += 1) timer.enqueueAtEnd(job, leased);
  timer.enqueueAtEnd(job, { ...leased, round: 120, delayMs: 40 });
  await waitFor(() => enqueued.length === 2, { what: 'the ends of both leases' });
  const request = { ...job, mode: 'expired_lease', generation: 4, delayMs: 0 };
  expect(enqueued).toEqual([
    { ...request, round: 100 },
    { ...request, round: 120 },
  ]);
  timer.enqueueAtEnd(job, leased);
  await waitFor(() => enqueued.length === 3, { what: 'a lease that was seen again' });
});

test('a delivery that must be isolated is enqueued as isolated', async () => {
  const enqueued: DeliverRequest[] = [];
  const timer = createExpiredLeaseTimer((deliveries) => enqueued.push(...deliveries));
  timer.enqueueAtEnd(job, { ...leased, isolated: true });
  await waitFor(() => enqueued.length === 1, { what: 'the end of the lease' });
  expect(enqueued[0]?.mode).toBe('isolated');
});
