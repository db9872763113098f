import { attempt, deliveriesPage } from '@posthorn/contract/deliveries';
import { endpoint, endpointRead } from '@posthorn/contract/endpoints';
import { dryRun, operation, RECOVERY_MODES } from '@posthorn/contract/operations';
import { doctorReport } from '@posthorn/contract/probes';
import { subscription } from '@posthorn/contract/subscriptions';
import { z } from 'zod';
import { ApiError, invalid } from '../transport/error.ts';
import { type Answer, clip } from './answer.ts';
import * as args from './arguments.ts';
import { momentOf } from './arguments.ts';
import type { Caller } from './ask.ts';
import { answersOf, attemptFacts, attemptLine } from './delivery-tools.ts';
import { countOf, deliveryFacts, deliveryLine } from './event-tools.ts';
import { findEventType } from './find-event-type.ts';
import { tool } from './tool.ts';

type Endpoint = z.output<typeof endpointRead>;

const recoverInput = z.strictObject({
  ...args.endpoint,
  since: args.moment('The start of the time range, inclusive'),
  until: args.moment('The end of the time range, exclusive').optional(),
  mode: z
    .enum(RECOVERY_MODES, `must be one of ${RECOVERY_MODES.join(', ')}`)
    .default('failed')
    .describe(
      'failed: retries failed deliveries. missed: sends events that the endpoint did not get. all: both, and resends what was delivered.',
    ),
  confirm: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .optional()
    .describe('The count from the dry run. If omitted, the call is a dry run.'),
});

const healthInput = z.strictObject(args.endpoint);

const listInput = z.strictObject({
  include_degraded: z
    .boolean()
    .default(false)
    .describe('Whether to include degraded endpoints: their last attempts failed, but only a few in a row.'),
  environment_id: args.environmentId.optional(),
  application_id: args.applicationId.optional(),
  limit: args.limit,
  cursor: args.cursor,
});

export const endpointTools = [
  tool({
    name: 'endpoint_health',
    title: 'Get the health of an endpoint',
    description:
      'Shows whether an endpoint is active and healthy, its attempts in the last 24 hours, its subscriptions, and its newest failed deliveries.',
    needs: ['getEndpoint', 'listSubscriptions'],
    input: healthInput,
    run: endpointHealth,
  }),
  tool({
    name: 'list_failing',
    title: 'List failing endpoints',
    description:
      'Lists the endpoints that are failing now, and those that were deactivated because they failed. A call checks up to 500 endpoints; use the cursor to continue.',
    needs: ['listEndpoints'],
    input: listInput,
    run: listFailing,
  }),
  tool({
    name: 'diagnose_endpoint',
    title: 'Diagnose an endpoint',
    description:
      'Examines an endpoint now, step by step: name, address, connection, TLS, signature and responses, with advice on what to change. Sends at most three requests to the receiver and takes up to 60 seconds.',
    needs: ['diagnoseEndpoint'],
    input: healthInput,
    async run(caller, { endpoint_id: id, environment_id }) {
      const { answer } = await caller.ask('diagnoseEndpoint', doctorReport, {
        params: { id },
        query: { environment_id },
      });
      const told = answer.checks.filter(({ outcome }) => outcome !== 'skipped');
      return {
        lines: [
          `${answer.endpointId} is ${answer.verdict}.`,
          ...told.map(
            ({ name, outcome, advice }) => `- ${name}: ${outcome}${advice === null ? '' : `. Next: ${advice}`}`,
          ),
        ],
        facts: { endpoint_id: answer.endpointId, verdict: answer.verdict },
        // The details quote the settings and the receiver's answers.
        untrusted: { checks: Object.fromEntries(told.map(({ name, detail }) => [name, clip(detail, 300)])) },
      };
    },
  }),
  tool({
    name: 'recover_endpoint',
    title: 'Recover missed deliveries',
    description:
      'Resends what an endpoint did not receive. The first call only counts. To start, call it again with the same since, until and mode, and set confirm to the count.',
    needs: ['recoverEndpoint'],
    changes: true,
    input: recoverInput,
    run: recover,
  }),
  tool({
    name: 'send_test',
    title: 'Send a test',
    description: 'Sends one signed test request to an endpoint now, and shows the response.',
    needs: ['testEndpoint'],
    changes: true,
    input: z.strictObject({
      ...args.endpoint,
      event_type: args.eventTypeName.describe('The event type whose example is sent.').optional(),
    }),
    async run(caller, { endpoint_id: id, environment_id, event_type }) {
      const body = event_type === undefined ? {} : { eventTypeId: await findEventType(caller, event_type) };
      const { answer } = await caller.ask('testEndpoint', attempt, {
        params: { id },
        query: { environment_id },
        body,
      });
      return { lines: [attemptLine(answer)], facts: { attempt: attemptFacts(answer) }, untrusted: answersOf([answer]) };
    },
  }),
  tool({
    name: 'set_endpoint_active',
    title: 'Activate or deactivate an endpoint',
    description:
      'Activates or deactivates an endpoint. An inactive endpoint misses the events that are sent, until they are recovered.',
    needs: ['updateEndpoint'],
    changes: true,
    input: z.strictObject({ ...args.endpoint, active: z.boolean().describe('Whether the endpoint receives events.') }),
    async run(caller, { endpoint_id: id, environment_id, active }) {
      const { answer } = await caller.ask('updateEndpoint', endpoint, {
        params: { id },
        query: { environment_id },
        body: { isActive: active },
      });
      return {
        lines: [
          endpointLine(answer),
          ...(active ? ['recover_endpoint with mode "missed" sends what it missed while it was inactive.'] : []),
        ],
        facts: { endpoint: endpointFacts(answer) },
        untrusted: writtenOf([answer]),
      };
    },
  }),
];

