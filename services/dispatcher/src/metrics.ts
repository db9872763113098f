import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type DispatcherMetrics = ReturnType<typeof createMetrics>;

/** The dispatcher's metrics, in a registry of their own. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    looks: new Counter({
      name: 'posthorn_looks_total',
      help: 'Tickets taken from the queue.',
      registers,
    }),
    putOffs: new Counter({
      name: 'posthorn_put_offs_total',
      help: 'Deliveries moved to a later time without an attempt spent, by reason.',
      labelNames: ['reason'],
      registers,
    }),
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
    ...createGauges(registers),
  };
}

/** What the stores hold, read now and then. */
function createGauges(registers: Registry[]) {
  return {
    queueDepth: new Gauge({
      name: 'posthorn_queue_depth',
      help: 'Jobs in Redis, by queue.',
      labelNames: ['queue'],
      registers,
    }),
    oldestDueSeconds: new Gauge({
      name: 'posthorn_oldest_due_age_seconds',
      help: 'How long the most overdue delivery has been waiting; what limits and breakers hold back is not due.',
      registers,
    }),
    breakers: new Gauge({
      name: 'posthorn_breakers',
      help: 'Endpoints whose breaker is open, by whether a probe may be made.',
      labelNames: ['state'],
      registers,
    }),
  };
}
