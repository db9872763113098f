/** The newest messages of an event type that are counted: a type with many does not end the count of another. */
const MOST = 1_000;

/** A message that the live view told of, with the name of its event type; null for direct ingestion. */
export type NewMessage = { id: string; type: string | null };

/** The ids of new messages by their event type. */
export type NewMessages = ReadonlyMap<string | null, ReadonlySet<string>>;

/** The messages with further ones; the same map if nothing was added. */
export function withMessages(before: NewMessages, added: readonly NewMessage[]): NewMessages {
  const after = new Map<string | null, Set<string>>();
  for (const { id, type } of added) {
    const known = after.get(type) ?? before.get(type) ?? NONE;
    // Ids rise with the time at which they were made. A delivery of an older message may be told of after newer ones.
    const [oldest = ''] = known.size < MOST ? [] : [...known].sort();
    if (known.has(id) || id < oldest) continue;
    const ids = new Set(known).add(id);
    ids.delete(oldest);
    after.set(type, ids);
  }
  return after.size === 0 ? before : new Map([...before, ...after]);
}

const NONE: ReadonlySet<string> = new Set();

/** The number of messages of a type that are newer than the message `newest`; of every type with null. */
export function countNewer(messages: NewMessages, type: string | null, newest: string): number {
  const counted = type === null ? [...messages.values()] : [messages.get(type) ?? []];
  return counted.reduce((count, ids) => count + [...ids].filter((id) => id > newest).length, 0);
}
