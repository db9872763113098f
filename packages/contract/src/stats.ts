import { z } from 'zod';
import { eventTypeName } from './event-types.ts';
import { idReference, offsetDateTime, timestamp } from './primitives.ts';

export const STATS_STEPS = ['minute', 'hour', 'day'] as const;
export type StatsStep = (typeof STATS_STEPS)[number];
const step = z.enum(STATS_STEPS, `must be one of ${STATS_STEPS.join(', ')}`);

const GROUPINGS = ['endpoint', 'event_type', 'status'] as const;

export const statsQuery = z.object({
  from: offsetDateTime.optional(),
  to: offsetDateTime.optional(),
  step: step.default('hour'),
  environment_id: idReference.optional(),
  application_id: idReference.optional(),
  endpoint_id: idReference.optional(),
  event_type: eventTypeName.optional(),
  group_by: z.enum(GROUPINGS, `must be one of ${GROUPINGS.join(', ')}`).optional(),
});

const milliseconds = z.number().nullable();
const quantiles = z.object({ p50: milliseconds, p95: milliseconds, p99: milliseconds }).meta({
  description: 'Quantiles in milliseconds, with a relative error of at most 5 %. Null if nothing was counted.',
});

const ingested = z.int().nullable().meta({
  description:
    'The number of accepted events. Null in the statistics of an endpoint, and in groups by endpoint or status.',
});
const ended = z
  .int()
  .meta({ description: 'The number of deliveries that ended as `delivered`, `failed` or `dead_letter`.' });

const figures = {
  ingested,
  attempts: z.int(),
  succeeded: z.int(),
  failed: z.int().meta({ description: 'The number of failed attempts.' }),
  delivered: z.int(),
  deadLettered: z.int(),
  durationMs: quantiles,
  delayMs: quantiles,
};

const statsPoint = z
  .object({ at: timestamp.meta({ description: 'The start of the step.' }), ...figures })
  .meta({ id: 'StatsPoint', description: 'The counts of one step.' });

const attemptsOrNull = z
  .int()
  .nullable()
  .meta({ description: 'The number of these attempts. Null if grouped by status.' });

const catchingUp = z
  .object({
    waiting: z
      .int()
      .meta({ description: 'The number of deliveries that are still waiting. At most 100,000 are counted.' }),
    perSecond: z
      .number()
      .meta({ description: 'The maximum number of deliveries per second to all their endpoints together.' }),
    endsAt: timestamp.meta({
      description: 'When the last of them is expected to be sent, if new events arrive at the usual rate.',
    }),
  })
  .meta({
    id: 'CatchingUp',
    description: 'Deliveries that are waiting after an outage of Posthorn and are sent at a limited rate.',
  });

const span = { from: timestamp, to: timestamp, step, catchingUp: catchingUp.nullable() };

const statsSeries = z
  .object({ ...span, series: z.array(statsPoint), totals: z.object({ ...figures, ended }) })
  .meta({ id: 'StatsSeries', description: 'The counts by step, with a point for every step.' });

const statsGroups = z
  .object({
    ...span,
    groups: z.array(
      z.object({
        key: z.string().nullable().meta({
          description:
            'The key of the group: the id of an endpoint, the name of an event type (null for direct ingestion), or a status.',
        }),
        totals: z.object({
          ...figures,
          attempts: attemptsOrNull,
          succeeded: attemptsOrNull,
          failed: attemptsOrNull,
          ended,
        }),
      }),
    ),
  })
  .meta({ id: 'StatsGroups', description: 'The totals of the 50 largest groups, largest first.' });

export const stats = z.union([statsSeries, statsGroups]).meta({
  documentedAs: z
    .object({
      ...span,
      series: statsSeries.shape.series.optional(),
      totals: statsSeries.shape.totals.optional(),
      groups: statsGroups.shape.groups.optional(),
    })
    .meta({ id: 'Stats', description: 'Statistics: `series` and `totals`, or `groups` if `group_by` is set.' }),
});

export const endpointStats = z
  .object({
    hours: z.array(z.object({ at: timestamp, succeeded: z.int(), failed: z.int() })).meta({
      description: 'The attempts of the last 24 hours by hour, oldest first. The last item is the current hour.',
    }),
    lastSuccessAt: timestamp.nullable(),
    lastFailureAt: timestamp.nullable(),
    failureRate: z.number().meta({ description: 'The share of attempts in these hours that failed, from 0 to 1.' }),
    isSubscribed: z.boolean().meta({ description: 'Whether the endpoint currently subscribes to any event type.' }),
  })
  .meta({ id: 'EndpointStats', description: 'The recent statistics of an endpoint.' });
