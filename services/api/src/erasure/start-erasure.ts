import type { erasureBody } from '@posthorn/contract/erasures';
import { newUuid, toId, uuidTime } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { ERASED_URL } from '@posthorn/ledger/erase';
import { countErasable, type OperationScope } from '@posthorn/ledger/operation-scope';
import type { z } from 'zod';
import { endAgents } from '../agent-keys/end-agents.ts';
import { deleteAlertRules } from '../alert-rules/delete-rules.ts';
import { reachedEnvironments } from '../auth/bounds.ts';
import { deleteEndpoints } from '../endpoints/delete-endpoints.ts';
import { leaveAudiences } from '../event-types/audience.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { requireEverApplication } from '../operation/history-filters.ts';
import { presentOperation } from '../operations/present-operation.ts';
import { keyRange, requireRoom } from '../operations/start-operation.ts';
import { presentSummary } from '../operations/try-operation.ts';
import { ApiError } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';

export type Erasure = {
  workspaceId: string;
  applicationId: string;
  eventTypes: readonly string[] | undefined;
  /** The keys of the events: later than `after`, lower than `end`. */
  after: string;
  end: string;
  /** Whether the whole customer is erased, without a limit of event types or time. */
  isWhole: boolean;
  /** The request, as the answers and the audit log show it. */
  filter: { applicationId: string; eventTypes: readonly string[] | null; from: string | null; to: string | null };
};

/**
 * An ingesting process may know a deleted application for a second, and then still accept an event for it. So the erasure
 * of a customer begins two seconds later, and includes the events of the next five.
 */
const BEGINS_AFTER_MS = 2_000;
const INCLUDES_AHEAD_MS = 5_000;
/** Replaces the name of an erased customer. */
const ERASED_NAME = 'Erased';

/** Starts the erasure of a customer's data, or only counts the events (docs/interface.md, Erasure). */
export async function startErasure(ctx: WorkspaceContext, body: z.output<typeof erasureBody>) {
  // A dry run, too, counts the events of all environments.
  if (reachedEnvironments(ctx.bounds) !== undefined) {
    throw new ApiError('forbidden', 'This token is bound to environments, but an erasure concerns all of them');
  }
  const applicationId = await requireEverApplication(ctx, body.applicationId);
  const erasure = erasureOf(ctx, applicationId, body);
  if (body.dryRun) {
    return ctx.inListTurn(async () => presentSummary(await countErasable(ctx.listDb, scopeOf(erasure))));
  }
  return ctx.change('operation.started', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    await requireRoom(ctx, transaction);
    const { row, endpoints } = await insertErasure(transaction, erasure, ctx.clock.now());
    const changes = {
      type: { from: null, to: 'erasure' },
      filter: { from: null, to: erasure.filter },
      ...(endpoints === 0 ? {} : { endpoints: { from: endpoints, to: 0 } }),
    };
    return { result: presentOperation(row), entry: { resourceId: toId('op', row.id), changes } };
  });
}

function erasureOf(ctx: WorkspaceContext, applicationId: string, body: z.output<typeof erasureBody>): Erasure {
  const { eventTypes, from, to } = body;
  const isWhole = eventTypes === undefined && from === undefined && to === undefined;
  // No lower limit by retention: rows that no list shows any more have names and addresses, too.
  const range = keyRange(ctx, { from, to, oldestMs: 0 }, { from: 'from', to: 'to' });
  return {
    workspaceId: ctx.workspace.id,
    applicationId,
    eventTypes,
    after: range.after,
    end: isWhole ? lowestKeyAt(new Date(ctx.clock.now().getTime() + INCLUDES_AHEAD_MS)) : range.end,
    isWhole,
    filter: {
      // Never the external id, which may name the customer.
      applicationId: toId('app', applicationId),
      eventTypes: eventTypes ?? null,
      from: from ?? null,
      to: to ?? null,
    },
  };
}

function scopeOf({ workspaceId, applicationId, eventTypes, after, end, isWhole }: Erasure): OperationScope {
  const selected = eventTypes === undefined ? {} : { eventTypes };
  return { workspaceId, applicationId, ...selected, statuses: [], missed: false, after, end, isWhole };
}

/**
 * Records an erasure for the dispatchers. An erasure of the customer itself also deletes the application, its endpoints and
 * its portal sessions, and takes their names away at once. Returns the number of endpoints that it deleted.
 */
