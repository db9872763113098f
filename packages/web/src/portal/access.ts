import { useSyncExternalStore } from 'react';

/** Whether the page holds a token, never got one (a reload loses it), or holds one that the service refuses. */
export type Access = 'open' | 'missing' | 'ended';

let access: Access = 'missing';
const listeners = new Set<() => void>();

export function setAccess(next: Access): void {
  access = next;
  for (const listener of listeners) listener();
}

export function useAccess(): Access {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => access,
  );
}
