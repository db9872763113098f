import type { AgentSettings } from '@posthorn/contract/agents';
import { fromId, toId } from '@posthorn/contract/ids';
import { digestToken } from '@posthorn/crypto/token';
import type { Db } from '@posthorn/db/client';
import { createAgedCache } from '@posthorn/runtime/aged-cache';
import { createBatcher } from '@posthorn/runtime/batch';
import type { Clock } from '@posthorn/runtime/clock';
import type { Request } from 'express';
import { notValid, requireBearer } from '../auth/credential.ts';
import type { IsKnown } from '../auth/credential-lookup.ts';
import type { LastUsed } from '../auth/last-used.ts';
import type { Principal } from '../auth/principal.ts';
import { agentSettingsOf } from '../environments/agent-settings.ts';
import type { WorkspaceRecord } from '../operation/context.ts';
import { notFound } from '../transport/error.ts';

/** An agent with a valid key of the environment that it calls, or with an access token of the environment's issuer. */
export type Agent = {
  keyId: string | null;
  /** The issuer of its access token; null for a key. */
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
const MAX_AGE_MS = 800;
const MOST_KEPT = 10_000;

/** An environment, with what a call of its agents needs. */
export type Place = {
  environmentId: string;
  workspace: WorkspaceRecord;
  settings: AgentSettings;
  /** The key by which the subjects of tokens become names; null before there was an issuer. */
  subjectsSealed: Uint8Array | null;
};

export type FindPlace = (environmentId: string) => Promise<Place | undefined>;

/**
 * Finds environments. Anybody can ask for any: they are looked up together, one statement at a time, and what was found is
 * kept for less than a second.
 */
export function createPlaces({ db, clock }: { db: Db; clock: Clock }): FindPlace {
  const lookUp = createBatcher<string, Place | undefined>({
    async run(ids) {
      const rows = await db.environment.findMany({
        where: { id: { in: [...new Set(ids)] }, deletedAt: null },
        select: { id: true, agents: true, agentSubjectsSealed: true, workspace: true },
      });
      const places = rows.map(({ id, workspace, agentSubjectsSealed: subjectsSealed, agents }) => {
        return { environmentId: id, workspace, settings: agentSettingsOf({ agents }), subjectsSealed };
      });
      const byId = new Map(places.map((place) => [place.environmentId, place]));
      return ids.map((id) => byId.get(id));
    },
    maxItems: 100,
    maxInFlight: 1,
  });
  return createAgedCache({ clock, maxAgeMs: MAX_AGE_MS, maxEntries: MOST_KEPT, load: lookUp });
}

export type AgentAuthDeps = {
  db: Db;
  clock: Clock;
  lastUsed: Pick<LastUsed, 'agentKey'>;
  isKnown: IsKnown;
  findPlace: FindPlace;
};

/**
 * Authenticates an agent at the address of an environment. Throws `unauthorized` for a key that is malformed, unknown or
 * expired, and `not_found` where it belongs to another environment, or agents may not subscribe.
 */
export function createAgentAuth({ db, clock, lastUsed, isKnown, findPlace }: AgentAuthDeps) {
  const loadKey = createKeyLookup(db);
  const findKey = createAgedCache({
    clock,
    maxAgeMs: MAX_AGE_MS,
    maxEntries: MOST_KEPT,
    load: async (token: string) => ((await isKnown({ kind: 'agentKey', token })) ? loadKey(token) : undefined),
  });
  return async (request: Request, environment: string): Promise<Agent> => {
    const { token } = requireBearer(request, 'agentKey');
    const key = await findKey(token);
    const place = key && (await findPlace(key.environmentId));
    const now = clock.now();
    if (key === undefined || place === undefined || key.expiresAt <= now) throw notValid('agentKey');
    if (fromId('env', environment) !== place.environmentId || !place.settings.enabled) throw notFound('Environment');
    lastUsed.agentKey(key.id, now);
    return agentOf(key, place);
  };
}

type Key = { id: string; environmentId: string; applicationId: string | null; name: string; expiresAt: Date };

/** Reads keys by their tokens, those that are asked for at the same time together: many agents come at once. */
function createKeyLookup(db: Db) {
  return createBatcher<string, Key | undefined>({
    async run(tokens) {
      const digests = tokens.map(digestToken);
      const rows = await db.$queryRaw<(Key & { digest: Uint8Array })[]>`
        select k.digest, k.id, k.environment_id as "environmentId", k.application_id as "applicationId", k.name,
          k.expires_at as "expiresAt"
        from agent_key k left join application a on a.id = k.application_id
        where k.digest = any(${digests}::bytea[]) and a.deleted_at is null`;
      const byDigest = new Map(rows.map((row) => [nameOf(row.digest), row]));
      return digests.map((digest) => byDigest.get(nameOf(digest)));
    },
    maxItems: 100,
    maxInFlight: 1,
  });
}

function nameOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('base64');
}

function agentOf({ id, applicationId, name, expiresAt }: Key, { environmentId, workspace, settings }: Place): Agent {
  return {
    keyId: id,
    issuer: null,
    principal: `key:${id}`,
    environmentId,
    applicationId,
    endsAt: expiresAt,
    settings,
    access: {
      workspace,
      actor: { type: 'agent_key', id: toId('agk', id), label: name },
      grant:
        applicationId === null
          ? { kind: 'scopes', scopes: [], environmentIds: [environmentId] }
          : { kind: 'capabilities', capabilities: [], applicationId, environmentId },
    },
  };
}
