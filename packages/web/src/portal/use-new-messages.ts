import { useDocumentVisibility } from '@mantine/hooks';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { watchPortal } from './live-stream.ts';
import { type NewMessage, type NewMessages, withMessages } from './new-messages.ts';

/**
 * The messages of all types that the live view has reported since the page started or `forget` was called, and whether
 * the live view is open. A page that is not visible holds no stream open. `readNewest` returns the newest messages; it
 * is called when changes may have been missed.
 */
export function useNewMessages(readNewest: () => Promise<readonly NewMessage[]>) {
  const [messages, setMessages] = useState<NewMessages>(new Map());
  const [isLive, setLive] = useState(false);
  const isSeen = useDocumentVisibility() === 'visible';
  const [watch] = useState(() => watchPortal(undefined));
  const add = useCallback((added: readonly NewMessage[]) => setMessages((before) => withMessages(before, added)), []);
  // An effect event, so that choosing another type of events does not open a new stream.
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
