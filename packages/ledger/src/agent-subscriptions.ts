import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';

// The endpoint of an agent's subscription lives until `agent_subscription.expires_at`, by Postgres' clock. No job
// removes it at that moment: each statement that creates or claims a delivery checks the expiry itself.

/** Condition on an endpoint `p`: it is not an agent's endpoint whose subscription has ended or expired. */
export const IS_LIVE: Prisma.Sql = Prisma.sql`(not p.is_temporary or exists (select from agent_subscription a
  where a.endpoint_id = p.id and a.ended_at is null and a.expires_at > now()))`;

/** Why a subscription ended. */
export type SubscriptionEnd =
  | 'unsubscribed'
  | 'expired'
  | 'person'
  | 'key_revoked'
  | 'disabled'
  | 'deleted'
  | 'event_type_removed'
  | 'schema_changed'
  | 'receiver';

/** The ends that are reported to the callback, unless the subscription would have expired anyway. */
const TOLD_ENDS: readonly SubscriptionEnd[] = [
  'person',
  'key_revoked',
  'disabled',
  'deleted',
  'event_type_removed',
  'schema_changed',
];

export type EndedSubscription = {
  endpointId: string;
  identity: string;
  environmentId: string;
  applicationId: string | null;
};

/**
 * Ends live subscriptions `a` that meet the condition: their endpoints are deleted, and match no further event.
 * Deliveries that wait for them end when they are due. If neither the agent nor the callback caused the end,
 * dispatchers tell the callback. Ends at most `most`, and returns them. Call it again until it returns fewer.
 */
export async function endSubscriptions(
  db: Pick<Db | DbTransaction, '$queryRaw'>,
  condition: Prisma.Sql,
  { reason, most }: { reason: SubscriptionEnd; most?: number },
): Promise<EndedSubscription[]> {
  const limit = most === undefined ? Prisma.empty : Prisma.sql`limit ${most}::int`;
  return db.$queryRaw<EndedSubscription[]>`
    with ended as (
      update agent_subscription a set ended_at = now(), end_reason = ${reason}::text
      where a.ended_at is null and a.endpoint_id in (
        select a.endpoint_id from agent_subscription a where a.ended_at is null and ${condition}
        order by a.endpoint_id ${limit} for update)
      returning a.endpoint_id, a.identity, a.workspace_id, a.environment_id, a.application_id, a.expires_at
    ), stopped as (
      update endpoint p set is_active = false, disabled_at = now(), disabled_reason = 'subscription_ended',
        deleted_at = coalesce(p.deleted_at, now()), version = p.version + 1, updated_at = now()
      from ended where p.id = ended.endpoint_id
    ), unsubscribed as (
      delete from subscription s using ended where s.endpoint_id = ended.endpoint_id
    ), told as (
      insert into outgoing_termination (endpoint_id, workspace_id, secret_ids, secrets)
      select e.endpoint_id, e.workspace_id, array_agg(s.id order by s.id desc), array_agg(s.sealed order by s.id desc)
      from ended e join signing_secret s on s.endpoint_id = e.endpoint_id
      where ${TOLD_ENDS.includes(reason)}::bool and e.expires_at > now() and (s.expires_at is null or s.expires_at > now())
      group by e.endpoint_id, e.workspace_id
    )
    select endpoint_id as "endpointId", identity, environment_id as "environmentId", application_id as "applicationId"
    from ended order by endpoint_id`;
}

/** Subscriptions that have expired but are not marked as ended. */
export const HAS_EXPIRED: Prisma.Sql = Prisma.sql`a.expires_at <= now()`;
