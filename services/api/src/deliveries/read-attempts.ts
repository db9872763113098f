import { LIMITS } from '@posthorn/contract/limits';
import { Prisma } from '@posthorn/db/generated/client';
import type { WorkspaceContext } from '../operation/context.ts';
import { openPageCursor, sealPageCursor } from '../operation/page-cursor.ts';
import { createReadBodies, seesRequestBodies } from './attempt-bodies.ts';
import { type AttemptRow, presentAttempts, showsPayload } from './present-attempt.ts';

/**
 * Reads the attempts before the cursor, or the newest. Returns also the cursor to older ones, and whether the page
 * shows the payload.
 */
export async function readAttempts(
  ctx: WorkspaceContext,
  deliveryId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const list = ['attempts', deliveryId];
  const before = cursor === undefined ? undefined : openPageCursor(ctx, cursor, list);
  const rows = await ctx.inPageTurn(() => readRows(ctx, deliveryId, { before, take: limit + 1 }));
  const page = rows.slice(0, limit);
  const attempts = presentAttempts(page, createReadBodies(ctx));
  return {
    page: attempts,
    showsPayload: attempts.some(showsPayload),
    next: rows.length > limit ? sealPageCursor(ctx, page.at(-1)?.id, list) : null,
  };
}

const NOT_READ = Prisma.sql`null::bytea`;

/**
 * Newest first. Bodies that exceed the limit of an answer together with the headers and the bodies of newer attempts are
 * not read: a body takes no fewer bytes in the answer than it has. A response body that is not read counts as truncated.
 */
function readRows(
  ctx: WorkspaceContext,
  deliveryId: string,
  page: { before: string | undefined; take: number },
): Promise<AttemptRow[]> {
  // A body that the caller may not see does not count towards the limit.
  const requestBody = seesRequestBodies(ctx) ? Prisma.sql`request_body` : NOT_READ;
  const responseHeaders = ctx.sees.payloads ? Prisma.sql`response_headers_sealed` : NOT_READ;
  const plainHeaders = ctx.sees.payloads ? Prisma.sql`response_headers` : Prisma.sql`null::json`;
  const responseBody = ctx.sees.payloads ? Prisma.sql`coalesce(response_body_sealed, response_body)` : NOT_READ;
  const fits = Prisma.sql`bytes <= ${LIMITS.attemptBodiesBytes}::int`;
  return ctx.listDb.$queryRaw<AttemptRow[]>`
    select id, delivery_id as "deliveryId", number, trigger::text as trigger, succeeded, started_at as "startedAt",
      duration_ms as "durationMs", dns_ms as "dnsMs", connect_ms as "connectMs", tls_ms as "tlsMs", ttfb_ms as "ttfbMs",
      url, request_headers as "requestHeaders", case when ${fits} then ${requestBody} end as "requestBody",
      response_status as "responseStatus", ${responseHeaders} as "responseHeadersSealed",
      ${plainHeaders} as "responseHeaders", case when ${fits} then ${responseBody} end as "responseBody",
      response_truncated or (${responseBody} is not null and not ${fits}) as "responseTruncated",
      error_code as "errorCode", error_message as "errorMessage", remote_address as "remoteAddress",
      reconnected, acknowledgement
    from (
      select *, sum(octet_length(request_headers::text) + coalesce(octet_length(${responseHeaders}), 0)
          + coalesce(octet_length(${plainHeaders}::text), 0) + coalesce(octet_length(${requestBody}), 0)
          + coalesce(octet_length(${responseBody}), 0))
        over (order by id desc rows unbounded preceding) as bytes
      from (
        select * from attempt where delivery_id = ${deliveryId}::uuid
          ${page.before === undefined ? Prisma.empty : Prisma.sql`and id < ${page.before}::uuid`}
        order by id desc limit ${page.take}::int
      ) newest
    ) measured
    order by id desc`;
}