/** The most failed deliveries of a state, and the most subscriptions, that the answer shows. */
const SHOWN = 3;
const SUBSCRIPTIONS_SHOWN = 20;

async function endpointHealth(
  caller: Caller,
  { endpoint_id, environment_id }: z.output<typeof healthInput>,
): Promise<Answer> {
  const { answer: found } = await caller.ask('getEndpoint', endpointRead, {
    params: { id: endpoint_id },
    query: { environment_id, include: 'stats' },
  });
  const { id } = found;
  const { answer: subscribed, nextCursor } = await caller.ask('listSubscriptions', z.array(subscription), {
    params: { id },
    query: { limit: SUBSCRIPTIONS_SHOWN },
  });
  const deliveries = caller.may('listEndpointDeliveries')
    ? (await Promise.all(OPEN_OR_LOST.map((status) => newestOf(caller, id, status)))).flat()
    : [];
  const names = subscribed.map(({ eventType, filter }) =>
    filter === null ? eventType : `${eventType} (with a filter)`,
  );
  const failing = !found.isActive || found.health !== 'healthy';
  return {
    lines: [
      endpointLine(found),
      ...statsLines(found),
      ...(found.pull === null
        ? []
        : [`Consumers fetch from it: ${found.pull.waiting} wait, last fetch ${found.pull.lastLeaseAt ?? 'never'}.`]),
      `It subscribes to ${names.length === 0 ? 'nothing' : names.join(', ')}${nextCursor === null ? '' : ' and more'}.`,
      ...deliveries.map(deliveryLine),
      ...(failing ? ['Next: show_delivery shows an answer of the receiver, diagnose_endpoint examines it now.'] : []),
    ],
    facts: {
      endpoint: endpointFacts(found),
      last_24_hours: found.stats && {
        succeeded: sumOf(found, 'succeeded'),
        failed: sumOf(found, 'failed'),
        failure_rate: found.stats.failureRate,
        last_success_at: found.stats.lastSuccessAt,
        last_failure_at: found.stats.lastFailureAt,
      },
      subscribes_to: subscribed.map(({ eventType }) => eventType),
      deliveries: deliveries.map(deliveryFacts),
    },
    untrusted: writtenOf([found], { description: clip(found.description, 300) }),
  };
}

const OPEN_OR_LOST = ['scheduled_retry', 'dead_letter', 'failed'] as const;

async function newestOf(caller: Caller, endpointId: string, status: (typeof OPEN_OR_LOST)[number]) {
  const question = { params: { endpointId }, query: { status, limit: SHOWN } };
  return (await caller.ask('listEndpointDeliveries', deliveriesPage, question)).answer.deliveries;
}

function statsLines({ stats, ...found }: Endpoint): string[] {
  if (stats === undefined) return [];
  const counts = `${sumOf({ ...found, stats }, 'succeeded')} attempts succeeded and ${sumOf({ ...found, stats }, 'failed')} failed`;
  return [
    `In the last 24 hours ${counts}. Last success ${stats.lastSuccessAt ?? 'never'}, last failure ${stats.lastFailureAt ?? 'never'}.`,
  ];
}

function sumOf({ stats }: Endpoint, which: 'succeeded' | 'failed'): number {
  return stats?.hours.reduce((sum, hour) => sum + hour[which], 0) ?? 0;
}

function endpointLine(one: z.output<typeof endpoint>): string {
  const state = one.isActive
    ? 'active'
    : `inactive since ${one.disabledAt ?? 'its creation'} (${one.disabledReason ?? 'manual'})`;
  return `- ${one.id}: ${state}, ${one.health}`;
}

