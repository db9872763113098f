import { type InfiniteData, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isInPages } from './by-pages.ts';
import type { Delivery, DeliveryDetail, Event } from './resources.ts';

/** A response with a list of deliveries, and one with a list of events. */
type Page = { deliveries: readonly Delivery[] };
type EventPage = { events: readonly Event[] };

/**
 * Writes a delivery that was read on its own into every cached list that has an older version of it. A long list is not
 * refetched by itself, and would show the state before a retry or a cancellation. The row keeps its place, even in a
 * list whose filters no longer match it.
 */
export function showInLists(queryClient: QueryClient, delivery: DeliveryDetail): void {
  const { attempts: _, payload: __, cancelReason: ___, ...row } = delivery;
  for (const query of queryClient.getQueryCache().findAll({ predicate: isListOfDeliveries })) {
    const data: unknown = query.state.data;
    const changed = withRow(data, row);
    // The list itself was not read, so its age and its need for a refetch stay the same.
    if (changed !== data) query.setState({ data: changed });
  }
}

/** Replaces the events of a list by the versions of a later answer. */
export function showEvents(queryClient: QueryClient, queryKey: QueryKey, events: readonly Event[]): void {
  const later = new Map(events.map((event) => [event.id, event]));
  const { data, dataUpdatedAt } = queryClient.getQueryState<InfiniteData<EventPage>>(queryKey) ?? {};
  if (data === undefined || later.size === 0) return;
  const pages = data.pages.map((page) => ({ ...page, events: page.events.map((one) => later.get(one.id) ?? one) }));
  queryClient.setQueryData(queryKey, { ...data, pages }, { updatedAt: dataUpdatedAt });
}

/** Writes each new version of a page's delivery into the lists that lead to the page. */
export function useShownInLists(delivery: DeliveryDetail): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    showInLists(queryClient, delivery);
  }, [queryClient, delivery]);
}

function isListOfDeliveries({ queryKey: [method, path] }: { queryKey: readonly unknown[] }): boolean {
  return method === 'get' && typeof path === 'string' && path.endsWith('/deliveries');
}

/** Returns the same object if it has no older version of the row. */
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

/** True if the data is one response with deliveries. The query's key determines the rest of its type. */
function isPage(data: unknown): data is Page {
  return typeof data === 'object' && data !== null && 'deliveries' in data && Array.isArray(data.deliveries);
}
