import { sealContext } from '@posthorn/crypto/contexts';
import type { SealingKeys } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import { createBatcher } from '@posthorn/runtime/batch';
import type { Clock } from '@posthorn/runtime/clock';
import { readCallbackStates } from '../agent-subscriptions/callback-state.ts';
import { openSealed } from '../endpoints/sealed-values.ts';
import type { Agent } from './agent.ts';
import { answerOfRefresh, type Subscribed, ttlSeconds, type Wanted } from './granted.ts';

type Refresh = { agent: Agent; wanted: Omit<Wanted, 'eventTypeId'> };

/** Undefined if a batch cannot do the refresh, or there is nothing to refresh. */
export type RefreshInBatches = (refresh: Refresh) => Promise<Subscribed | undefined>;

type Live = { endpointId: string; identity: string; isSuspended: boolean; secretId: string; sealed: Uint8Array };

/** The time between batches. A batch costs Postgres as much as some 20 refreshes, so those of this time share one. */
const APART_MS = 20;

type Deps = { db: Db; clock: Pick<Clock, 'now'>; sealingKeys: SealingKeys };

/**
 * Refreshes live subscriptions in batches, because many agents refresh at once, as after an outage. It takes only
 * subscriptions with the present secret that are not suspended, and whose type the agent may see. So it writes one
 * narrow row of each, and nothing else. It waits for no lock, so not for changes of people either. The caller has
 * checked the host.
 */
export function createRefreshInBatches({ db, clock, sealingKeys }: Deps): RefreshInBatches {
  return createBatcher<Refresh, Subscribed | undefined>({
    async run(refreshes) {
      const identities = refreshes.map(({ wanted }) => wanted.identity);
      const live = new Map((await findLive(db, identities)).map((row) => [row.identity, row]));
      const plain = refreshes.flatMap((refresh) => {
        const row = live.get(refresh.wanted.identity);
        if (row === undefined || row.isSuspended) return [];
        const secret = openSealed(sealingKeys, row.sealed, sealContext.signingSecret(row.secretId));
        return secret === refresh.wanted.secret ? [{ refresh, endpointId: row.endpointId }] : [];
      });
      // If a subscription is refreshed several times, only the last refresh counts.
      const latest = new Map(plain.map((one) => [one.refresh.wanted.identity, one]));
      const [expiries, states] = await Promise.all([
        extend(
          db,
          [...latest.values()].map(({ refresh }) => refresh),
        ),
        readCallbackStates(
          db,
          [...latest.values()].map(({ endpointId }) => endpointId),
          clock.now(),
        ),
      ]);
      const answers = new Map(
        plain.map(({ refresh, endpointId }) => {
          const expiresAt = expiries.get(refresh.wanted.identity);
          const state = states.get(endpointId);
          return [refresh, expiresAt && answerOfRefresh(refresh.wanted, { expiresAt, state })];
        }),
      );
      return refreshes.map((refresh) => answers.get(refresh));
    },
    maxItems: 100,
    lane: ({ agent }) => agent.access.workspace.id,
    // Two batches at once might meet at one row. The second one would leave it out.
    maxInFlight: 1,
    apartMs: APART_MS,
  });
}

/** The given subscriptions that live, and whose event type is published and shown to their customer. */
function findLive(db: Db, identities: readonly string[]): Promise<Live[]> {
  return db.$queryRaw<Live[]>`
    select a.endpoint_id as "endpointId", a.identity, h.open_until is not null as "isSuspended", s.id as "secretId", s.sealed
    from agent_subscription a
    join published_event_type v on v.environment_id = a.environment_id and v.event_type_id = a.event_type_id
    join signing_secret s on s.endpoint_id = a.endpoint_id and s.expires_at is null
    left join endpoint_health h on h.endpoint_id = a.endpoint_id
    where a.identity = any(${[...identities]}::text[]) and a.ended_at is null and a.expires_at > now()
      and not exists (select from event_type_audience u where u.environment_id = a.environment_id
        and u.event_type_id = a.event_type_id and not a.application_id = any(u.application_ids))`;
}

/** The new expiry by identity, for subscriptions that are still live and not locked. */
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
