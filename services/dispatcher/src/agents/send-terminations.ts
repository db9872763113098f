import { type Dialect, EVENTS_ERROR_CODES } from '@posthorn/contract/agents';
import { toId } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys } from '@posthorn/crypto/seal';
import { chosenInTurns } from '@posthorn/db/chosen-in-turns';
import type { Db } from '@posthorn/db/client';
import type { Sender, SendResult } from '@posthorn/destinations/kind';
import type { SubscriptionEnd } from '@posthorn/ledger/agent-subscriptions';
import { askForLease } from '@posthorn/ledger/lease';
import type { Clock } from '@posthorn/runtime/clock';
import { withDeadline } from '@posthorn/runtime/deadline';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import type { DispatcherMetrics } from '../metrics.ts';
import type { Watch } from '../watch.ts';
import { postToCallback } from './callback.ts';
import { msOfLife } from './life.ts';

export type TerminationsDeps = {
  db: Db;
  keys: SealingKeys;
  clock: Clock;
  sender: Pick<Sender, 'send'>;
  /** Hosts that accept only events and challenges, and no other messages. */
  silentHosts: ReadonlySet<string>;
  metrics: Pick<DispatcherMetrics, 'terminations'>;
  logger: Pick<Logger, 'warn'>;
};

/**
 * The most messages that a process sends at once. An owner has only a part of them, so that callbacks that hang leave
 * room for others.
 */
const AT_ONCE = 50;
const OF_OWNER_AT_ONCE = 10;
const TIMEOUT_MS = 10_000;
/** Longer than a send takes. */
const CLAIM_SECONDS = 60;
const BUSY_MS = 50;
const IDLE_MS = 1_000;
/** The seconds before the second and the third try, which is the last. */
const RETRY_SECONDS = [5, 30];
const TRIES = RETRY_SECONDS.length + 1;
const WAIT_AFTER_ERROR_MS = 2_000;
const DRAIN_MS = 3_000;

type Claimed = {
  endpointId: string;
  workspaceId: string;
  identity: string;
  url: string;
  dialect: Dialect;
  endReason: SubscriptionEnd;
  secretIds: string[];
  secrets: Uint8Array[];
  attempts: number;
  lifeMs: number;
  /** Whether the agent has subscribed again. Its client would relate the message to the new subscription. */
  isBack: boolean;
};

type Started = TerminationsDeps & { lifecycle: Pick<Lifecycle, 'onStop'>; watch: Pick<Watch, 'repeat'> };

/**
 * Starts the rounds that tell callbacks about the end of their subscription, at most three times and never at or after
 * its expiry. A round does not wait for the messages that it has begun to send.
 */
export function startTerminations({ lifecycle, watch, ...deps }: Started) {
  const underWay = new Set<Promise<void>>();
  const warn = (error: unknown) => deps.logger.warn('the end of a subscription could not be told', errorFields(error));
  const rounds = watch.repeat('terminations', {
    async round() {
      const asked = askForLease();
      const claimed = await claimDue(deps.db, asked.leaseToken, AT_ONCE - underWay.size);
      for (const termination of claimed) {
        const told: Promise<void> = tell(deps, termination, msOfLife(termination.lifeMs, asked, deps.clock))
          .then((result) => settle(deps, asked.leaseToken, termination, result))
          .catch(warn)
          .finally(() => underWay.delete(told));
        underWay.add(told);
      }
      return claimed.length > 0 ? BUSY_MS : IDLE_MS;
    },
    waitAfterErrorMs: WAIT_AFTER_ERROR_MS,
    onError: warn,
  });
  lifecycle.onStop('ends of subscriptions', async () => {
    await rounds.stop();
    // Another dispatcher sends a message that is cut off, when its claim ends.
    await withDeadline(Promise.all(underWay), DRAIN_MS);
  });
}

async function claimDue(db: Db, claim: string, most: number): Promise<Claimed[]> {
  if (most <= 0) return [];
  return db.$queryRaw<Claimed[]>`
    with recursive ${chosenInTurns('outgoing_termination', { ofOwner: OF_OWNER_AT_ONCE, most })}
    update outgoing_termination t set claim = ${claim}::uuid, attempts = t.attempts + 1,
      claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS}::int)
    from chosen c join agent_subscription a on a.endpoint_id = c.endpoint_id
    where t.endpoint_id = c.endpoint_id
    returning t.endpoint_id as "endpointId", t.workspace_id as "workspaceId", a.identity, a.url, a.dialect,
      a.end_reason as "endReason", t.secret_ids as "secretIds", t.secrets, t.attempts,
      (extract(epoch from a.expires_at - now()) * 1000)::float8 as "lifeMs",
      exists (select from agent_subscription b where b.identity = a.identity and b.ended_at is null) as "isBack"`;
}

/** `dropped`: the message must not be sent any more. */
type Result = 'sent' | 'later' | 'given_up' | 'dropped';

async function tell(deps: TerminationsDeps, termination: Claimed, lifeMs: number): Promise<Result> {
  const { endpointId, url, endReason, dialect, attempts } = termination;
  const secrets = openSecrets(deps.keys, termination);
  const isSilent = deps.silentHosts.has(new URL(url).hostname);
  if (lifeMs <= 0 || termination.isBack || isSilent || secrets.length === 0) return 'dropped';
  // A dispatcher that died did not report how its last try ended.
  if (attempts > TRIES) return 'given_up';
  const [, random] = toId('ep', endpointId).split('_');
  const result = await postToCallback(
    deps,
    { ...termination, secrets },
    {
      // The same in every try.
      id: `msg_terminated_${random}`,
      content: { type: 'terminated', error: errorOf(endReason, dialect) },
      timeoutMs: Math.min(TIMEOUT_MS, lifeMs),
    },
  );
  if (isTaken(result)) return 'sent';
  return attempts < TRIES ? 'later' : 'given_up';
}

/** The secrets that were live at the end and can be decrypted. */
function openSecrets(keys: SealingKeys, { secretIds, secrets }: Claimed): Buffer[] {
  return secretIds.flatMap((id, n) => {
    const opened = open(keys, secrets[n] ?? new Uint8Array(), sealContext.signingSecret(id));
    return opened.kind === 'opened' ? [opened.plaintext] : [];
  });
}

/** A callback that is gone needs no further try. */
function isTaken(result: SendResult): boolean {
  return result.kind === 'response' && ((result.status >= 200 && result.status < 300) || result.status === 410);
}

function errorOf(reason: SubscriptionEnd, dialect: Dialect) {
  const error = (kind: keyof typeof EVENTS_ERROR_CODES, message: string, data: object) => {
    return { code: EVENTS_ERROR_CODES[kind][dialect], message, data };
  };
  switch (reason) {
    case 'event_type_removed':
      return error('not_found', 'There is no such event any more', { kind: 'event' });
    case 'schema_changed':
      return error('unsupported', 'The schema of the event has changed', { feature: 'payloadSchema', reason });
    default:
      return error('forbidden', 'The subscription has ended', { reason });
  }
}

async function settle(
  { db, metrics }: TerminationsDeps,
  claim: string,
  { endpointId, attempts }: Claimed,
  result: Result,
) {
  const where = { endpointId, claim };
  if (result === 'later') {
    const seconds = RETRY_SECONDS[attempts - 1] ?? 0;
    await db.$executeRaw`
      update outgoing_termination set claim = null, claimed_until = null, due_at = now() + make_interval(secs => ${seconds}::int)
      where endpoint_id = ${endpointId}::uuid and claim = ${claim}::uuid`;
  } else await db.outgoingTermination.deleteMany({ where });
  metrics.terminations.inc({ result });
}
