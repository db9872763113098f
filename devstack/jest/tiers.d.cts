declare const tiers: {
  (paths: readonly string[]): { filtered: string[] };
  whyNotUnit(path: string): string | undefined;
  whySystem(path: string): string | undefined;
};
export = tiers;
