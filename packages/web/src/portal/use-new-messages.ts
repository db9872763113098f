import { useDocumentVisibility } from '@mantine/hooks';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { watchPortal } from './live-stream.ts';

/** More than so many are told as so many. */
const MOST = 1_000;

/**
 * The ids of the messages that the live view told of since the page began or `forget` was called, and whether the live
 * view is open. A page that is not seen holds no stream open; `readNewest` answers the newest ids, and is called when
 * changes may have been missed.
 */
export function useNewMessages(readNewest: () => Promise<readonly string[]>) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [isLive, setLive] = useState(false);
  const isSeen = useDocumentVisibility() === 'visible';
  const [watch] = useState(() => watchPortal(undefined));
  const add = useCallback((added: readonly string[]) => setIds((before) => withIds(before, added)), []);
  // The list of another type of events needs no other stream.
  const onGap = useEffectEvent(async () => add(await readNewest()));
  useEffect(() => {
    if (!isSeen) return undefined;
    return watch({ onState: setLive, onDelivery: ({ eventId }) => add([eventId]), onGap: () => void onGap() });
  }, [isSeen, watch, add]);
  const forget = useCallback(() => setIds(new Set()), []);
  return { ids, isLive, forget };
}

function withIds(before: ReadonlySet<string>, added: readonly string[]): ReadonlySet<string> {
  if (before.size >= MOST || added.every((id) => before.has(id))) return before;
  return new Set([...before, ...added]);
}
