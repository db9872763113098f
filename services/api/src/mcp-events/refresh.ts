import { LIMITS } from '@posthorn/contract/limits';
import { sealContext } from '@posthorn/crypto/contexts';
import type { DbTransaction } from '@posthorn/db/client';
import { forgetHealth } from '@posthorn/ledger/forget-health';
import { readCallbackStates } from '../agent-subscriptions/callback-state.ts';
import { openSealed } from '../endpoints/sealed-values.ts';
import { storeSecret } from '../endpoints/secrets.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import type { Agent } from './agent.ts';
import { answerOfRefresh, expiryIn, type Subscribed, ttlSeconds, type Wanted } from './granted.ts';
import { requireAllowedHost } from './subscribe-params.ts';

/** A replaced secret still signs for this time. */
const GRACE_MS = 300_000;
/** The audit log shows new secrets of a subscription at most once in this time. */
const TOLD_EVERY_MS = 3_600_000;

/**
 * Refreshes the live subscription of this identity: extends it, stores its secret, and ends its suspension. Undefined
 * if there is none. Throws `forbidden` if its host is no longer allowed: the subscription then ends at its expiry. This
 * is a change of the workspace, and takes a turn among them. A refresh that only extends the expiry is done in batches
 * instead.
 */
export async function refresh(ctx: WorkspaceContext, agent: Agent, wanted: Wanted): Promise<Subscribed | undefined> {
  const { identity } = wanted;
  const known = await ctx.db.agentSubscription.count({ where: { identity, endedAt: null } });
  if (known === 0) return undefined;
  requireAllowedHost(agent, wanted.url);
  return ctx.change<Subscribed | undefined>('agent_subscription.secret_rotated', async (transaction) => {
    const seconds = ttlSeconds(agent, wanted.ttlMs);
    const [row] = await transaction.$queryRaw<{ endpointId: string; expiresAt: Date; toldAt: Date | null }[]>`
      update agent_subscription set expires_at = ${expiryIn(seconds, agent.endsAt)}, refreshed_at = now(),
        dialect = ${wanted.dialect}::text, client_name = coalesce(${wanted.clientName}::text, client_name)
      where identity = ${identity}::text and ended_at is null and expires_at > now()
      returning endpoint_id as "endpointId", expires_at as "expiresAt", rotation_told_at as "toldAt"`;
    if (row === undefined) return { result: undefined, entry: null };
    const { endpointId, toldAt } = row;
    const state = (await readCallbackStates(transaction, [endpointId], ctx.clock.now())).get(endpointId);
    if (state?.isSuspended) await forgetHealth(transaction, endpointId);
    const isRotated = await rotate(ctx, transaction, { endpointId, secret: wanted.secret });
    const result = answerOfRefresh(wanted, { expiresAt: row.expiresAt, state });
    const now = ctx.clock.now();
    if (!isRotated || (toldAt !== null && now.getTime() - toldAt.getTime() < TOLD_EVERY_MS)) {
      return { result, entry: null };
    }
    await transaction.agentSubscription.update({ where: { endpointId }, data: { rotationToldAt: now } });
    const { applicationId, environmentId } = agent;
    const changes = { secret: { from: '[redacted]', to: '[redacted]' } };
    // It counts as no change: the limit of changes must not make a subscription lapse.
    return { result, entry: { resourceId: identity, changes, applicationId, environmentId, countsAs: 0 } };
  });
}

/**
 * Stores a secret that differs from the present one. The present one then signs for another 300 s. At most three are live: a
 * further one ends the oldest at once. Returns whether there is a new one.
 */
async function rotate(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  { endpointId, secret }: { endpointId: string; secret: string },
): Promise<boolean> {
  const stored = await transaction.signingSecret.findMany({ where: { endpointId }, orderBy: { id: 'desc' } });
  const present = stored.find(({ expiresAt }) => expiresAt === null);
  if (present !== undefined) {
    const opened = openSealed(ctx.sealingKeys, present.sealed, sealContext.signingSecret(present.id));
    if (opened === secret) return false;
  }
  const now = ctx.clock.now();
  const live = stored.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  const kept = live.slice(0, LIMITS.liveSecretsPerEndpoint - 1).map(({ id }) => id);
  await transaction.signingSecret.deleteMany({ where: { endpointId, id: { notIn: kept } } });
  await transaction.signingSecret.updateMany({
    where: { endpointId, expiresAt: null },
    data: { expiresAt: new Date(now.getTime() + GRACE_MS) },
  });
  await storeSecret(transaction, ctx, { endpointId, secret, config: undefined });
  await transaction.endpoint.update({
    where: { id: endpointId },
    data: { version: { increment: 1 }, updatedAt: now },
  });
  return true;
}