/** The targets and externalIds that the owners of endpoints have chosen, by the ids of the endpoints. */
function writtenOf(endpoints: readonly z.output<typeof endpoint>[], more: object = {}) {
  const written = endpoints.map(({ id, target, externalId }) => {
    return [
      id,
      { target: clip(target, 160), ...(externalId !== null && { external_id: externalId }), ...more },
    ] as const;
  });
  return { endpoints: Object.fromEntries(written) };
}

function endpointFacts(one: z.output<typeof endpoint>) {
  return {
    id: one.id,
    type: one.type,
    active: one.isActive,
    ...(one.disabledAt !== null && { disabled_at: one.disabledAt, disabled_reason: one.disabledReason }),
    health: one.health,
    environment_id: one.environmentId,
    application_id: one.applicationId,
  };
}

/** Endpoints are read in small pages until enough of them fail. */
const PAGE = 10;
const MOST_PAGES = 50;

async function listFailing(caller: Caller, given: z.output<typeof listInput>): Promise<Answer> {
  const { include_degraded, environment_id, application_id, limit } = given;
  const failing: Endpoint[] = [];
  let next: string | null = given.cursor ?? null;
  let seen = 0;
  for (let page = 0; page < MOST_PAGES && failing.length < limit; page += 1) {
    const question = { environment_id, application_id, cursor: next ?? undefined };
    const read = (size: number) =>
      caller.ask('listEndpoints', z.array(endpointRead), { query: { ...question, limit: size } });
    const fits = (one: Endpoint) => isFailing(one, include_degraded);
    let part = await read(PAGE);
    const last = part.answer.filter(fits)[limit - failing.length - 1];
    // The next call goes on behind the last one that is shown.
    if (last !== undefined) part = await read(part.answer.indexOf(last) + 1);
    failing.push(...part.answer.filter(fits));
    seen += part.answer.length;
    next = part.nextCursor;
    if (next === null) break;
  }
  return {
    lines: [
      `${countOf(failing.length, 'endpoint', next)} ${seen} looked at.`,
      ...failing.map(endpointLine),
      ...(failing.length === 0 ? [] : ['Next: endpoint_health shows one of them, diagnose_endpoint examines it.']),
    ],
    facts: { endpoints: failing.map(endpointFacts), looked_at: seen },
    ...(failing.length > 0 && { untrusted: writtenOf(failing) }),
    nextCursor: next,
  };
}

function isFailing({ isActive, disabledReason, health }: Endpoint, includeDegraded: boolean): boolean {
  if (!isActive) return disabledReason !== null && disabledReason !== 'manual';
  return health === 'failing' || (includeDegraded && health === 'degraded');
}

async function recover(caller: Caller, given: z.output<typeof recoverInput>): Promise<Answer> {
  const { endpoint_id: id, environment_id, mode, confirm } = given;
  const place = { params: { id }, query: { environment_id } };
  const now = caller.now();
  const since = momentOf(given.since, now) ?? '';
  const until = momentOf(given.until, now) ?? now.toISOString();
  if (Date.parse(since) >= Date.parse(until)) throw invalid('since must be before until', 'since');
  const body = { since, until, mode };
  const { answer: count } = await caller.ask('recoverEndpoint', dryRun, { ...place, body: { ...body, dryRun: true } });
  const again = {
    endpoint_id: id,
    ...(environment_id !== undefined && { environment_id }),
    ...body,
    confirm: count.matched,
  };
  if (confirm === undefined) {
    const kinds = Object.entries(count.eventTypes).slice(0, 20);
    return {
      lines: [
        `A dry run: ${count.matched} would be sent again to ${id} (mode ${mode}, ${since} to ${until}).`,
        ...kinds.map(([name, matched]) => `- ${name}: ${matched}`),
        count.matched === 0
          ? 'Next: nothing to recover. Try an earlier since, or another mode.'
          : `Next: to start, call recover_endpoint with ${JSON.stringify(again)}`,
      ],
      facts: { dry_run: true, matched: count.matched, oldest: count.oldest, newest: count.newest, confirm_with: again },
    };
  }
  if (confirm !== count.matched) {
    throw new ApiError(
      'validation_error',
      `confirm is ${confirm}, but it would send ${count.matched} now: nothing was started. If that is meant, call again with ${JSON.stringify(again)}`,
    );
  }
  const { answer } = await caller.ask('recoverEndpoint', operation, { ...place, body });
  return {
    lines: [`Started: ${answer.id} sends ${count.matched} again to ${id}. endpoint_health shows how it goes.`],
    facts: { dry_run: false, operation_id: answer.id, status: answer.status, matched: count.matched },
  };
}
