/** The most new messages to count for each event type, so that one type with many does not limit the others. */
const MOST = 1_000;

/** A message that the live view reported, with the name of its event type; null for a direct event. */
export type NewMessage = { id: string; type: string | null };

/** The ids of new messages, by event type. */
export type NewMessages = ReadonlyMap<string | null, ReadonlySet<string>>;

/** Adds messages. Returns the same map if nothing was added. */
export function withMessages(before: NewMessages, added: readonly NewMessage[]): NewMessages {
  const after = new Map<string | null, Set<string>>();
  for (const { id, type } of added) {
    const known = after.get(type) ?? before.get(type) ?? NONE;
    // Ids increase with the time of creation. The live view may report a delivery of an older message after newer ones.
    const [oldest = ''] = known.size < MOST ? [] : [...known].sort();
    if (known.has(id) || id < oldest) continue;
    const ids = new Set(known).add(id);
    ids.delete(oldest);
    after.set(type, ids);
  }
  return after.size === 0 ? before : new Map([...before, ...after]);
}

const NONE: ReadonlySet<string> = new Set();

/** The number of messages of a type that are newer than the message `newest`; null counts all types. */
export function countNewer(messages: NewMessages, type: string | null, newest: string): number {
  const counted = type === null ? [...messages.values()] : [messages.get(type) ?? []];
  return counted.reduce((count, ids) => count + [...ids].filter((id) => id > newest).length, 0);
}
