import { useCallback, useEffect, useRef, useState } from 'react';
import type { Delivery } from '../../client/resources.ts';
import { released, type Tail, withAnswer, withRow } from './tail-rows.ts';

/** Called by a live view with its news (docs/interface.md, Live view). */
export type LiveHandlers = {
  onState: (isLive: boolean) => void;
  onDelivery: (delivery: Delivery) => void;
  /** Called when changes may have been missed: some were left out, or the connection was lost. The lists have them. */
  onGap: () => void;
};

/** Opens a live view and keeps it open until the returned function is called. Stable between renders. */
export type Watch = (handlers: LiveHandlers) => () => void;

/** Watches nothing, for a page that is not visible, so that it holds no stream open. */
export const watchNothing: Watch = () => () => undefined;

/** The query of the newest deliveries. */
export type NewestQuery = {
  data: { deliveries: Delivery[] } | undefined;
  error: unknown;
  isLoading: boolean;
  refetch: () => Promise<unknown>;
};

/** The newest deliveries as they happen. After `hold(true)`, new ones wait. */
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

/** Parses the data of a `delivery` message: an item of the list of deliveries. */
export function readDelivery(data: string): Delivery {
  const delivery: Delivery = JSON.parse(data);
  return delivery;
}
