/**
 * Gathers the answers of several that are asked at the same time, where an answer without anything comes late. Each is asked
 * once, until its answer has been taken.
 */
export function gatherAnswers<Key, Answer>(bringsSomething: (answer: Answer) => boolean) {
  const underWay = new Map<Key, { answer: Promise<Answer>; isThere: boolean }>();
  const start = (ask: () => Promise<Answer>) => {
    const one = { answer: ask(), isThere: false };
    const end = () => {
      one.isThere = true;
    };
    one.answer.then(end, end);
    return one;
  };
  return {
    /**
     * The answers that are there as soon as one of them brings something, or has failed; otherwise all. Rejects if one of them has
     * failed. The others are among those of a later call.
     */
    async of(asked: readonly (readonly [Key, () => Promise<Answer>])[]): Promise<Answer[]> {
      for (const [key, ask] of asked) if (!underWay.has(key)) underWay.set(key, start(ask));
      const brought = [...underWay.values()].map(async ({ answer }) => {
        const isWorthIt = await answer.then(bringsSomething, () => true);
        if (!isWorthIt) throw new Error('nothing is there');
      });
      // Rejected: all have answered.
      await Promise.any(brought).catch(() => undefined);
      const there = [...underWay].filter(([, { isThere }]) => isThere);
      for (const [key] of there) underWay.delete(key);
      return Promise.all(there.map(([, { answer }]) => answer));
    },
  };
}
