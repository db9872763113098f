import type { Answer } from '../receiver/https-server.ts';

/** How a demo endpoint answers. */
export type Behaviour = 'fine' | 'slow' | 'flaky' | 'limited' | 'failing' | 'dead' | 'gone';

export type Reaction = { answer: Answer; afterMs: number };

const LIMITED_EVERY_MS = 4_000;

/**
 * Creates the reactions of one endpoint. `nowMs` is a monotonic time, and `random` returns a number from 0 to 1:
 * `flaky` fails one time in four, `limited` takes one request in 4 s.
 */
export function createReaction(behaviour: Behaviour): (nowMs: number, random: () => number) => Reaction {
  let openAtMs = Number.NEGATIVE_INFINITY;
  return (nowMs, random) => {
    const within = (leastMs: number, mostMs: number) => Math.round(leastMs + (mostMs - leastMs) * random());
    switch (behaviour) {
      case 'fine':
        return { answer: { status: 204 }, afterMs: within(10, 60) };
      case 'slow':
        return { answer: { status: 200 }, afterMs: within(1_200, 4_000) };
      case 'flaky':
        return { answer: { status: random() < 0.25 ? 503 : 200 }, afterMs: within(30, 200) };
      case 'limited': {
        if (nowMs < openAtMs) {
          const seconds = Math.ceil((openAtMs - nowMs) / 1_000);
          return { answer: { status: 429, headers: { 'retry-after': String(seconds) } }, afterMs: 0 };
        }
        openAtMs = nowMs + LIMITED_EVERY_MS;
        return { answer: { status: 200 }, afterMs: within(20, 80) };
      }
      case 'failing':
        return { answer: { status: 500 }, afterMs: within(20, 300) };
      case 'dead':
        return { answer: 'disconnect', afterMs: 0 };
      case 'gone':
        return { answer: { status: 410 }, afterMs: within(10, 30) };
    }
  };
}
