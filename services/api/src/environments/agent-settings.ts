import { type AgentSettings, DEFAULT_AGENT_SETTINGS, type setAgentSettingsBody } from '@posthorn/contract/agents';
import { toId } from '@posthorn/contract/ids';
import { Prisma } from '@posthorn/db/generated/client';
import { endSubscriptions } from '@posthorn/ledger/agent-subscriptions';
import type { z } from 'zod';
import { countsOf, diff } from '../audit/change.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError } from '../transport/error.ts';
import { lockEnvironment, requireEnvironment } from './environments.ts';

/** What agents may do in an environment; the defaults where nobody has decided yet. Answered also while agents are off. */
export async function getAgentSettings(ctx: WorkspaceContext, id: string) {
  const available = ctx.settings.agents !== undefined;
  return { ...agentSettingsOf(await requireEnvironment(ctx, ctx.db, id)), available };
}

/** Replaces the settings. Subscriptions that exist keep their rate limit. Without `enabled`, all of them end. */
export async function setAgentSettings(ctx: WorkspaceContext, id: string, body: z.output<typeof setAgentSettingsBody>) {
  requireAgents(ctx);
  return ctx.change('agents.updated', async (transaction) => {
    const { id: environmentId } = await requireEnvironment(ctx, transaction, id);
    await lockEnvironment(transaction, environmentId);
    const before = agentSettingsOf(await requireEnvironment(ctx, transaction, id));
    const { limit, periodSeconds } = body.rateLimit;
    const after: AgentSettings = { ...body, rateLimit: { limit, periodSeconds } };
    const changes = diff(before, after);
    if (Object.keys(changes).length === 0) return { result: { ...before, available: true }, entry: null };
    await transaction.environment.update({ where: { id: environmentId }, data: { agents: after } });
    const ended = after.enabled
      ? []
      : await endSubscriptions(transaction, Prisma.sql`a.environment_id = ${environmentId}::uuid`, {
          reason: 'disabled',
        });
    const entry = {
      resourceId: toId('env', environmentId),
      resourceType: 'environment',
      changes: { ...changes, ...countsOf('agentSubscriptions', { from: ended.length }) },
    };
    return { result: { ...after, available: true }, entry };
  });
}

/** The settings of an environment's row. */
export function agentSettingsOf({ agents }: { agents: unknown }): AgentSettings {
  // The API, the only writer, checked them against the contract.
  return agents === null ? DEFAULT_AGENT_SETTINGS : (agents as AgentSettings);
}

/** Refuses with `not_found` where the operator has not switched agents on. */
export function requireAgents({ settings }: Pick<WorkspaceContext, 'settings'>): void {
  if (settings.agents === undefined) {
    throw new ApiError('not_found', 'Agents cannot subscribe here: the operator switches it on with MCP_EVENTS');
  }
}
