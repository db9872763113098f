import { expect, test } from '@jest/globals';
import { endpointStateOf } from './endpoint-state.ts';

const active = { isActive: true, health: 'healthy' } as const;
const NEVER = { lastSuccessAt: null, lastFailureAt: null, isSubscribed: true };

test('an endpoint without an attempt is not called healthy', () => {
  expect(endpointStateOf(active, NEVER)).toBe('untried');
  expect(endpointStateOf(active, { ...NEVER, lastSuccessAt: '2026-11-25T10:00:00.000Z' })).toBe('healthy');
  expect(endpointStateOf(active, { ...NEVER, lastFailureAt: '2026-11-25T10:00:00.000Z' })).toBe('healthy');
});

test('an endpoint that subscribes to nothing is not called healthy, and a failing one stays failing', () => {
  const nothing = { ...NEVER, lastSuccessAt: '2026-11-25T10:00:00.000Z', isSubscribed: false };
  expect(endpointStateOf(active, nothing)).toBe('unsubscribed');
  expect(endpointStateOf({ isActive: true, health: 'failing' }, nothing)).toBe('failing');
});

test('nothing is said about how an endpoint fares where its attempts may not be seen', () => {
  expect(endpointStateOf(active, undefined)).toBe('active');
});

test('failures count, whatever the statistics say, and an inactive endpoint is inactive', () => {
  expect(endpointStateOf({ isActive: true, health: 'failing' }, NEVER)).toBe('failing');
  expect(endpointStateOf({ isActive: true, health: 'degraded' }, undefined)).toBe('degraded');
  expect(endpointStateOf({ isActive: false, health: 'healthy' }, NEVER)).toBe('inactive');
});
