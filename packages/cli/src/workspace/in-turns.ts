/** Requests at the same time: more would only wait for the rate limit. */
const AT_ONCE = 4;

/** What `read` answers for each item, in the order of the items, with some at the same time. The first error ends it. */
export async function readInTurns<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = [...items.entries()].reverse();
  const worker = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [index, item] = next;
      results[index] = await read(item);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
