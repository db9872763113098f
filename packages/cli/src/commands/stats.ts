import { type Call, type Row, text } from '../command.ts';
import type { Context } from '../context.ts';
import { moment } from '../moment.ts';

export const stats: readonly Row[] = [
  {
    usage: 'stats',
    summary: 'Show how deliveries are doing',
    options: {
      '--since <time>': 'from this time, or so long ago: 24h',
      '--until <time>': 'before this time',
      '--step <step>': 'a row for each minute, hour or day',
      '--group-by <what>': 'a row for each endpoint, event_type or status',
      '--application <id>': 'of this customer',
      '--endpoint <id>': 'of this endpoint',
      '--type <name>': 'of events of this type',
    },
    examples: ['posthorn stats --since 24h', 'posthorn stats --since 24h --group-by endpoint'],
    run: showStats,
  },
];

async function showStats({ client, environmentId, output, signal }: Context, { values }: Call): Promise<void> {
  const step = text(values, 'step') as 'hour' | undefined;
  const stats = await client().stats.get({
    from: moment(values, 'since'),
    to: moment(values, 'until'),
    step,
    environmentId: await environmentId(),
    applicationId: text(values, 'application'),
    endpointId: text(values, 'endpoint'),
    eventType: text(values, 'type'),
    groupBy: text(values, 'groupBy') as 'endpoint' | undefined,
    signal,
  });
  if (output.format !== 'table') return output.item(stats);
  if (stats.groups !== undefined) {
    return output.list(stats.groups, {
      key: (group) => group.key,
      attempts: ({ totals }) => totals.attempts,
      failed: ({ totals }) => totals.failed,
      delivered: ({ totals }) => totals.delivered,
      'dead letters': ({ totals }) => totals.deadLettered,
      'p95 ms': ({ totals }) => totals.durationMs.p95,
    });
  }
  if (step === undefined) return output.item({ from: stats.from, to: stats.to, ...stats.totals });
  await output.list(stats.series ?? [], {
    at: (point) => point.at,
    events: (point) => point.ingested,
    attempts: (point) => point.attempts,
    failed: (point) => point.failed,
    delivered: (point) => point.delivered,
    'dead letters': (point) => point.deadLettered,
    'p95 ms': (point) => point.durationMs.p95,
  });
}
