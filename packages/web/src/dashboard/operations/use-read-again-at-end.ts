import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { readAgain } from '../../client/by-pages.ts';
import type { Operation } from '../../client/resources.ts';
import { DELIVERY_LISTS } from '../pages/deliveries/delivery-queries.ts';
import { EVENT_LISTS } from '../pages/events/event-queries.ts';
import { OPERATION_LISTS } from './operation-queries.ts';

/** Reads the lists again when one of the open operations has ended: it has changed any number of their rows. */
export function useReadAgainAtEnd(open: readonly Operation[]): void {
  const queryClient = useQueryClient();
  const before = useRef(open);
  useEffect(() => {
    const hasEnded = before.current.some(({ id }) => !open.some((one) => one.id === id));
    before.current = open;
    if (!hasEnded) return;
    for (const lists of [OPERATION_LISTS, DELIVERY_LISTS, EVENT_LISTS]) void readAgain(queryClient, lists);
  }, [open, queryClient]);
}
