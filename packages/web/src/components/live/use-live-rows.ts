import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Delivery } from '../../../client/resources.ts';
import { usePlace } from '../../place.ts';
import { newestQuery } from './overview-queries.ts';
import { released, type Tail, withRow } from './tail-rows.ts';

/** The newest deliveries of the environment as they happen. While `hold(true)` holds, new ones wait. */
export function useLiveDeliveries() {
  const { workspace, environment } = usePlace();
  const newest = useQuery(newestQuery(usePlace()));
  const held = useRef(false);
  const [isLive, setLive] = useState(false);
  const [tail, setTail] = useState<Tail<Delivery>>({ shown: [], waiting: [] });
  const take = useCallback((row: Delivery) => setTail((before) => withRow(before, row, held.current)), []);
  useEffect(() => {
    if (newest.data === undefined) return;
    for (const row of newest.data.deliveries.toReversed()) take(row);
  }, [newest.data, take]);
  const { refetch } = newest;
  useEffect(() => {
    const source = new EventSource(`/api/workspaces/${workspace.id}/live?environment_id=${environment.id}`);
    source.onopen = () => setLive(true);
    source.onerror = () => setLive(false);
    source.addEventListener('delivery', ({ data }) => take(readDelivery(data)));
    // What was left out is read from the list.
    source.addEventListener('gap', () => void refetch());
    return () => source.close();
  }, [workspace.id, environment.id, take, refetch]);
  const release = useCallback(() => setTail(released), []);
  const hold = (isHeld: boolean) => {
    held.current = isHeld;
    if (!isHeld) release();
  };
  return { ...tail, isLive, isLoading: newest.isLoading, error: newest.error, hold, release };
}

/** The data of a `delivery` is an item of the list of deliveries, as docs/interface.md (Live view) says. */
function readDelivery(data: string): Delivery {
  const delivery: Delivery = JSON.parse(data);
  return delivery;
}
