import { useCallback, useEffect, useRef, useState } from 'react';
import type { Delivery } from '../../client/resources.ts';
import { released, type Tail, withAnswer, withRow } from './tail-rows.ts';

/** What a live view tells (docs/interface.md, Live view). */
export type LiveHandlers = {
  onState: (isLive: boolean) => void;
  onDelivery: (delivery: Delivery) => void;
  /** Changes were left out, or a connection was lost in between: the lists have them. */
  onGap: () => void;
};

/** Opens a live view and keeps it open until the returned function is called. Stable between renders. */
export type Watch = (handlers: LiveHandlers) => () => void;

/** That of a page that nobody sees, which holds no stream open. */
export const watchNothing: Watch = () => () => undefined;

/** The query of the newest deliveries. */
export type NewestQuery = {
  data: { deliveries: Delivery[] } | undefined;
  error: unknown;
  isLoading: boolean;
  refetch: () => Promise<unknown>;
};

/** The newest deliveries as they happen. While `hold(true)` holds, new ones wait. */
export function useLiveRows({ data, refetch }: NewestQuery, watch: Watch) {
  const held = useRef(false);
  const [isLive, setLive] = useState(false);
  const [tail, setTail] = useState<Tail<Delivery>>({ shown: [], waiting: [] });
  const take = useCallback((row: Delivery) => setTail((before) => withRow(before, row, held.current)), []);
  useEffect(() => {
    if (data === undefined) return;
    setTail((before) => withAnswer(before, data.deliveries, held.current));
  }, [data]);
  useEffect(() => watch({ onState: setLive, onDelivery: take, onGap: () => void refetch() }), [watch, take, refetch]);
  const release = useCallback(() => setTail(released), []);
  const hold = (isHeld: boolean) => {
    held.current = isHeld;
    if (!isHeld) release();
  };
  return { ...tail, isLive, hold, release };
}

/** The data of a `delivery` is an item of the list of deliveries. */
export function readDelivery(data: string): Delivery {
  const delivery: Delivery = JSON.parse(data);
  return delivery;
}
