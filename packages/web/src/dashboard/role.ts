import type { Place } from './place.ts';

/** True if the user may change event types, endpoints and subscriptions, and retry deliveries: all roles but viewer. */
export function mayChange({ workspace }: Place): boolean {
  return workspace.role !== 'viewer';
}

/** True if the user may change environments, API keys, management tokens and members: admins and owners. */
export function mayAdminister({ workspace }: Place): boolean {
  return workspace.role === 'admin' || workspace.role === 'owner';
}

/** True if the user may change the workspace itself and its owners. */
export function isOwner({ workspace }: Place): boolean {
  return workspace.role === 'owner';
}
