type Level = { isArray: boolean; base: string; current: string; index: number; isKeyNext: boolean };

/**
 * The line of the clause that a refusal names, such as `filter.data.amount.gte must be a number or a string`; undefined
 * if it refuses the whole filter. `text` is valid JSON.
 */
export function lineOfRefusal(text: string, message: string): number | undefined {
  const named = [...linesOfClauses(text)].filter(([path]) => message.startsWith(`filter.${path} `));
  return named.sort(([left], [right]) => right.length - left.length)[0]?.[1];
}

/** The line of each key and each member of an array, by the path that the service uses. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one branch for each form of a clause.
function linesOfClauses(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  const open: Level[] = [];
  let line = 1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const level = open.at(-1);
    if (character === '\n') line += 1;
    else if (character === '"') {
      const end = endOfString(text, at);
      if (level?.isKeyNext) {
        level.current = joined(level.base, String(JSON.parse(text.slice(at, end + 1))));
        level.isKeyNext = false;
        lines.set(level.current, line);
      }
      at = end;
    } else if (character === '{' || character === '[') {
      const inner = levelOf(character === '[', level?.current ?? '');
      open.push(inner);
      if (inner.isArray) lines.set(inner.current, line);
    } else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && level !== undefined) {
      nextMember(level);
      if (level.isArray) lines.set(level.current, line);
    }
  }
  return lines;
}

function levelOf(isArray: boolean, base: string): Level {
  return { isArray, base, current: isArray ? `${base}[0]` : base, index: 0, isKeyNext: !isArray };
}

function nextMember(level: Level): void {
  level.index += 1;
  if (level.isArray) level.current = `${level.base}[${level.index}]`;
  else level.isKeyNext = true;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at;
}

function joined(base: string, key: string): string {
  return base === '' ? key : `${base}.${key}`;
}
