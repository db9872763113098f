import type { AgentSettings } from '@posthorn/contract/agents';
import { fromId, toId } from '@posthorn/contract/ids';
import { digestToken } from '@posthorn/crypto/token';
import type { Db } from '@posthorn/db/client';
import { createAgedCache } from '@posthorn/runtime/aged-cache';
import type { Clock } from '@posthorn/runtime/clock';
import type { Request } from 'express';
import { notValid, requireBearer } from '../auth/credential.ts';
import type { IsKnown } from '../auth/credential-lookup.ts';
import type { LastUsed } from '../auth/last-used.ts';
import type { Principal } from '../auth/principal.ts';
import { agentSettingsOf } from '../environments/agent-settings.ts';
import { notFound } from '../transport/error.ts';

/** An agent with a valid key of the environment that it calls, or with an access token of the environment's issuer. */
export type Agent = {
  keyId: string | null;
  /** Of its access token. */
  issuer: string | null;
  /** A part of the identity of its subscriptions. */
  principal: string;
  environmentId: string;
  applicationId: string | null;
  /** The end of its key: no subscription lives longer. */
  endsAt: Date | null;
  settings: AgentSettings;
  /** Its rights in the workspace: it sees the types that the portal of its application shows, and does nothing else. */
  access: Principal;
};

/** The end of a key, and a change of the settings, take effect within one second. */
export const MAX_AGE_MS = 800;

export type AgentAuthDeps = { db: Db; clock: Clock; lastUsed: Pick<LastUsed, 'agentKey'>; isKnown: IsKnown };

/**
 * Authenticates an agent at the address of an environment. Throws `unauthorized` for a key that is malformed, unknown or
 * expired, and `not_found` where it belongs to another environment, or agents may not subscribe.
 */
export function createAgentAuth({ db, clock, lastUsed, isKnown }: AgentAuthDeps) {
  const findAgent = createAgedCache({
    clock,
    maxAgeMs: MAX_AGE_MS,
    maxEntries: 10_000,
    load: async (token: string) => ((await isKnown({ kind: 'agentKey', token })) ? loadAgent(db, token) : undefined),
  });
  return async (request: Request, environment: string): Promise<Agent> => {
    const { token } = requireBearer(request, 'agentKey');
    const agent = await findAgent(token);
    const now = clock.now();
    if (agent === undefined || agent.endsAt <= now) throw notValid('agentKey');
    if (fromId('env', environment) !== agent.environmentId || !agent.settings.enabled) throw notFound('Environment');
    lastUsed.agentKey(agent.keyId, now);
    return agent;
  };
}

type OfKey = { keyId: string; endsAt: Date };

async function loadAgent(db: Db, token: string): Promise<(Agent & OfKey) | undefined> {
  const row = await db.agentKey.findUnique({
    where: { digest: digestToken(token) },
    include: {
      // Without its metadata: a join would convert them to jsonb, which refuses U+0000.
      application: { select: { deletedAt: true } },
      environment: { select: { deletedAt: true, agents: true, workspace: true } },
    },
  });
  if (row === null || row.environment.deletedAt !== null) return undefined;
  if (row.application !== null && row.application.deletedAt !== null) return undefined;
  const { id: keyId, environmentId, applicationId, environment } = row;
  const actor = { type: 'agent_key', id: toId('agk', keyId), label: row.name } as const;
  return {
    keyId,
    issuer: null,
    principal: `key:${keyId}`,
    environmentId,
    applicationId,
    endsAt: row.expiresAt,
    settings: agentSettingsOf(environment),
    access: {
      workspace: environment.workspace,
      actor,
      grant:
        applicationId === null
          ? { kind: 'scopes', scopes: [], environmentIds: [environmentId] }
          : { kind: 'capabilities', capabilities: [], applicationId, environmentId },
    },
  };
}
