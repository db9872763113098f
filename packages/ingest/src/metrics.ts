import { Counter, type Registry } from 'prom-client';

export type IngestMetrics = ReturnType<typeof createIngestMetrics>;

/** The metrics of a process that accepts events. */
export function createIngestMetrics(registers: Registry[]) {
  return {
    eventsIngested: new Counter({
      name: 'posthorn_events_ingested_total',
      help: 'Events accepted, by result.',
      labelNames: ['result'],
      registers,
    }),
    payloadsChecked: new Counter({
      name: 'posthorn_payloads_checked_total',
      help: 'Payloads checked by the schema of their event type, by result: fits, warned or rejected.',
      labelNames: ['result'],
      registers,
    }),
    handOffs: new Counter({
      name: 'posthorn_hand_off_total',
      help: 'Deliveries that were due when their event was accepted, by the way to their first attempt: call (in this process), bus or job (to a dispatcher with free slots), or pending (in its turn, because no dispatcher had any).',
      labelNames: ['way'],
      registers,
    }),
    quotaRefusals: new Counter({
      name: 'posthorn_quota_refusals_total',
      help: 'Events refused by a quota of their workspace, by quota: events_per_day, bytes_kept or attempt_bytes_kept.',
      labelNames: ['quota'],
      registers,
    }),
  };
}
