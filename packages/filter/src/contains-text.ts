/** Up to this length, V8 searches in linear time, and very fast. */
const SHORT = 6;
/**
 * A comparison at one place takes as long as this many units of the linear algorithm, in addition to the part's own
 * length.
 */
const UNITS_OF_PLACE = 200;

/**
 * Whether a text contains a part, in time that grows only with the length of the text. `String.includes` takes up to
 * the product of both lengths: seconds for some filters and payloads, during which the process does nothing else.
 */
export function containsText(text: string, part: string): boolean {
  if (part.length <= SHORT) return text.includes(part);
  const start = part.slice(0, SHORT);
  let at = text.indexOf(start);
  // In usual texts, few places begin like the part, so try `startsWith` for a while.
  for (let left = text.length; at !== -1 && left > 0; left -= part.length + UNITS_OF_PLACE) {
    if (text.startsWith(part, at)) return true;
    at = text.indexOf(start, at + 1);
  }
  return at !== -1 && containsFrom(text, part, at);
}

/**
 * Searches with the algorithm of Knuth, Morris and Pratt, which never goes back in the text. A unit takes a few
 * nanoseconds.
 */
function containsFrom(text: string, part: string, from: number): boolean {
  const units = Uint16Array.from({ length: part.length }, (_, at) => part.charCodeAt(at));
  const borders = bordersOf(units);
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && units[matched] !== unit) matched = borders[matched] ?? 0;
    if (units[matched] === unit) matched += 1;
    if (matched === units.length) return true;
  }
  return false;
}

/** For each length of a beginning of the part, the length of its longest proper beginning that is also its end. */
function bordersOf(units: Uint16Array): Uint16Array {
  const borders = new Uint16Array(units.length + 1);
  for (let length = 2, matched = 0; length <= units.length; length += 1) {
    const unit = units[length - 1];
    while (matched > 0 && units[matched] !== unit) matched = borders[matched] ?? 0;
    if (units[matched] === unit) matched += 1;
    borders[length] = matched;
  }
  return borders;
}
