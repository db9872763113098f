import type { Db } from '@posthorn/db/client';
import { keepLastLeases } from '@posthorn/ledger/pull-state';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { type Repeating, repeat } from '@posthorn/runtime/repeat';

/**
 * Records when credentials were used. The times are written together every few seconds, so that no request waits for
 * the write.
 */
export type LastUsed = Pick<Repeating, 'stop'> & {
  managementToken(id: string, at: Date): void;
  apiKey(id: string, at: Date): void;
  pullKey(id: string, at: Date): void;
  agentKey(id: string, at: Date): void;
  /** A consumer has leased from the endpoint, or has tried to. */
  leased(endpointId: string, at: Date): void;
};

type Options = { logger: Logger; everyMs: number };

export function createLastUsed(db: Db, { logger, everyMs }: Options): LastUsed {
  const tokens = new Map<string, Date>();
  const keys = new Map<string, Date>();
  const pullKeys = new Map<string, Date>();
  const agentKeys = new Map<string, Date>();
  const endpoints = new Map<string, Date>();
  const flush = async () => {
    const usedTokens = takeSorted(tokens);
    if (usedTokens.length > 0) {
      await db.$executeRaw`
        update management_token t set last_used_at = greatest(t.last_used_at, u.at)
        from unnest(${usedTokens.map(([id]) => id)}::uuid[], ${usedTokens.map(([, at]) => at)}::timestamptz[]) u(id, at)
        where t.id = u.id`;
    }
    const usedKeys = takeSorted(keys);
    if (usedKeys.length > 0) {
      await db.$executeRaw`
        update api_key k set last_used_at = greatest(k.last_used_at, u.at)
        from unnest(${usedKeys.map(([id]) => id)}::uuid[], ${usedKeys.map(([, at]) => at)}::timestamptz[]) u(id, at)
        where k.id = u.id`;
    }
    const usedPullKeys = takeSorted(pullKeys);
    if (usedPullKeys.length > 0) {
      await db.$executeRaw`
        update pull_key k set last_used_at = greatest(k.last_used_at, u.at)
        from unnest(${usedPullKeys.map(([id]) => id)}::uuid[], ${usedPullKeys.map(([, at]) => at)}::timestamptz[]) u(id, at)
        where k.id = u.id`;
    }
    const usedAgentKeys = takeSorted(agentKeys);
    if (usedAgentKeys.length > 0) {
      await db.$executeRaw`
        update agent_key k set last_used_at = greatest(k.last_used_at, u.at)
        from unnest(${usedAgentKeys.map(([id]) => id)}::uuid[], ${usedAgentKeys.map(([, at]) => at)}::timestamptz[]) u(id, at)
        where k.id = u.id`;
    }
    const leasedFrom = takeSorted(endpoints);
    if (leasedFrom.length > 0) await keepLastLeases(db, leasedFrom);
    return everyMs;
  };
  const onError = (error: unknown) => logger.warn('last-used times were not written', errorFields(error));
  const flushing = repeat({ round: flush, waitAfterErrorMs: everyMs, onError });
  return {
    managementToken: (id, at) => tokens.set(id, at),
    apiKey: (id, at) => keys.set(id, at),
    pullKey: (id, at) => pullKeys.set(id, at),
    agentKey: (id, at) => agentKeys.set(id, at),
    leased: (endpointId, at) => endpoints.set(endpointId, at),
    async stop() {
      await flushing.stop();
      await flush().catch(onError);
    },
  };
}

function takeSorted(stamps: Map<string, Date>): [string, Date][] {
  const taken = [...stamps].sort(([a], [b]) => (a < b ? -1 : 1));
  stamps.clear();
  return taken;
}
