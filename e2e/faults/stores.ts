import type { PostgresPair } from '@posthorn/testkit/postgres-pair';
import { askRedis } from '@posthorn/testkit/redis-place';
import type { TcpGate } from '@posthorn/testkit/tcp-gate';
import { elapsed } from './load.ts';
import type { Outage } from './oracle.ts';
import type { OwnStores } from './own-stores.ts';
import { createRedisPair, type RedisPair } from './redis-pair.ts';

/** A store from the view of the members. Each fault affects all members. */
export type FaultyStore = {
  /** Acts like a host that is down: cuts connections and refuses new ones until `restore`. */
  refuse: () => Promise<void>;
  restore: () => Promise<void>;
  /** Acts like a host that hangs, until `thaw`. With `existing`, only the open connections hang (half-open). */
  freeze: (which?: 'all' | 'existing') => void;
  thaw: () => void;
  /**
   * Ends the store itself until `start`, by a normal stop or a kill. If the run has no stores of its own, the members
   * are cut off from the store instead.
   */
  stop: (how?: 'gracefully' | 'kill') => Promise<void>;
  /** Resolves when the store answers again. */
  start: () => Promise<void>;
  /** Ends every fault that a row has left active. */
  heal: () => Promise<void>;
  outages: Outage[];
};

export type FaultyPostgres = FaultyStore & {
  /**
   * Cuts the primary off from its standby, kills it, promotes the standby and connects the members to it. Only in a rig
   * with a standby.
   */
  failOver: () => Promise<void>;
  /** From now on, the standby gets no commits. */
  cutStandbyOff: () => void;
};

export type FaultyRedis = FaultyStore &
  Pick<RedisPair, 'failOver'> & {
    /** Sends one command directly, without a gate. */
    ask: (command: string, ...args: (string | number)[]) => Promise<unknown>;
    /** Runs FLUSHALL, or FLUSHDB on a shared Redis. */
    flush: () => Promise<void>;
    /** Makes Redis refuse every write for lack of memory, until `free`. Only if Redis belongs to the run. */
    fill: () => Promise<void>;
    free: () => Promise<void>;
  };

// Less memory than an empty Redis uses.
const NO_MEMORY = '1mb';
const ALL_MEMORY = '0';

const CUT_OFF_MS = 500;

type Given = { name: 'postgres' | 'redis'; gates: () => TcpGate[]; own: OwnStores | undefined };

function createStore({ name, gates, own }: Given): FaultyStore & { begin: () => void; end: () => void } {
  const outages: Outage[] = [];
  const begin = () => void outages.push({ fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY });
  const end = () => {
    const open = outages.find((outage) => outage.toMs === Number.POSITIVE_INFINITY);
    if (open !== undefined) open.toMs = Date.now();
  };
  const shut = () => Promise.all(gates().map((gate) => gate.shut()));
  const open = () => Promise.all(gates().map((gate) => gate.open()));
  const start = async () => {
    await own?.(name, 'start');
    await open();
    end();
  };
  return {
    outages,
    begin,
    end,
    start,
    async heal() {
      if (outages.some((outage) => outage.toMs === Number.POSITIVE_INFINITY)) await start();
    },
    async refuse() {
      begin();
      await shut();
    },
    async restore() {
      await open();
      end();
    },
    freeze(which) {
      begin();
      for (const gate of gates()) gate.freeze(which);
    },
    thaw() {
      for (const gate of gates()) gate.thaw();
      end();
    },
    async stop(how = 'gracefully') {
      begin();
      await own?.(name, how === 'kill' ? 'kill' : 'stop');
      await shut();
    },
  };
}

export function createPostgres(given: Given, pair: PostgresPair | undefined): FaultyPostgres {
  const { begin, end, ...store } = createStore(given);
  return {
    ...store,
    cutStandbyOff: () => pair?.link.freeze(),
    async failOver() {
      if (pair === undefined) throw new Error('this rig has no standby');
      begin();
      // From now on, commits of the primary never reach the standby. A primary with a synchronous standby must
      // not acknowledge them.
      pair.link.freeze();
      await elapsed(CUT_OFF_MS);
      await pair.failOver();
      end();
    },
  };
}

export function createRedis(redisUrl: string, given: Given): FaultyRedis {
  const pair = createRedisPair(redisUrl, given);
  const ask: FaultyRedis['ask'] = (command, ...args) => askRedis(pair.masterUrl(), command, ...args);
  const { begin, end, ...store } = createStore(given);
  const free = async () => {
    await ask('CONFIG', 'SET', 'maxmemory', ALL_MEMORY);
    end();
  };
  return {
    ...store,
    ask,
    failOver: pair.failOver,
    flush: async () => void (await ask(given.own === undefined ? 'FLUSHDB' : 'FLUSHALL')),
    async fill() {
      if (given.own === undefined) throw new Error('this Redis is used by others');
      begin();
      await ask('CONFIG', 'SET', 'maxmemory', NO_MEMORY);
    },
    free,
    async heal() {
      await store.heal();
      await pair.failBack();
      if (given.own !== undefined) await free();
    },
  };
}
