import { createIngestMetrics } from '@posthorn/ingest/metrics';
import { MAIL_KINDS } from '@posthorn/mail/outgoing-mail';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type ApiMetrics = ReturnType<typeof createMetrics>;

/** The API's metrics, in their own registry. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'posthorn_http_request_seconds',
      help: 'Duration of requests, by operation and status. Ingestion is ingestEvent, ingestDirectEvent and ingestBatch.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    ...createIngestMetrics(registers),
    deliveriesCreated: new Counter({
      name: 'posthorn_deliveries_created_total',
      help: 'Deliveries made by fan-out, and in the API deliveries made where their events were accepted.',
      registers,
    }),
    listsRead: new Counter({
      name: 'posthorn_lists_read_total',
      help: 'Lists and statistics that a replica may answer, by the database that answered: replica or primary.',
      labelNames: ['from'],
      registers,
    }),
    pulled: new Counter({
      name: 'posthorn_pull_messages_total',
      help: 'Messages of consumers, by what became of them: leased, released, delivered or given_back.',
      labelNames: ['result'],
      registers,
    }),
    mails: createMailCounter(registers),
    oldestMailSeconds: new Gauge({
      name: 'posthorn_oldest_mail_age_seconds',
      help: 'The age of the oldest mail that waits to be sent; 0 when none waits.',
      registers,
    }),
    agentCalls: new Counter({
      name: 'posthorn_agent_calls_total',
      help: 'Calls of agents that ask for events, by call (list, subscribe, refresh, unsubscribe) and result: ok, the kind of the refusal (invalid, not_found, forbidden, exhausted, unsupported, or callback for a challenge that failed), or unavailable. A refused refresh is a refused subscribe.',
      labelNames: ['call', 'result'],
      registers,
    }),
    agentChallenges: new Counter({
      name: 'posthorn_agent_challenges_total',
      help: 'Challenges that were sent to callbacks of agents, by result: passed, or how the callback failed.',
      labelNames: ['result'],
      registers,
    }),
  };
}

/** Results with an alert start at 0, because an alert on an increase needs a first value. */
function createMailCounter(registers: Registry[]): Counter<'kind' | 'result'> {
  const mails = new Counter({
    name: 'posthorn_mails_total',
    help: 'Attempts to send a mail, by kind and result: sent, later (it is tried again), refused or expired (given up).',
    labelNames: ['kind', 'result'],
    registers,
  });
  for (const kind of MAIL_KINDS) {
    for (const result of ['refused', 'expired']) mails.inc({ kind, result }, 0);
  }
  return mails;
}
