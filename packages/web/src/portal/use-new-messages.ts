import { useDocumentVisibility } from '@mantine/hooks';
import { useCallback, useEffect, useState } from 'react';
import { watchPortal } from './live-stream.ts';

/** More than so many are told as so many. */
const MOST = 1_000;

/**
 * The ids of the messages that the live view told of since the page began or `forget` was called, and whether the live
 * view is open. A page that is not seen holds no stream open; `onGap` is called when changes may have been missed.
 */
export function useNewMessages(onGap: () => void) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [isLive, setLive] = useState(false);
  const isSeen = useDocumentVisibility() === 'visible';
  const [watch] = useState(() => watchPortal(undefined));
  useEffect(() => {
    if (!isSeen) return undefined;
    const onDelivery = ({ eventId }: { eventId: string }) =>
      setIds((before) => (before.has(eventId) || before.size >= MOST ? before : new Set([...before, eventId])));
    return watch({ onState: setLive, onDelivery, onGap });
  }, [isSeen, watch, onGap]);
  const forget = useCallback(() => setIds(new Set()), []);
  return { ids, isLive, forget };
}
