import { useDocumentVisibility } from '@mantine/hooks';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { watchPortal } from './live-stream.ts';

/** At most this many messages are counted. */
const MOST = 1_000;

/** A message that the live view told of, with the name of its event type; null for direct ingestion. */
export type NewMessage = { id: string; type: string | null };

/**
 * The messages of every type, by their ids, that the live view told of since the page began or `forget` was called, and
 * whether the live view is open. A page that is not seen holds no stream open; `readNewest` answers the newest ones, and is
 * called when changes may have been missed.
 */
export function useNewMessages(readNewest: () => Promise<readonly NewMessage[]>) {
  const [messages, setMessages] = useState<ReadonlyMap<string, NewMessage>>(new Map());
  const [isLive, setLive] = useState(false);
  const isSeen = useDocumentVisibility() === 'visible';
  const [watch] = useState(() => watchPortal(undefined));
  const add = useCallback((added: readonly NewMessage[]) => setMessages((before) => withMessages(before, added)), []);
  // The list of another type of events needs no other stream.
  const onGap = useEffectEvent(async () => add(await readNewest()));
  useEffect(() => {
    if (!isSeen) return undefined;
    return watch({
      onState: setLive,
      onDelivery: ({ eventId, eventTypeName }) => add([{ id: eventId, type: eventTypeName }]),
      onGap: () => void onGap(),
    });
  }, [isSeen, watch, add]);
  const forget = useCallback(() => setMessages(new Map()), []);
  return { messages, isLive, forget };
}

type Messages = ReadonlyMap<string, NewMessage>;

function withMessages(before: Messages, added: readonly NewMessage[]): Messages {
  if (before.size >= MOST || added.every(({ id }) => before.has(id))) return before;
  return new Map([...before, ...added.map((message): [string, NewMessage] => [message.id, message])]);
}
