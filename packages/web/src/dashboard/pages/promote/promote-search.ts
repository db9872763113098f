export type PromoteSearch = { from?: string; to?: string };

/** Reads the two environments of an address, by their ids. */
export function readPromoteSearch({ from, to }: Record<string, unknown>): PromoteSearch {
  return {
    ...(typeof from === 'string' && from !== '' && { from }),
    ...(typeof to === 'string' && to !== '' && { to }),
  };
}
