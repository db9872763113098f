import type { Place } from './place.ts';

/** Whether the user may change event types, endpoints and subscriptions, and retry: every role but the viewer. */
export function mayChange({ workspace }: Place): boolean {
  return workspace.role !== 'viewer';
}

/** Whether the user may rotate secrets: an admin or an owner. */
export function mayRotate({ workspace }: Place): boolean {
  return workspace.role === 'admin' || workspace.role === 'owner';
}
