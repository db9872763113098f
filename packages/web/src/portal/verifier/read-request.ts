/** A pasted request: its headers by lower-case name, and its body, if there is one. */
export type PastedRequest = { headers: ReadonlyMap<string, string>; body: string | undefined };

/**
 * Reads headers as lines of `name: value`, or as a JSON object. A request line before them is ignored. Text after an
 * empty line is the body.
 */
export function readRequest(text: string): PastedRequest {
  const fromJson = headersOfJson(text);
  if (fromJson !== undefined) return { headers: fromJson, body: undefined };
  const lines = text.trimStart().replaceAll('\r\n', '\n').split('\n');
  const end = lines.findIndex((line) => line.trim() === '');
  const head = end === -1 ? lines : lines.slice(0, end);
  const rest = end === -1 ? '' : lines.slice(end + 1).join('\n');
  const headers = new Map(head.flatMap(headerOf));
  return { headers, body: rest.trim() === '' ? undefined : rest };
}

function headerOf(line: string): [string, string][] {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  return name === '' || name.includes(' ') ? [] : [[name, line.slice(colon + 1).trim()]];
}

function headersOfJson(text: string): Map<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    return new Map(Object.entries(value).map(([name, one]) => [name.toLowerCase(), String(one)]));
  } catch {
    return undefined; // Not JSON: lines of headers.
  }
}
