import type { Place } from '../kind.ts';

/** A connection to a broker, of any client library. */
export type Connection = {
  /** Whether the connection can still publish messages. */
  isOpen(): boolean;
  /** Closes the connection, after a few seconds at the latest. A second call does nothing. */
  close(): void;
};

/** One attempt's use of a connection. */
export type Lease<C> = {
  /** Rejects with an error of the client if the broker cannot be reached. */
  connection: Promise<C>;
  /** Undefined until the connection is made. */
  opened(): C | undefined;
  /** Stops other attempts from using the connection. It closes when the last user gives it back. */
  retire(): void;
  /** A second call does nothing. */
  giveBack(): void;
};

export type Limits = {
  /** A connection is closed this long after its last use. */
  idleMs: number;
  /** The most connections of a process, and of one application or workspace. */
  most: number;
  mostOfOwner: number;
  /**
   * Attempts that begin this soon after a failed connection fail in the same way, without a connection of their own.
   */
  failedMs: number;
};

/**
 * The most connections in use by one account for each connection that stays free. So another account always finds some,
 * however many applications the first account has. An account that is alone gets three quarters.
 */
const HELD_PER_FREE = 3;

const LIMITS: Limits = { idleMs: 60_000, most: 200, mostOfOwner: 50, failedMs: 500 };

function accountOf({ accountId, owner }: Place): string {
  return accountId ?? owner;
}

/** A connection of any kind that may be open. */
type Counted = { place: Place; opened: Connection | undefined; users: number; close(): void };

type Kept<C extends Connection> = Omit<Counted, 'opened'> & {
  connection: Promise<C>;
  opened: C | undefined;
  isRetired: boolean;
  timer?: NodeJS.Timeout;
};

/**
 * The connections that share a limit. With `LIMITS`, these are the connections of every kind and purpose in the
 * process.
 */
const countedBy = new WeakMap<Limits, Set<Counted>>();

/**
 * Keeps one connection for each endpoint, which all its attempts share. A change of the endpoint replaces it. The most
 * recently used connections are kept longest.
 */
export function createKeptConnections<C extends Connection>(
  open: (place: Place) => Promise<C>,
  limits: Limits = LIMITS,
) {
  const { idleMs, most, mostOfOwner, failedMs } = limits;
  /** Every connection that may be open, in the order of last use, including retired ones until they are closed. */
  const counted = countedBy.get(limits) ?? new Set<Counted>();
  countedBy.set(limits, counted);
  /** The connections that this instance made. */
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

  /** Makes room if there are too many connections, by closing the one that has been unused for longest. */
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
        // While a broker is down, a new connection for each waiting message would cost a handshake each.
        if (!kept.isRetired) setTimeout(retire, failedMs, kept).unref();
      },
    );
    return kept;
  };

  return {
    /** Undefined if there are too many connections and all of them are in use. */
    take(place: Place): Lease<C> | undefined {
      const kept = find(place) ?? start(place);
      if (kept === undefined) return undefined;
      clearTimeout(kept.timer);
      kept.users += 1;
      // A failed connection is no longer counted.
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
    /** The number of connections of this instance that may be open. */
    count: () => all.size,
    closeAll() {
      for (const kept of [...all]) close(kept);
    },
  };
}
