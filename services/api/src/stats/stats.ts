import { toId } from '@posthorn/contract/ids';
import type { StatsStep, statsQuery } from '@posthorn/contract/stats';
import { readCatchingUp } from '@posthorn/ledger/catch-up';
import { mergeInto, quantiles } from '@posthorn/stats/histogram';
import { ALL_TYPES, DIRECT } from '@posthorn/stats/rows';
import type { z } from 'zod';
import type { WorkspaceContext } from '../operation/context.ts';
import { environmentsAsked, requireEverApplication, requireEverEndpoint } from '../operation/history-filters.ts';
import { invalid } from '../transport/error.ts';
import { retentionMs } from '../workspaces/retention.ts';
import {
  type Counted,
  findLargestEndpoints,
  readByEndpoint,
  readByEventType,
  readSteps,
  type Source,
} from './read-stats.ts';
import { type Span, STEP_MS, spanOf, stepsOf } from './span.ts';

type Query = z.output<typeof statsQuery>;

/** The counts of a workspace, or of a part of it, by step or by group (docs/interface.md, Statistics). */
export async function getStats(ctx: WorkspaceContext, query: Query) {
  const { from, to, group_by: groupBy } = query;
  // Endpoints are compared by their hours: their minutes would be millions of rows.
  const step = groupBy === 'endpoint' && query.step === 'minute' ? 'hour' : query.step;
  const span = spanOf({
    from,
    to,
    step,
    nowMs: ctx.clock.now().getTime(),
    retentionMs: retentionMs(ctx),
  });
  if (typeof span === 'string') throw invalid(span, 'query.from');
  const scope = await findScope(ctx, query);
  const answer = {
    from: new Date(span.fromMs).toISOString(),
    to: new Date(span.toMs).toISOString(),
    step,
    catchingUp: await readWaiting(ctx, scope),
  };
  if (groupBy === undefined) return { ...answer, ...(await readSeries(ctx, { scope, span, step })) };
  return { ...answer, groups: await readGroups(ctx, { scope, span, step, groupBy }) };
}

/** The deliveries in this scope that an outage of the service has kept back, of every event type. */
async function readWaiting({ listDb, workspace }: WorkspaceContext, scope: Scope) {
  const { environmentIds, applicationId, isEndpoint, subjectIds } = scope;
  const [endpointId] = isEndpoint ? subjectIds : [];
  if (isEndpoint && endpointId === undefined) return null;
  const found = await readCatchingUp(listDb, { workspaceId: workspace.id, environmentIds, applicationId, endpointId });
  return found === undefined ? null : { ...found, endsAt: found.endsAt.toISOString() };
}

/**
 * The scope of a request. `subjectIds` are the keys of the stored rows: an endpoint, an application, or environments.
 */
type Scope = {
  subjectIds: readonly string[];
  isEndpoint: boolean;
  environmentIds: readonly string[] | null;
  applicationId: string | undefined;
  eventType: string | undefined;
};

/** Finds the scope. A filter may name something deleted; `not_found` if it never existed. */
async function findScope(ctx: WorkspaceContext, query: Query): Promise<Scope> {
  const endpoint =
    query.endpoint_id === undefined
      ? undefined
      : await requireEverEndpoint(ctx, query.endpoint_id, query.environment_id);
  const environmentIds = await environmentsAsked(ctx, query.environment_id);
  const applicationId =
    query.application_id === undefined
      ? ctx.bounds.applicationId
      : await requireEverApplication(ctx, query.application_id);
  const common = { environmentIds, applicationId, eventType: query.event_type };
  if (endpoint !== undefined) {
    const isInside = applicationId === undefined || endpoint.applicationId === applicationId;
    return { ...common, subjectIds: isInside ? [endpoint.id] : [], isEndpoint: true };
  }
  const subjectIds = applicationId === undefined ? (environmentIds ?? (await environmentsOf(ctx))) : [applicationId];
  return { ...common, subjectIds, isEndpoint: false };
}

const MAX_ENVIRONMENTS = 1_000;

/** The workspace's environments: those that exist, and then the deleted ones, the last deleted first. */
async function environmentsOf({ db, workspace }: WorkspaceContext): Promise<string[]> {
  const rows = await db.environment.findMany({
    where: { workspaceId: workspace.id },
    select: { id: true },
    orderBy: [{ deletedAt: { sort: 'desc', nulls: 'first' } }, { id: 'asc' }],
    take: MAX_ENVIRONMENTS,
  });
  return rows.map((row) => row.id);
}

type Asked = { scope: Scope; span: Span; step: StatsStep };

