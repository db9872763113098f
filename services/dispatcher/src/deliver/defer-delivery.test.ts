import { expect, test } from '@jest/globals';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import { createMetrics } from '../metrics.ts';
import { defer } from './defer-delivery.ts';

const job = { deliveryId: 'delivery', eventId: 'event', endpointId: 'endpoint', workspaceId: 'workspace' };

test('a delivery that returns to its place in a line to be sent later pauses the line, and no other one does', async () => {
  const told: unknown[] = [];
  const deps = {
    defer: async () => ({ generation: 1 }),
    enqueue: (deliveries: DeliverRequest[]) => void told.push(['enqueue', deliveries.length]),
    hurryLine: (endpointId: string) => void told.push(['hurry', endpointId]),
    pauseLine: (endpointId: string, forMs: number) => void told.push(['pause', endpointId, forMs]),
    live: { deliveryChanged: () => {} },
    metrics: createMetrics(),
  };
  const place = '7026-11-27 12:00:00+00';
  const inLine = { reason: 'proxy_error', entersLine: true } as const;
  await defer(deps, job, { ...inLine, place, delaySeconds: 30 });
  await defer(deps, job, { ...inLine, place, delaySeconds: 0 });
  await defer(deps, job, { ...inLine, delaySeconds: 30 });
  await defer(deps, job, { reason: 'proxy_error', delaySeconds: 30 });
  expect(told).toEqual([
    ['pause', 'endpoint', 30_000],
    ['hurry', 'endpoint'],
    ['enqueue', 1],
  ]);
});
