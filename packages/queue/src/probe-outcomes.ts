import type { ProbeLimits, ProbeOutcome } from './probes.ts';

/** The probes whose callers wait in this process. */
export type ProbeOutcomes = {
  /** Resolves when the probe has ended, or at one of its time limits. */
  of(probeId: string, limits: Pick<ProbeLimits, 'beginsWithinMs' | 'endsWithinMs'>): Promise<ProbeOutcome>;
  /** A dispatcher has begun the probe. */
  begun(probeId: string): void;
  /** Does nothing if nobody waits for the probe. */
  end(probeId: string, outcome: ProbeOutcome): void;
  /** The probes for which somebody waits. */
  waiting(): string[];
  /** At a stop: nobody waits any more, and the waits so far end without a reply. */
  close(): void;
  isClosed(): boolean;
};

type Waiting = { begun: () => void; end: (outcome: ProbeOutcome) => void };

/** `hasBegun` is asked before giving up a probe for which no beginning was reported. */
export function createProbeOutcomes(hasBegun?: (probeId: string) => Promise<boolean>): ProbeOutcomes {
  const waiting = new Map<string, Waiting>();
  let isClosed = false;
  return {
    of: (probeId, { beginsWithinMs, endsWithinMs }) =>
      new Promise((resolve) => {
        const startedMs = performance.now();
        const end = (outcome: ProbeOutcome) => {
          clearTimeout(timer);
          waiting.delete(probeId);
          resolve(outcome);
        };
        const begun = () => {
          clearTimeout(timer);
          const leftMs = endsWithinMs - (performance.now() - startedMs);
          timer = setTimeout(() => end({ kind: 'no_reply' }), Math.max(0, leftMs));
        };
        const giveUp = async () => {
          const isUnderWay = (await hasBegun?.(probeId)) === true;
          if (!waiting.has(probeId)) return;
          if (isUnderWay) begun();
          else end({ kind: 'not_begun' });
        };
        let timer = setTimeout(() => void giveUp(), beginsWithinMs);
        waiting.set(probeId, { begun, end });
      }),
    begun: (probeId) => waiting.get(probeId)?.begun(),
    end: (probeId, outcome) => waiting.get(probeId)?.end(outcome),
    waiting: () => [...waiting.keys()],
    close() {
      isClosed = true;
      for (const { end } of [...waiting.values()]) end({ kind: 'no_reply' });
    },
    isClosed: () => isClosed,
  };
}
