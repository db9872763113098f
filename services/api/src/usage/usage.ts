import { toId } from '@posthorn/contract/ids';
import type { UsageStep, usageQuery } from '@posthorn/contract/usage';
import { Prisma } from '@posthorn/db/generated/client';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import type { z } from 'zod';
import type { WorkspaceContext } from '../operation/context.ts';
import { requireEverApplication } from '../operation/history-filters.ts';
import { openPageCursor, sealPageCursor } from '../operation/page-cursor.ts';
import { invalid } from '../transport/error.ts';

type Query = z.output<typeof usageQuery>;
/** Beginnings of UTC days or months: `from` belongs to the span, `to` does not. */
type Span = { from: Date; to: Date };

type Row = {
  applicationId: string;
  at: Date;
  externalId: string | null;
  name: string | null;
  events: bigint;
  deliveries: bigint;
  attempts: bigint;
  bytes: bigint;
};

/**
 * A page of the usage of each application, which dispatchers count (docs/interface.md, Usage). It is read from the primary,
 * so that a day which is shown as final is final.
 */
export async function listUsage(ctx: WorkspaceContext, query: Query) {
  const { step, limit, cursor } = query;
  const asked = usageSpan(query, ctx.clock.now());
  if (typeof asked === 'string') throw invalid(asked, query.from === undefined ? 'query.to' : 'query.from');
  const applicationId =
    query.application_id === undefined ? null : await requireEverApplication(ctx, query.application_id);
  const list = ['usage', step, query.from ?? null, query.to ?? null, applicationId];
  const after = cursor === undefined ? undefined : positionOf(openPageCursor(ctx, cursor, list));
  // The pages of a list have the span of the first one, also when the present day ends between them.
  const span = after?.span ?? asked;
  // Read this before the rows, so that usage that is counted between the two changes no number that is shown as final.
  const { countedTo } = await ctx.db.usageCount.findFirstOrThrow();
  const rows = await readRows(ctx, { span, step, applicationId, after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const key = last && [last.applicationId, ...[last.at, span.from, span.to].map((at) => at.toISOString())].join(' ');
  return {
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    step,
    countedTo: countedTo.toISOString(),
    usage: page.map((row) => present(row, step, countedTo)),
    nextCursor: rows.length > limit ? sealPageCursor(ctx, key, list) : null,
  };
}

/**
 * The whole days or months that a request asks for, in UTC: by default from the beginning of the present month. A string is
 * the reason for a refusal.
 */
function usageSpan({ from, to, step }: Pick<Query, 'from' | 'to' | 'step'>, now: Date): Span | string {
  const until = to === undefined ? now : new Date(to);
  const since = from === undefined ? beginningOf(until, 'month') : new Date(from);
  // If `to` is the beginning of a month, and there is no `from`, the request is for the month that ends there.
  const first = from === undefined && since.getTime() === until.getTime() ? beginningOf(before(until), 'month') : since;
  if (first >= until) return 'from must be before to';
  const start = beginningOf(first, step);
  const end = nextOf(before(until), step);
  // RFC 3339 cannot write the days and months around other times, and Postgres has no year 0.
  if (start.getUTCFullYear() < 1 || end.getUTCFullYear() > 9_999) return 'from and to must be in the years 1 to 9999';
  return end.getTime() - start.getTime() > MOST_MS
    ? 'from and to must be at most 430 days apart'
    : { from: start, to: end };
}

/** 13 months, and the present one. */
const MOST_MS = 430 * 86_400_000;

function before(instant: Date): Date {
  return new Date(instant.getTime() - 1);
}

function beginningOf(instant: Date, step: UsageStep): Date {
  return dayOf(instant.getUTCFullYear(), instant.getUTCMonth(), step === 'month' ? 1 : instant.getUTCDate());
}

function nextOf(instant: Date, step: UsageStep): Date {
  const [year, month, day] = [instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate()];
  return step === 'month' ? dayOf(year, month + 1, 1) : dayOf(year, month, day + 1);
}

/** `Date.UTC` reads the years 0 to 99 as 1900 to 1999. */
function dayOf(year: number, month: number, day: number): Date {
  const at = new Date(0);
  at.setUTCFullYear(year, month, day);
  return at;
}

type Position = { applicationId: string; at: Date; span: Span };

/** This service wrote the key, so it has all parts. */
function positionOf(key: string): Position {
  const [applicationId = '', at = '', from = '', to = ''] = key.split(' ');
  return { applicationId, at: new Date(at), span: { from: new Date(from), to: new Date(to) } };
}

type Asked = {
  span: Span;
  step: UsageStep;
  applicationId: string | null;
  after: Position | undefined;
  limit: number;
};

/** In the sequence of the table's key, so that a page reads little more than its rows. */
function readRows({ db, workspace }: WorkspaceContext, { span, step, applicationId, after, limit }: Asked) {
  const at = Prisma.sql`date_trunc(${step}::text, day::timestamp)`;
  return db.$queryRaw<Row[]>`
    select u.*, a.external_id as "externalId", a.name from (
      select application_id as "applicationId", ${at} as at, sum(events)::bigint as events,
        sum(deliveries)::bigint as deliveries, sum(attempts)::bigint as attempts, sum(bytes)::bigint as bytes
      from application_usage
      where workspace_id = ${workspace.id}::uuid and day >= ${span.from}::date and day < ${span.to}::date
        ${applicationId === null ? Prisma.empty : Prisma.sql`and application_id = ${applicationId}::uuid`}
        ${
          after === undefined
            ? Prisma.empty
            : Prisma.sql`and (application_id, day) >= (${after.applicationId}::uuid, ${nextOf(after.at, step)}::date)`
        }
      group by 1, 2 order by 1, 2 limit ${limit}::int) u
    left join application a on a.id = u."applicationId" order by 1, 2`;
}

function present({ at, applicationId, externalId, name, ...counts }: Row, step: UsageStep, countedTo: Date) {
  const to = nextOf(at, step);
  return {
    from: at.toISOString(),
    to: to.toISOString(),
    applicationId: applicationId === NIL_UUID ? null : toId('app', applicationId),
    externalId,
    name,
    events: Number(counts.events),
    deliveries: Number(counts.deliveries),
    attempts: Number(counts.attempts),
    bytes: Number(counts.bytes),
    provisional: countedTo < to,
  };
}
