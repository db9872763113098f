import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';

/**
 * The offset of the value at a path, in the form that errors of the interface use:
 * `endpoints[3].config.headers.x-team`. For an unknown key, the offset of the key. For a missing value, the offset of
 * the object that lacks it.
 */
export function locate(root: unknown, path: string): number {
  let node = root;
  let offset = offsetOf(root);
  let rest = path;
  while (rest !== '') {
    const step = isSeq(node) ? intoList(node.items, rest) : isMap(node) ? intoMap(node.items, rest) : undefined;
    if (step === undefined) return offset;
    ({ node, rest } = step);
    offset = step.offset ?? offset;
    // The content of an alias is elsewhere in the file.
    if (isAlias(node)) return offset;
  }
  return offset;
}

type Step = { node: unknown; offset: number | undefined; rest: string };

function intoList(items: readonly unknown[], rest: string): Step | undefined {
  const [index = '', after] = rest.startsWith('[') ? rest.slice(1).split(']', 2) : [];
  const node = items[Number(index)];
  if (index === '' || after === undefined || node === undefined) return undefined;
  return { node, offset: offsetOf(node), rest: withoutDot(rest.slice(index.length + 2)) };
}

/** A key may contain dots, so the longest key that fits is meant. */
function intoMap(items: readonly Pair[], rest: string): Step | undefined {
  const fitting = items
    .flatMap(({ key, value }) => (isScalar(key) ? [{ key: String(key.value), at: offsetOf(key), value }] : []))
    .filter(({ key }) => rest === key || rest.startsWith(`${key}.`) || rest.startsWith(`${key}[`))
    .sort((a, b) => b.key.length - a.key.length);
  const [found] = fitting;
  if (found === undefined) return undefined;
  const after = withoutDot(rest.slice(found.key.length));
  return { node: found.value, offset: after === '' ? found.at : offsetOf(found.value), rest: after };
}

function withoutDot(rest: string): string {
  return rest.startsWith('.') ? rest.slice(1) : rest;
}

function offsetOf(node: unknown): number {
  return (node as Node | null | undefined)?.range?.[0] ?? 0;
}