/** Only the minutes of an endpoint have no row for all types together. */
function sourceOf({ scope, span, step }: Asked): Source {
  const { subjectIds, environmentIds, isEndpoint, eventType } = scope;
  const isHour = step !== 'minute';
  const everyType = isEndpoint && !isHour ? 'each' : ALL_TYPES;
  return { ...span, subjectIds, environmentIds, isHour, eventType: eventType ?? everyType };
}

async function readSeries(ctx: WorkspaceContext, asked: Asked) {
  const counted = await readSteps(ctx.listDb, sourceOf(asked), STEP_MS[asked.step]);
  const { isEndpoint } = asked.scope;
  const totals = nothing();
  for (const point of counted.values()) addUp(totals, point);
  return {
    series: stepsOf(asked.span, asked.step).map((atMs) => ({
      at: new Date(atMs).toISOString(),
      ...present(counted.get(atMs) ?? nothing(), { isEndpoint }),
    })),
    totals: presentTotals(totals, { isEndpoint }),
  };
}

type Grouping = NonNullable<Query['group_by']>;

async function readGroups(ctx: WorkspaceContext, { groupBy, ...asked }: Asked & { groupBy: Grouping }) {
  const { scope } = asked;
  switch (groupBy) {
    case 'status':
      return statusGroups((await readSeries(ctx, asked)).totals);
    case 'event_type': {
      const source = sourceOf(asked);
      const given = { ...source, eventType: scope.eventType ?? ('each' as const) };
      const groups = await readByEventType(ctx.listDb, given);
      return Array.from(groups, ([name, counted]) => ({
        key: name === DIRECT ? null : name,
        totals: presentTotals(counted, scope),
      }));
    }
    case 'endpoint': {
      const groups = await readEndpoints(ctx, asked);
      return Array.from(groups, ([id, counted]) => ({
        key: toId('ep', id),
        totals: presentTotals(counted, { isEndpoint: true }),
      }));
    }
  }
}

async function readEndpoints(ctx: WorkspaceContext, { scope, span }: Asked): Promise<Map<string, Counted>> {
  const { isEndpoint, applicationId, eventType = ALL_TYPES } = scope;
  const source = { ...span, isHour: true, eventType };
  const environmentIds = scope.environmentIds ?? (await environmentsOf(ctx));
  const subjectIds = isEndpoint
    ? scope.subjectIds
    : await findLargestEndpoints(ctx.listDb, { workspaceId: ctx.workspace.id, environmentIds, applicationId }, source);
  return readByEndpoint(ctx.listDb, { ...source, subjectIds, environmentIds: scope.environmentIds });
}

function nothing(): Counted {
  const counts = { ingested: 0, attempts: 0, succeeded: 0, failed: 0, delivered: 0, endedFailed: 0, deadLettered: 0 };
  return { ...counts, duration: new Map(), delay: new Map() };
}

function addUp(totals: Counted, point: Counted): void {
  totals.ingested += point.ingested;
  totals.attempts += point.attempts;
  totals.succeeded += point.succeeded;
  totals.failed += point.failed;
  totals.delivered += point.delivered;
  totals.endedFailed += point.endedFailed;
  totals.deadLettered += point.deadLettered;
  mergeInto(totals.duration, point.duration);
  mergeInto(totals.delay, point.delay);
}

function present({ duration, delay, endedFailed: _, ...counts }: Counted, { isEndpoint }: { isEndpoint: boolean }) {
  return {
    ...counts,
    ingested: isEndpoint ? null : counts.ingested,
    durationMs: shares(duration),
    delayMs: shares(delay),
  };
}

function presentTotals(counted: Counted, of: { isEndpoint: boolean }) {
  const { delivered, endedFailed, deadLettered } = counted;
  return { ...present(counted, of), ended: delivered + endedFailed + deadLettered };
}

function shares(histogram: Counted['duration']) {
  const [p50 = null, p95 = null, p99 = null] = quantiles(histogram, [0.5, 0.95, 0.99]);
  return { p50, p95, p99 };
}

/** The deliveries that ended, by the status in which they ended; a status without one is left out. */
function statusGroups({ delivered, deadLettered, ended }: ReturnType<typeof presentTotals>) {
  const counts = { ingested: null, attempts: null, succeeded: null, failed: null, delivered: 0, deadLettered: 0 };
  const none = { ...counts, durationMs: shares(new Map()), delayMs: shares(new Map()) };
  return [
    { key: 'delivered', totals: { ...none, delivered, ended: delivered } },
    { key: 'failed', totals: { ...none, ended: ended - delivered - deadLettered } },
    { key: 'dead_letter', totals: { ...none, deadLettered, ended: deadLettered } },
  ]
    .filter((group) => group.totals.ended > 0)
    .sort((a, b) => b.totals.ended - a.totals.ended);
}
