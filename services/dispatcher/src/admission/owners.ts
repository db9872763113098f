import { atMost } from '@posthorn/runtime/at-most';
import { LRUCache } from 'lru-cache';

/**
 * The owners of workspaces (adr/0015) whose endpoints this process has loaded. An owner never changes, and every
 * delivery's endpoint is loaded before the delivery asks for a slot.
 */
export type Owners = {
  learn(workspaceId: string, ownerId: string): void;
  /**
   * The account that created the workspace. The workspace itself if the installation created it, or if the owner is
   * unknown.
   */
  of(workspaceId: string): string;
};

const MAX_WORKSPACES = 100_000;

export function createOwners(): Owners {
  const owners = new LRUCache<string, string>(atMost(MAX_WORKSPACES));
  return {
    learn: (workspaceId, ownerId) => void owners.set(workspaceId, ownerId),
    of: (workspaceId) => owners.get(workspaceId) ?? workspaceId,
  };
}