export async function insertErasure(transaction: DbTransaction, erasure: Erasure, now: Date) {
  const { workspaceId, applicationId, filter } = erasure;
  const scope = scopeOf(erasure);
  const endpoints = erasure.isWhole ? await eraseCustomer(transaction, applicationId, now) : 0;
  const row = await transaction.operation.create({
    data: {
      id: newUuid(now),
      workspaceId,
      type: 'erasure',
      filter,
      scope,
      nextTurnAt: new Date(now.getTime() + (erasure.isWhole ? BEGINS_AFTER_MS : 0)),
    },
  });
  // The customer's events are one part, under the customer's id. The deliveries to each of its endpoints are another.
  await transaction.$executeRaw`
    insert into operation_part (operation_id, endpoint_id, phase, position)
    select ${row.id}::uuid, ${applicationId}::uuid, 'count_events'::operation_phase, ${scope.after}::uuid
    union all
    select ${row.id}::uuid, id, 'deliveries'::operation_phase, ${scope.after}::uuid from endpoint
    where workspace_id = ${workspaceId}::uuid and application_id = ${applicationId}::uuid
      and (deleted_at is null or deleted_at > ${uuidTime(scope.after)}::timestamptz)`;
  return { row, endpoints };
}

/** Deletes the customer's alert rules with their targets, and what other rules were about to send about it. */
async function eraseAlerts(transaction: DbTransaction, applicationId: string): Promise<void> {
  await deleteAlertRules(transaction, { applicationId });
  await transaction.outgoingMail.deleteMany({ where: { applicationIds: { has: applicationId } } });
  await transaction.raisedAlert.deleteMany({ where: { applicationId } });
}

/** Matches escapes that a JSON text may have and Postgres cannot read: U+0000 and half of a pair of surrogates. */
const UNREADABLE = String.raw`(\\\\)|\\u(?:0000|d[89a-f][0-9a-f]{2})`;
/** Escaped backslashes stay: the text after one is not the rest of an escape. */
const READABLE = String.raw`\1`;

/**
 * Deletes kept answers to applied documents that name the customer or its endpoints by external ids. Call it before
 * those ids are erased.
 */
async function forgetDocuments(transaction: DbTransaction, applicationId: string): Promise<void> {
  await transaction.$executeRaw`
    delete from idempotent_answer
    where workspace_id = (select workspace_id from application where id = ${applicationId}::uuid)
      and case when answer like '{"changes":[%' then exists (
        select from json_array_elements(
          regexp_replace(answer, ${UNREADABLE}::text, ${READABLE}::text, 'g')::json -> 'changes') c
        where c ->> 'kind' in ('application', 'endpoint') and c ->> 'key' in (
          select external_id from application where id = ${applicationId}::uuid
          union all select external_id from endpoint where application_id = ${applicationId}::uuid)) end`;
}

/**
 * Erases what the rows of a customer say about it. The rows stay, so that lists and statistics keep their references.
 */
async function eraseCustomer(transaction: DbTransaction, applicationId: string, now: Date): Promise<number> {
  await transaction.$queryRaw`select 1 from application where id = ${applicationId}::uuid for no key update`;
  await endAgents(transaction, { applicationId });
  await transaction.agentSubscription.deleteMany({ where: { applicationId } });
  const deleted = await deleteEndpoints(transaction, { applicationId }, now);
  await transaction.portalSession.deleteMany({ where: { applicationId } });
  await transaction.pullKey.deleteMany({ where: { endpoint: { applicationId } } });
  await leaveAudiences(transaction, applicationId);
  await eraseAlerts(transaction, applicationId);
  await forgetDocuments(transaction, applicationId);
  await transaction.$executeRaw`
    update application set name = ${ERASED_NAME}::text, external_id = null, metadata = '{}',
      deleted_at = coalesce(deleted_at, ${now}::timestamptz), updated_at = ${now}::timestamptz
    where id = ${applicationId}::uuid`;
  await transaction.$executeRaw`
    update endpoint set url = ${ERASED_URL}::text, description = '', external_id = null, metadata = '{}', config = '{}',
      event_type_patterns = null, secret_headers = '{}', credentials = '{}', auth_username = null, auth_password_sealed = null,
      updated_at = ${now}::timestamptz
    where application_id = ${applicationId}::uuid`;
  const ids = deleted.endpoints?.from;
  return Array.isArray(ids) ? ids.length : 0;
}
