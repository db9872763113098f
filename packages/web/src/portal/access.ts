import { useSyncExternalStore } from 'react';

/** `open`: the page has a token. `missing`: it has none (a reload loses it). `ended`: the service refuses its token. */
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
