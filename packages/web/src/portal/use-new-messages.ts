import { useDocumentVisibility } from '@mantine/hooks';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { watchPortal } from './live-stream.ts';
import { type NewMessage, type NewMessages, withMessages } from './new-messages.ts';

/**
 * The messages of every type that the live view told of since the page began or `forget` was called, and whether the live
 * view is open. A page that is not seen holds no stream open; `readNewest` answers the newest messages, and is called when
 * changes may have been missed.
 */
export function useNewMessages(readNewest: () => Promise<readonly NewMessage[]>) {
  const [messages, setMessages] = useState<NewMessages>(new Map());
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
