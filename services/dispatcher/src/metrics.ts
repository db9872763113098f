import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type DispatcherMetrics = ReturnType<typeof createMetrics>;

/** The dispatcher's metrics, in a registry of their own. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    claims: new Counter({
      name: 'posthorn_claims_total',
      help: 'Tickets looked at, by what the claim found.',
      labelNames: ['result'],
      registers,
    }),
    attempts: new Counter({
      name: 'posthorn_attempts_total',
      help: 'Attempts made, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    attemptSeconds: new Histogram({
      name: 'posthorn_attempt_seconds',
      help: 'How long attempts took.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
      registers,
    }),
    deliveriesCreated: new Counter({
      name: 'posthorn_deliveries_created_total',
      help: 'Deliveries made by fan-out.',
      registers,
    }),
    reconciled: new Counter({
      name: 'posthorn_reconciled_total',
      help: 'Overdue rows that the sweep rang again, by queue.',
      labelNames: ['queue'],
      registers,
    }),
    queueDepth: new Gauge({
      name: 'posthorn_queue_depth',
      help: 'Jobs in Redis, by queue.',
      labelNames: ['queue'],
      registers,
    }),
    oldestDueSeconds: new Gauge({
      name: 'posthorn_oldest_due_age_seconds',
      help: 'How long the most overdue delivery has been waiting.',
      registers,
    }),
  };
}
