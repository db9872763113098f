import type { OperationalEventName } from '@posthorn/contract/operational-events';
import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';

const BATCH = 500;
const EXPIRING: OperationalEventName = 'posthorn.api_key.expiring';

/**
 * Announces each API key that ends within 7 days, once, and returns their number: by an operational event if that event
 * type is published in the default environment, and to the alert rules that want it. A key that was rotated is left
 * out.
 */
export async function raiseExpiringKeys(db: Db): Promise<number> {
  let total = 0;
  for (let raised = BATCH; raised === BATCH; total += raised) {
    raised = await retryConflicts(
      () => db.$executeRaw`
        with expiring as materialized (
          select k.id, k.name, k.environment_id, k.expires_at, e.workspace_id, d.id as default_environment_id,
            exists (select from event_type t join published_event_type v on v.event_type_id = t.id
              where t.workspace_id = e.workspace_id and t.name = ${EXPIRING} and v.environment_id = d.id) as published
          from api_key k join environment e on e.id = k.environment_id
          join environment d on d.workspace_id = e.workspace_id and d.is_default and d.deleted_at is null
          where k.expires_at > now() and k.expires_at <= now() + interval '7 days' and k.revoked_at is null
            and k.expiry_raised_at is null
            and (exists (select from event_type t join published_event_type v on v.event_type_id = t.id
                where t.workspace_id = e.workspace_id and t.name = ${EXPIRING} and v.environment_id = d.id)
              or exists (select from alert_rule r where r.workspace_id = e.workspace_id and ${EXPIRING} = any(r.events)
                and r.application_id is null and (r.environment_id is null or r.environment_id = k.environment_id)))
          order by k.id limit ${BATCH}::int for update of k skip locked
        ), marked as (
          update api_key k set expiry_raised_at = now() from expiring x where k.id = x.id
        ), told as (
          insert into operational_event (workspace_id, environment_id, event_type, facts)
          select workspace_id, default_environment_id, ${EXPIRING}, json_build_object(
            'apiKeyId', id, 'name', name, 'environmentId', environment_id, 'expiresAt', expires_at)
          from expiring where published
        )
        select raise_alert(workspace_id, environment_id, null, null, ${EXPIRING}, json_build_object(
          'apiKeyId', id, 'name', name, 'expiresAt', expires_at)) from expiring`,
    );
  }
  return total;
}
