type State = { searched: string; isReading: boolean; hasFailed: boolean; count: number };

/** The line below the search's findings. If a request failed, it never says that nothing was found. */
export function searchWords({ searched, isReading, hasFailed, count }: State): string {
  if (searched === '') return 'Type a name, a part of a URL, a key or an id.';
  if (isReading) return 'Searching …';
  if (hasFailed) return 'Not everything could be searched. Try again in a moment.';
  if (count === 0) return 'Nothing was found.';
  return count === 1 ? 'One finding. Enter opens it.' : `${count} findings. Enter opens the selected one.`;
}
