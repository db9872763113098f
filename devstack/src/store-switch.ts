import type { Program } from './child.ts';
import type { Run } from './run.ts';
import type { Kept, Supervisor } from './supervisor.ts';

/** A store that can be stopped and started. */
export type SwitchedStore = {
  program: Program;
  hurryAfterMs: number;
  /** Resolves when the store answers. */
  answers: () => Promise<void>;
};

export type StoreSwitch = {
  start: (name: string) => Promise<void>;
  /** Ends it normally, or, with `kill`, immediately and without a shutdown. */
  stop: (name: string, kill: boolean) => Promise<void>;
};

/** Stores that are kept alive while they are on; they are ended when the run ends. */
export function createStoreSwitch(
  run: Run,
  supervisor: Supervisor,
  stores: Record<string, SwitchedStore>,
): StoreSwitch {
  const running = new Map<string, Kept>();
  const requireStore = (name: string): SwitchedStore => {
    const store = stores[name];
    if (store === undefined) throw new Error(`there is no store ${name}`);
    return store;
  };
  for (const [name, { hurryAfterMs }] of Object.entries(stores)) {
    run.onStop({ name, hurryAfterMs, stop: async (hurry) => running.get(name)?.stop(hurry) });
  }
  return {
    async start(name) {
      const store = requireStore(name);
      if (!running.has(name)) running.set(name, supervisor.keep(store.program));
      await store.answers();
    },
    async stop(name, kill) {
      requireStore(name);
      const kept = running.get(name);
      running.delete(name);
      await kept?.stop(kill ? AbortSignal.abort() : new AbortController().signal);
    },
  };
}
