import { STATS_STEPS, stats } from '@posthorn/contract/stats';
import { z } from 'zod';
import type { Answer } from './answer.ts';
import * as args from './arguments.ts';
import { momentOf } from './arguments.ts';
import type { Caller } from './ask.ts';
import { tool } from './tool.ts';

const GROUPINGS = ['endpoint', 'event_type', 'status'] as const;

const input = z.strictObject({
  since: args.moment('The start of the time range').optional(),
  until: args.moment('The end of the time range').optional(),
  step: z
    .enum(STATS_STEPS, `must be one of ${STATS_STEPS.join(', ')}`)
    .default('hour')
    .describe('The length of a step. minute: at most 24 hours. hour: at most 7 days. day: the retention period.'),
  group_by: z
    .enum(GROUPINGS, `must be one of ${GROUPINGS.join(', ')}`)
    .describe('The grouping of totals, largest group first.')
    .optional(),
  event_type: args.eventTypeName.optional(),
  endpoint_id: args.endpointId.optional(),
  environment_id: args.environmentId.optional(),
  application_id: args.applicationId.optional(),
  limit: args.limit.describe('The maximum number of steps (the newest) or groups (the largest) to return.'),
});

export const statsTool = tool({
  name: 'stats',
  title: 'Count events, attempts and failures',
  description:
    'Counts events, attempts, deliveries and dead letters, with durations, over time or by endpoint, event type or status. Without since, counts the last day.',
  needs: ['getStats'],
  input,
  run: readStats,
});

async function readStats(caller: Caller, given: z.output<typeof input>): Promise<Answer> {
  const { since, until, limit, ...query } = given;
  const now = caller.now();
  const span = { from: momentOf(since, now), to: momentOf(until, now) };
  const { answer } = await caller.ask('getStats', stats, { query: { ...query, ...span } });
  const { from, to, step } = answer;
  if ('groups' in answer) {
    const groups = answer.groups.slice(0, limit);
    return {
      lines: [
        `${from} to ${to}, by ${given.group_by}. ${groups.length === 0 ? 'Nothing was counted.' : ''}`,
        ...groups.map(({ key, totals }) => `- ${key ?? '(no type)'}: ${figures(totals)}`),
      ],
      facts: { from, to, groups: groups.map(({ key, totals }) => ({ key, ...factsOf(totals) })) },
    };
  }
  const points = answer.series.filter(({ attempts, ingested }) => attempts > 0 || (ingested ?? 0) > 0).slice(-limit);
  return {
    lines: [
      `${from} to ${to}: ${figures(answer.totals)}.`,
      `By ${step}, where something was counted${points.length < limit ? '' : ` (the newest ${limit})`}:`,
      ...points.map(({ at, ...totals }) => `- ${at}: ${figures(totals)}`),
    ],
    facts: {
      from,
      to,
      totals: { ...factsOf(answer.totals), ended: answer.totals.ended },
      series: points.map(({ at, attempts, failed, ingested, deadLettered }) => ({
        at,
        events: ingested,
        attempts,
        failed,
        dead_lettered: deadLettered,
      })),
    },
  };
}

type Totals = {
  ingested: number | null;
  attempts: number | null;
  failed: number | null;
  delivered: number;
  deadLettered: number;
  durationMs: { p50: number | null; p95: number | null; p99: number | null };
  delayMs: { p50: number | null; p95: number | null; p99: number | null };
};

function figures({ ingested, attempts, failed, delivered, deadLettered, durationMs }: Totals): string {
  const events = ingested === null ? '' : `${ingested} events, `;
  const tried = attempts === null ? '' : `${attempts} attempts (${failed} failed), `;
  const p95 = durationMs.p95 === null ? '' : `, p95 ${Math.round(durationMs.p95)} ms`;
  return `${events}${tried}${delivered} delivered, ${deadLettered} dead letters${p95}`;
}

function factsOf(totals: Totals) {
  return {
    events: totals.ingested,
    attempts: totals.attempts,
    failed: totals.failed,
    delivered: totals.delivered,
    dead_lettered: totals.deadLettered,
    duration_p95_ms: totals.durationMs.p95,
    delay_p95_ms: totals.delayMs.p95,
  };
}
