/** Longer texts are not formatted: that would block the page. */
const MAX_CHARACTERS = 300_000;
/** Deeper levels stay on one line. With line breaks, 32,000 brackets would become gigabytes of text. */
const MAX_LEVELS = 50;

/**
 * JSON with line breaks and indentation; undefined for a text that is not JSON, or too long. It formats token by token,
 * so that big numbers, duplicate keys and escapes stay exactly as they were sent.
 */
export function prettyJson(text: string): string | undefined {
  if (text.length > MAX_CHARACTERS || !isJson(text)) return undefined;
  let depth = 0;
  let out = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') {
      const end = endOfString(text, at);
      out += text.slice(at, end + 1);
      at = end;
    } else if (character === '{' || character === '[') {
      const close = nextSolid(text, at + 1);
      if (isClosing(text.charAt(close))) {
        out += character + text.charAt(close);
        at = close;
      } else out += `${character}${breakAt(++depth)}`;
    } else if (isClosing(character)) out += `${breakAt(--depth)}${character}`;
    else if (character === ',') out += `,${breakAt(depth)}`;
    else if (character === ':') out += ': ';
    else if (!isSpace(character)) out += character;
  }
  return out;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // Not JSON.
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at;
}

function nextSolid(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charAt(at))) at += 1;
  return at;
}

function isClosing(character: string): boolean {
  return character === '}' || character === ']';
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t';
}

function breakAt(depth: number): string {
  return depth > MAX_LEVELS ? '' : `\n${'  '.repeat(depth)}`;
}
