import type { Place } from '../kind.ts';

/** A connection to a broker, of any client library. */
export type Connection = {
  /** Whether messages can still be published. */
  isOpen(): boolean;
  /** Closes it, at the latest some seconds later. A second call does nothing. */
  close(): void;
};

/** The use of a connection by one attempt. */
export type Lease<C> = {
  /** Rejects with the error of the client when the broker cannot be reached. */
  connection: Promise<C>;
  /** Undefined until the connection is made. */
  opened(): C | undefined;
  /** Lets no other attempt use the connection. It is closed when the last one gives it back. */
  retire(): void;
  /** A second call does nothing. */
  giveBack(): void;
};

export type Limits = {
  /** A connection is closed so long after its last use. */
  idleMs: number;
  /** The most connections in a process, and of one application or workspace. */
  most: number;
  mostOfOwner: number;
  /** The attempts that begin so soon after a connection failed fail like it, without a connection of their own. */
  failedMs: number;
};

/**
 * Of connections in use, one account holds at most so many for each one that would stay free. So another account always finds
 * some, however many applications the first has, and one that is alone gets three quarters.
 */
const HELD_PER_FREE = 3;

const LIMITS: Limits = { idleMs: 60_000, most: 200, mostOfOwner: 50, failedMs: 500 };

function accountOf({ accountId, owner }: Place): string {
  return accountId ?? owner;
}

/** A connection that may be open, of any kind. */
type Counted = { place: Place; opened: Connection | undefined; users: number; close(): void };

type Kept<C extends Connection> = Omit<Counted, 'opened'> & {
  connection: Promise<C>;
  opened: C | undefined;
  isRetired: boolean;
  timer?: NodeJS.Timeout;
};

/** The connections that the same limits count: with `LIMITS`, the ones of all kinds, for all purposes of the process. */
const countedBy = new WeakMap<Limits, Set<Counted>>();

/**
 * One connection for each endpoint, which all its attempts share. A change of the endpoint replaces it. The ones that were
 * used last are kept longest.
 */
export function createKeptConnections<C extends Connection>(
  open: (place: Place) => Promise<C>,
  limits: Limits = LIMITS,
) {
  const { idleMs, most, mostOfOwner, failedMs } = limits;
  /** Each connection that may be open, in the order of the last use: also the retired ones, until they are closed. */
  const counted = countedBy.get(limits) ?? new Set<Counted>();
  countedBy.set(limits, counted);
  /** The ones that were made here. */
  const all = new Set<Kept<C>>();
  const byEndpoint = new Map<string, Kept<C>>();

  const close = (kept: Kept<C>) => {
    clearTimeout(kept.timer);
    retire(kept);
    if (kept.opened !== undefined) {
      kept.opened.close();
      forget(kept);
    }
  };
  const forget = (kept: Kept<C>) => {
    all.delete(kept);
    counted.delete(kept);
  };
  const retire = (kept: Kept<C>) => {
    kept.isRetired = true;
    if (byEndpoint.get(kept.place.endpointId) === kept) byEndpoint.delete(kept.place.endpointId);
  };
  const closeIfUnused = (kept: Kept<C>) => {
    if (kept.users === 0) close(kept);
  };

  const find = ({ endpointId, revision }: Place) => {
    const kept = byEndpoint.get(endpointId);
    if (kept === undefined || (kept.place.revision === revision && kept.opened?.isOpen() !== false)) return kept;
    retire(kept);
    closeIfUnused(kept);
    return undefined;
  };

  /** Closes the connection that has been unused for the longest time, if there are too many. */
  const hasRoom = (among: (kept: Counted) => boolean, limit: number) => {
    const present = [...counted].filter(among);
    if (present.length < limit) return true;
    const unused = present.find(({ users, opened }) => users === 0 && opened !== undefined);
    unused?.close();
    return unused !== undefined;
  };
  /** Whether enough connections stay free for other accounts. */
  const leavesRoom = (place: Place) => {
    const inUse = [...counted].filter(({ users, opened }) => users > 0 || opened === undefined);
    const held = inUse.filter((kept) => accountOf(kept.place) === accountOf(place)).length;
    return held === 0 || held + 1 <= HELD_PER_FREE * (most - inUse.length - 1);
  };
  const start = (place: Place): Kept<C> | undefined => {
    const isOfOwner = (kept: Counted) => kept.place.owner === place.owner;
    if (!leavesRoom(place) || !hasRoom(isOfOwner, mostOfOwner) || !hasRoom(() => true, most)) return undefined;
    const kept: Kept<C> = {
      ...{ place, connection: open(place), opened: undefined, users: 0, isRetired: false },
      close: () => close(kept),
    };
    all.add(kept);
    counted.add(kept);
    byEndpoint.set(place.endpointId, kept);
    kept.connection.then(
      (opened) => {
        kept.opened = opened;
        if (kept.isRetired) closeIfUnused(kept);
      },
      () => {
        clearTimeout(kept.timer);
        forget(kept);
        // A broker that is down would otherwise cost a handshake for every message that waits.
        if (!kept.isRetired) setTimeout(retire, failedMs, kept).unref();
      },
    );
    return kept;
  };

  return {
    /** Undefined if there are too many connections, and all of them are in use. */
    take(place: Place): Lease<C> | undefined {
      const kept = find(place) ?? start(place);
      if (kept === undefined) return undefined;
      clearTimeout(kept.timer);
      kept.users += 1;
      // One that failed is not open.
      if (counted.delete(kept)) counted.add(kept);
      let isGivenBack = false;
      return {
        connection: kept.connection,
        opened: () => kept.opened,
        retire: () => retire(kept),
        giveBack() {
          if (isGivenBack) return;
          isGivenBack = true;
          kept.users -= 1;
          if (kept.users > 0 || !all.has(kept)) return;
          if (kept.isRetired) close(kept);
          else kept.timer = setTimeout(close, idleMs, kept).unref();
        },
      };
    },
    /** How many connections that were made here may be open. */
    count: () => all.size,
    closeAll() {
      for (const kept of [...all]) close(kept);
    },
  };
}
