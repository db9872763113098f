import type { Delivery, EndpointRead, Event, EventType, List } from '@posthorn/client';
import { Posthorn, UnauthorizedError } from '@posthorn/client';
import {
  createContext,
  createElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

/** The response of your server: the `token` of the portal session that it created. */
export type PosthornSession = { token: string };

export type PosthornProviderProps = {
  /** The address of Posthorn, such as `https://webhooks.example.com`. */
  baseUrl: string;
  /** Asks your server for a portal session. It is called again when the session has ended. */
  session: () => Promise<PosthornSession>;
  children?: ReactNode;
};

type Access = { client: () => Promise<Posthorn>; renew: (ended: Posthorn) => void };

const AccessContext = createContext<Access | null>(null);

/** Gives the hooks below it a client with the token of a portal session. The token is only kept in memory. */
export function PosthornProvider({ baseUrl, session, children }: PosthornProviderProps): ReactNode {
  const ask = useRef(session);
  ask.current = session;
  const access = useMemo(() => accessOf(baseUrl, () => ask.current()), [baseUrl]);
  return createElement(AccessContext.Provider, { value: access }, children);
}

export function accessOf(baseUrl: string, session: () => Promise<PosthornSession>): Access {
  let opening: Promise<Posthorn> | undefined;
  let current: Posthorn | undefined;
  const open = async () => {
    try {
      current = new Posthorn({ baseUrl, token: (await session()).token });
      return current;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
  return {
    client: () => {
      opening ??= open();
      return opening;
    },
    renew: (ended) => {
      // Several requests of one session are refused at once. The first of them ends it, and all wait for the next one.
      if (ended !== current) return;
      opening = undefined;
      current = undefined;
    },
  };
}

function useAccess(): Access {
  const access = useContext(AccessContext);
  if (access === null) throw new Error('A hook of @posthorn/react needs a PosthornProvider around its component');
  return access;
}

/**
 * Runs a call with the client, such as `run((posthorn) => posthorn.endpoints.create({ url }))`. When the session has ended,
 * the call runs once more in a new one.
 */
export function usePosthorn(): <Answer>(call: (posthorn: Posthorn) => Promise<Answer>) => Promise<Answer> {
  const access = useAccess();
  return useCallback((call) => run(access, call), [access]);
}

async function run<Answer>(access: Access, call: (posthorn: Posthorn) => Promise<Answer>): Promise<Answer> {
  const client = await access.client();
  try {
    return await call(client);
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    access.renew(client);
    return call(await access.client());
  }
}

export type ListState<Item> = {
  /** The items that were read so far; undefined before the first answer. */
  data: readonly Item[] | undefined;
  error: unknown;
  isLoading: boolean;
  /** Whether there are more items to load. */
  hasMore: boolean;
  loadMore: () => void;
  /** Reads again from the start. */
  reload: () => void;
};

/** The customer's endpoints, oldest first. */
export function useEndpoints(): ListState<EndpointRead> {
  return useList('', (posthorn, cursor) => posthorn.endpoints.list({ limit: PAGE, cursor }));
}

/** The events that were sent to the customer, newest first. */
export function useEvents({ eventType }: { eventType?: string } = {}): ListState<Event> {
  return useList(eventType ?? '', (posthorn, cursor) => posthorn.events.list({ limit: PAGE, cursor, eventType }));
}

/** The deliveries to an endpoint of the customer, newest first. */
export function useDeliveries({ endpointId }: { endpointId: string }): ListState<Delivery> {
  return useList(endpointId, (posthorn, cursor) => posthorn.deliveries.list({ limit: PAGE, cursor, endpointId }));
}

/** The event types that the customer may subscribe to, oldest first. */
export function useEventTypes(): ListState<EventType> {
  return useList('', (posthorn, cursor) => posthorn.eventTypes.list({ limit: PAGE, cursor }));
}

const PAGE = 50;

type Read<Item> = { key: string; items: readonly Item[]; nextCursor: string | null };
type Wanted = { key: string; pages: number };

/** Reads a list page by page. `key` identifies the list: with another key, it starts again from the first page. */
function useList<Item>(
  key: string,
  listOf: (posthorn: Posthorn, cursor: string | undefined) => List<Item>,
): ListState<Item> {
  const access = useAccess();
  const [wanted, setWanted] = useState<Wanted>({ key, pages: 1 });
  const [read, setRead] = useState<Read<Item> | undefined>();
  const [error, setError] = useState<unknown>(null);
  const [isLoading, setLoading] = useState(true);
  const ask = useRef(listOf);
  ask.current = listOf;
  const known = useRef<Read<Item> | undefined>(undefined);
  if (wanted.key !== key) {
    setWanted({ key, pages: 1 });
    setLoading(true);
    setError(null);
  }

  useEffect(() => {
    let isCurrent = true;
    if (wanted.pages === 1) known.current = undefined;
    const before = known.current;
    setLoading(true);
    setError(null);
    run(access, (posthorn) => ask.current(posthorn, before?.nextCursor ?? undefined).page()).then(
      ({ items, nextCursor }) => {
        if (!isCurrent) return;
        known.current = { key: wanted.key, items: [...(before?.items ?? []), ...items], nextCursor };
        setRead(known.current);
        setLoading(false);
      },
      (failure: unknown) => {
        if (!isCurrent) return;
        setError(failure);
        setLoading(false);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [access, wanted]);

  const loadMore = useCallback(() => {
    setWanted((now) => (known.current?.nextCursor ? { ...now, pages: now.pages + 1 } : now));
  }, []);
  const reload = useCallback(() => setWanted((now) => ({ ...now, pages: 1 })), []);
  const shown = read?.key === key ? read : undefined;
  return { data: shown?.items, error, isLoading, hasMore: Boolean(shown?.nextCursor), loadMore, reload };
}
