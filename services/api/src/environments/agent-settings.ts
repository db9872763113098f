import { randomBytes } from 'node:crypto';
import {
  type AgentIssuer,
  type AgentSettings,
  type checkedAgentIssuer,
  DEFAULT_AGENT_SETTINGS,
  type setAgentSettingsBody,
} from '@posthorn/contract/agents';
import { toId } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { seal } from '@posthorn/crypto/seal';
import type { DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { endSubscriptions } from '@posthorn/ledger/agent-subscriptions';
import { errors } from 'jose';
import type { z } from 'zod';
import { countsOf, diff } from '../audit/change.ts';
import { planRequired } from '../auth/principal.ts';
import { IssuerFault, readIssuer } from '../mcp-events/issuer-keys.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError, invalid, notFound } from '../transport/error.ts';
import { lockEnvironment, requireEnvironment } from './environments.ts';

/** The settings for agents in an environment, or the defaults. Answered also while agents are off. */
export async function getAgentSettings(ctx: WorkspaceContext, id: string) {
  const available = ctx.settings.agents !== undefined;
  return { ...agentSettingsOf(await requireEnvironment(ctx, ctx.db, id)), available };
}

/** Replaces the settings. Subscriptions that exist keep their rate limit. Without `enabled`, all of them end. */
export async function setAgentSettings(ctx: WorkspaceContext, id: string, body: z.output<typeof setAgentSettingsBody>) {
  requireAgents(ctx);
  const { callbackHosts = null, issuer = null } = body;
  await vetIssuer(ctx, issuer);
  return ctx.change('agents.updated', async (transaction) => {
    const { id: environmentId } = await requireEnvironment(ctx, transaction, id);
    await lockEnvironment(transaction, environmentId);
    const before = agentSettingsOf(await requireEnvironment(ctx, transaction, id));
    const { limit, periodSeconds } = body.rateLimit ?? DEFAULT_AGENT_SETTINGS.rateLimit;
    const after: AgentSettings = { ...body, callbackHosts, issuer, rateLimit: { limit, periodSeconds } };
    const changes = diff(before, after);
    if (Object.keys(changes).length === 0) return { result: { ...before, available: true }, entry: null };
    if (after.issuer !== null && before.issuer === null && ctx.workspace.plan === 'free') throw planRequired();
    await transaction.environment.update({ where: { id: environmentId }, data: { agents: after } });
    if (after.issuer !== null) await ensureSubjectsKey(ctx, transaction, environmentId);
    const ended = await endSubscriptions(
      transaction,
      Prisma.sql`a.environment_id = ${environmentId}::uuid and ${noLongerAllowed(after)}`,
      { reason: 'disabled' },
    );
    const entry = {
      resourceId: toId('env', environmentId),
      resourceType: 'environment',
      changes: { ...changes, ...countsOf('agentSubscriptions', { from: ended.length }) },
    };
    return { result: { ...after, available: true }, entry };
  });
}

/**
 * The condition for subscriptions `a` that are no longer allowed: without `enabled` all, else logins at other issuers.
 */
function noLongerAllowed({ enabled, issuer }: AgentSettings): Prisma.Sql {
  if (!enabled) return Prisma.sql`true`;
  // The application's id has no colon, and the name of the subject no `#`.
  const allowed = issuer === null ? '' : issuer.issuer;
  return Prisma.sql`starts_with(a.principal, 'oauth:') and regexp_replace(a.principal, '^oauth:[^:]*:|#[^#]*$', '', 'g') <> ${allowed}::text`;
}

/** Refuses addresses that the egress rules do not allow. A name that does not resolve may be set up later. */
async function vetIssuer({ vetUrl }: Pick<WorkspaceContext, 'vetUrl'>, issuer: AgentIssuer | null): Promise<void> {
  if (issuer === null) return;
  for (const field of ['issuer', 'jwksUri'] as const) {
    const url = issuer[field];
    const verdict = url === null ? undefined : await vetUrl(url);
    if (verdict?.kind !== 'refused') continue;
    const place = `issuer.${field}`;
    throw invalid(verdict.message.replace(/^(?:Webhook URL|url)\b/, place), place, verdict.rule);
  }
}

const KEY_BYTES = 32;

/** Makes the key by which subjects become names, unless there is one: their names stay the same for ever. */
async function ensureSubjectsKey(ctx: WorkspaceContext, transaction: DbTransaction, id: string): Promise<void> {
  const sealed = seal(ctx.sealingKeys, randomBytes(KEY_BYTES), sealContext.agentSubjects(id));
  await transaction.environment.updateMany({
    where: { id, agentSubjectsSealed: null },
    data: { agentSubjectsSealed: new Uint8Array(sealed) },
  });
}

/** Reads the keys of the environment's issuer now, as the check of a token does. */
export async function checkAgentIssuer(
  ctx: WorkspaceContext,
  id: string,
): Promise<z.output<typeof checkedAgentIssuer>> {
  requireAgents(ctx);
  const environment = await requireEnvironment(ctx, ctx.db, id);
  const { issuer } = agentSettingsOf(environment);
  if (issuer === null) throw notFound('Issuer');
  try {
    const keys = await readIssuer(ctx, { environmentId: environment.id, claimant: ctx.claimant }, issuer);
    return { ok: keys > 0, keys, message: keys === 1 ? 'The issuer has 1 key' : `The issuer has ${keys} keys` };
  } catch (error) {
    if (error instanceof IssuerFault || error instanceof errors.JWKSInvalid)
      return { ok: false, keys: 0, message: error.message };
    throw error;
  }
}

/** The settings of an environment's row. */
export function agentSettingsOf({ agents }: { agents: unknown }): AgentSettings {
  // The API, the only writer, checked them against the contract.
  return { ...DEFAULT_AGENT_SETTINGS, ...(agents as Partial<AgentSettings> | null) };
}

/** Refuses with `not_found` where the operator has not switched agents on. */
export function requireAgents({ settings }: Pick<WorkspaceContext, 'settings'>): void {
  if (settings.agents === undefined) {
    throw new ApiError('not_found', 'Agents cannot subscribe here: the operator switches it on with MCP_EVENTS');
  }
}
