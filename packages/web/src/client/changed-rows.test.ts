import { expect, test } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { showInLists } from './changed-rows.ts';
import type { Delivery } from './resources.ts';

const delivery = (id: string, status: Delivery['status'], updatedAt: string): Delivery => ({
  id,
  status,
  updatedAt,
  eventId: 'msg_1',
  eventType: 'order.created',
  eventTypeName: 'order.created',
  idempotencyKey: 'order_1',
  endpointId: 'ep_1',
  failureReason: null,
  totalAttempts: 1,
  lastResponseStatus: 503,
  firstAttemptAt: null,
  deliveredAt: null,
  nextRetryAt: null,
  waitingFor: null,
  hasPayload: true,
  isTest: false,
  createdAt: '2026-11-22T10:00:00.000Z',
});

const KEY = ['get', '/api/workspaces/{workspaceId}/deliveries', { query: {} }];
const BEFORE = '2026-11-22T10:00:01.000Z';
const AFTER = '2026-11-22T10:00:02.000Z';

test('a delivery that was read after its retry replaces its older row on the fourth page of a list, and nothing else', async () => {
  const queryClient = new QueryClient();
  const pages = ['a', 'b', 'c', 'd'].map((id) => ({ deliveries: [delivery(id, 'failed', BEFORE)], nextCursor: id }));
  const data = { pages, pageParams: [null, 'a', 'b', 'c'] };
  queryClient.setQueryData(KEY, data, { updatedAt: 1 });
  await queryClient.invalidateQueries({ queryKey: KEY });
  showInLists(queryClient, { ...delivery('d', 'delivered', AFTER), cancelReason: null, attempts: [] });
  const changed = { deliveries: [delivery('d', 'delivered', AFTER)], nextCursor: 'd' };
  expect(queryClient.getQueryData(KEY)).toEqual({ ...data, pages: [...pages.slice(0, 3), changed] });
  expect(queryClient.getQueryState(KEY)).toMatchObject({ dataUpdatedAt: 1, isInvalidated: true });
});

test('a delivery that is older than its row is left out', () => {
  const queryClient = new QueryClient();
  const list = { deliveries: [delivery('a', 'delivered', AFTER)], nextCursor: null };
  queryClient.setQueryData(KEY, list);
  showInLists(queryClient, { ...delivery('a', 'delivering', BEFORE), cancelReason: null });
  expect(queryClient.getQueryData(KEY)).toBe(list);
});
