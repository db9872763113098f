import { type InfiniteData, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isInPages } from './by-pages.ts';
import type { Delivery, DeliveryDetail, Event } from './resources.ts';

/** One answer of a list of deliveries, and of one of events. */
type Page = { deliveries: readonly Delivery[] };
type EventPage = { events: readonly Event[] };

/**
 * Writes a delivery that was read by itself into every cached list that has an older version of it: a long list is not
 * read again by itself, and would show the state before a retry or a cancellation. The row stays where it is, also in a
 * list whose filters no longer match it.
 */
export function showInLists(queryClient: QueryClient, delivery: DeliveryDetail): void {
  const { attempts: _, payload: __, cancelReason: ___, ...row } = delivery;
  for (const query of queryClient.getQueryCache().findAll({ predicate: isListOfDeliveries })) {
    const data: unknown = query.state.data;
    const changed = withRow(data, row);
    // The list itself was not read: it is as old as before, and is still to be read again when it was.
    if (changed !== data) query.setState({ data: changed });
  }
}

/** Writes the events of a later answer over those that a list has of them. */
export function showEvents(queryClient: QueryClient, queryKey: QueryKey, events: readonly Event[]): void {
  const later = new Map(events.map((event) => [event.id, event]));
  const { data, dataUpdatedAt } = queryClient.getQueryState<InfiniteData<EventPage>>(queryKey) ?? {};
  if (data === undefined || later.size === 0) return;
  const pages = data.pages.map((page) => ({ ...page, events: page.events.map((one) => later.get(one.id) ?? one) }));
  queryClient.setQueryData(queryKey, { ...data, pages }, { updatedAt: dataUpdatedAt });
}

/** Writes each new version of the delivery of a page into the lists that lead to it. */
export function useShownInLists(delivery: DeliveryDetail): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    showInLists(queryClient, delivery);
  }, [queryClient, delivery]);
}

function isListOfDeliveries({ queryKey: [method, path] }: { queryKey: readonly unknown[] }): boolean {
  return method === 'get' && typeof path === 'string' && path.endsWith('/deliveries');
}

/** The same object when nothing in it is older. */
function withRow(data: unknown, row: Delivery): unknown {
  if (isPage(data)) return hasOlder(data, row) ? changedPage(data, row) : data;
  if (!isInPages(data) || !data.pages.some((page) => isPage(page) && hasOlder(page, row))) return data;
  const pages = data.pages.map((page) => (isPage(page) ? changedPage(page, row) : page));
  return { ...data, pages } satisfies InfiniteData<unknown>;
}

function hasOlder({ deliveries }: Page, { id, updatedAt }: Delivery): boolean {
  return deliveries.some((one) => one.id === id && one.updatedAt < updatedAt);
}

function changedPage(page: Page, row: Delivery): Page {
  return { ...page, deliveries: page.deliveries.map((one) => (one.id === row.id ? row : one)) };
}

/** Whether the data is one answer of a list of deliveries: the key of its query tells the rest of its type. */
function isPage(data: unknown): data is Page {
  return typeof data === 'object' && data !== null && 'deliveries' in data && Array.isArray(data.deliveries);
}
