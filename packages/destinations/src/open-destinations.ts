import type { Destination, Examination, Kind, Sender, Tools } from './kind.ts';

/** The senders of all kinds for one purpose of a process. Different purposes share no connection. */
export type Destinations = Sender & { examine(kind: Kind, examination: Examination): Promise<void> };

/**
 * Sends to endpoints of every kind. A kind's code is loaded with its first endpoint, so a process without one pays
 * nothing for it.
 */
export function openDestinations(tools: Tools): Destinations {
  const opened = new Map<Kind, Destination>();
  let isAborted = false;
  let isClosed = false;
  const open = async (kind: Kind): Promise<Destination> => {
    if (kind.load === null) throw new Error(`messages of a ${kind.type} endpoint are fetched, not sent`);
    const { open } = await kind.load();
    const present = opened.get(kind);
    if (present !== undefined) return present;
    const destination = open(tools);
    if (isAborted) destination.abortAll();
    if (isClosed) destination.close();
    opened.set(kind, destination);
    return destination;
  };
  return {
    send(request) {
      const { kind } = request.place;
      const destination = opened.get(kind);
      return destination === undefined ? open(kind).then((one) => one.send(request)) : destination.send(request);
    },
    examine: async (kind, examination) => (opened.get(kind) ?? (await open(kind))).examine(examination),
    abortAll() {
      isAborted = true;
      for (const destination of opened.values()) destination.abortAll();
    },
    close() {
      isClosed = true;
      for (const destination of opened.values()) destination.close();
    },
  };
}
