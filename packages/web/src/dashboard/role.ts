import type { Place } from './place.ts';

/** Whether the user may change event types, endpoints and subscriptions, and retry: every role but the viewer. */
export function mayChange({ workspace }: Place): boolean {
  return workspace.role !== 'viewer';
}

/** Whether the user may change environments, API keys, management tokens and members: admins and owners. */
export function mayAdminister({ workspace }: Place): boolean {
  return workspace.role === 'admin' || workspace.role === 'owner';
}

/** Whether the user may change the workspace itself and its owners. */
export function isOwner({ workspace }: Place): boolean {
  return workspace.role === 'owner';
}
