import { sealContext } from '@posthorn/crypto/contexts';
import type { SealingKeys } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import { createBatcher } from '@posthorn/runtime/batch';
import { readCallbackStates } from '../agent-subscriptions/callback-state.ts';
import { openSealed } from '../endpoints/sealed-values.ts';
import type { Agent } from './agent.ts';
import { answerOfRefresh, type Subscribed, ttlSeconds, type Wanted } from './granted.ts';

type Refresh = { agent: Agent; wanted: Omit<Wanted, 'eventTypeId'> };

/** Undefined where the refresh is not of this kind, or there is nothing to refresh. */
export type RefreshInBatches = (refresh: Refresh) => Promise<Subscribed | undefined>;

type Live = { endpointId: string; identity: string; secretId: string; sealed: Uint8Array };

/**
 * Refreshes live subscriptions, those that come at the same time together: many agents refresh at once, as after an outage. Only
 * those that have the present secret, are not suspended, and whose type the agent may see. So one narrow row of each is
 * written, and nothing else. It waits for no lock, so not for changes of people either. The caller has checked the host.
 */
export function createRefreshInBatches({ db, sealingKeys }: { db: Db; sealingKeys: SealingKeys }): RefreshInBatches {
  return createBatcher<Refresh, Subscribed | undefined>({
    async run(refreshes) {
      const found = await findLive(
        db,
        refreshes.map(({ wanted }) => wanted.identity),
      );
      const live = new Map(found.map((row) => [row.identity, row]));
      const states = await readCallbackStates(
        db,
        found.map(({ endpointId }) => endpointId),
      );
      const isPlain = ({ wanted }: Refresh) => {
        const row = live.get(wanted.identity);
        if (row === undefined || states.get(row.endpointId)?.isSuspended === true) return false;
        return openSealed(sealingKeys, row.sealed, sealContext.signingSecret(row.secretId)) === wanted.secret;
      };
      const plain = refreshes.filter(isPlain);
      // The last one of equal subscriptions counts.
      const latest = new Map(plain.map((refresh) => [refresh.wanted.identity, refresh]));
      const expiries = await extend(db, [...latest.values()]);
      return refreshes.map((refresh) => {
        const { identity } = refresh.wanted;
        const [row, expiresAt] = [live.get(identity), expiries.get(identity)];
        if (row === undefined || expiresAt === undefined || !plain.includes(refresh)) return undefined;
        return answerOfRefresh(refresh.wanted, { expiresAt, state: states.get(row.endpointId) });
      });
    },
    maxItems: 100,
    lane: ({ agent }) => agent.access.workspace.id,
    // Two at once might meet at one row, which the second one would leave out.
    maxInFlight: 1,
  });
}

/** The given subscriptions that live, and whose event type is published and shown to their customer. */
function findLive(db: Db, identities: readonly string[]): Promise<Live[]> {
  return db.$queryRaw<Live[]>`
    select a.endpoint_id as "endpointId", a.identity, s.id as "secretId", s.sealed
    from agent_subscription a
    join published_event_type v on v.environment_id = a.environment_id and v.event_type_id = a.event_type_id
    join signing_secret s on s.endpoint_id = a.endpoint_id and s.expires_at is null
    where a.identity = any(${[...identities]}::text[]) and a.ended_at is null and a.expires_at > now()
      and not exists (select from event_type_audience u where u.environment_id = a.environment_id
        and u.event_type_id = a.event_type_id and not a.application_id = any(u.application_ids))`;
}

/** The new expiry by identity, of those that still live and are not locked. */
async function extend(db: Db, refreshes: readonly Refresh[]): Promise<Map<string, Date>> {
  if (refreshes.length === 0) return new Map();
  const wanted = refreshes.map(({ agent, wanted: { identity, ttlMs, dialect, clientName } }) => {
    return { identity, seconds: ttlSeconds(agent, ttlMs), endsAt: agent.endsAt, dialect, clientName };
  });
  const identities = wanted.map(({ identity }) => identity);
  const rows = await db.$queryRaw<{ identity: string; expiresAt: Date }[]>`
    with free as materialized (
      select endpoint_id from agent_subscription
      where identity = any(${identities}::text[]) and ended_at is null and expires_at > now()
      for no key update skip locked
    )
    update agent_subscription a set refreshed_at = now(), dialect = w.dialect,
      client_name = coalesce(w."clientName", a.client_name),
      expires_at = date_trunc('milliseconds', least(now() + make_interval(secs => w.seconds), w."endsAt"))
    from json_to_recordset(${JSON.stringify(wanted)}::json)
      as w(identity text, seconds float8, "endsAt" timestamptz, dialect text, "clientName" text)
    where a.endpoint_id in (select endpoint_id from free) and a.identity = w.identity
    returning a.identity, a.expires_at as "expiresAt"`;
  return new Map(rows.map(({ identity, expiresAt }) => [identity, expiresAt]));
}
