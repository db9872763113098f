export type Random = {
  /** A number from 0 up to, but not including, 1. */
  next: () => number;
  /** A whole number from `least` to `most`, both included. */
  whole: (least: number, most: number) => number;
  pick: <T>(from: readonly T[]) => T;
  /** `count` different items. */
  sample: <T>(from: readonly T[], count: number) => T[];
  /** Makes a separate generator, so that the draws of one part do not change those of another. */
  fork: (name: string) => Random;
};

/** Generates the same numbers for the same seed on every machine (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const sample = <T>(from: readonly T[], count: number): T[] => {
    const left = [...from];
    const picked: T[] = [];
    while (picked.length < count && left.length > 0) picked.push(...left.splice(whole(0, left.length - 1), 1));
    return picked;
  };
  return {
    next,
    whole,
    sample,
    pick: (from) => {
      if (from.length === 0) throw new Error('there is nothing to pick from');
      return sample(from, 1)[0] as (typeof from)[number];
    },
    fork: (name) =>
      createRandom([...name].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16_777_619), seed)),
  };
}
