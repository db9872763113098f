import type { EventType } from '../../../client/resources.ts';

/** A row of the matrix: an event type, or a group of types with the same prefix. */
export type MatrixRow =
  | { kind: 'type'; id: string; eventType: EventType; isInGroup: boolean }
  | { kind: 'group'; id: string; prefix: string; count: number; isFolded: boolean };

/**
 * The types by name. Two or more types whose names differ only after the last dot are a group. Its row stands above
 * their rows; a folded group hides those.
 */
export function matrixRows(types: readonly EventType[], folded: ReadonlySet<string>): MatrixRow[] {
  const byPrefix = new Map<string, EventType[]>();
  for (const type of types.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const prefix = prefixOf(type.name);
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), type]);
  }
  return [...byPrefix].flatMap(([prefix, members]) => {
    const isGroup = prefix !== '' && members.length > 1;
    const rows = members.map((eventType): MatrixRow => {
      return { kind: 'type', id: eventType.id, eventType, isInGroup: isGroup };
    });
    if (!isGroup) return rows;
    const isFolded = folded.has(prefix);
    const head: MatrixRow = { kind: 'group', id: prefix, prefix, count: members.length, isFolded };
    return isFolded ? [head] : [head, ...rows];
  });
}

function prefixOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}
