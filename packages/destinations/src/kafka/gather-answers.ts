/**
 * Gathers the answers of several servers that are asked at the same time. An answer with no content comes late. Each
 * server is asked only once until its answer has been taken.
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
     * Waits until an answer has content or fails, or until all have come, and returns those that are there. Rejects if
     * one of these failed. A later call returns the others.
     */
    async of(asked: readonly (readonly [Key, () => Promise<Answer>])[]): Promise<Answer[]> {
      for (const [key, ask] of asked) if (!underWay.has(key)) underWay.set(key, start(ask));
      const brought = [...underWay.values()].map(async ({ answer }) => {
        const isWorthIt = await answer.then(bringsSomething, () => true);
        if (!isWorthIt) throw new Error('nothing is there');
      });
      // A rejection means that all have answered, and none has content.
      await Promise.any(brought).catch(() => undefined);
      const there = [...underWay].filter(([, { isThere }]) => isThere);
      for (const [key] of there) underWay.delete(key);
      return Promise.all(there.map(([, { answer }]) => answer));
    },
  };
}
