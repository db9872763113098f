import { LIMITS } from '@posthorn/contract/limits';

/** The most characters of the line before `data` or `body` that the host reads. Twenty full headers have 23,000. */
export const HEAD_CHARACTERS = 64_000;
export const TOO_MANY_HEADERS = 'The result has too many headers';
export const TOO_LARGE = 'The result must be at most 1 MiB';

/**
 * Code that runs before the customer's code, in the same interpreter. It removes sources of randomness, and calls
 * `transform`. If the customer's code overwrites something, that affects only its own run: the host checks the returned
 * text. The text is a line of JSON about the result, followed by `data` or `body` as JSON. A text that is too long
 * never leaves the interpreter, because the dispatcher would have to copy and read it. JSON may need six characters for
 * one.
 */
export const PRELUDE = `(log) => {
  const { parse, stringify } = JSON;
  const { keys } = Object;
  const { isArray } = Array;
  delete Math.random;
  delete globalThis.SharedArrayBuffer;
  const textOf = (value) => {
    if (typeof value === 'string') return value;
    try {
      return stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const say = log === undefined ? () => {} : (...values) => log(values.map(textOf).join(' ').slice(0, 1000));
  globalThis.console = { log: say, info: say, debug: say, warn: say, error: say };
  const wrong = (message) => stringify({ wrong: message }) + '\\n';
  const describe = (error) => {
    if (typeof error !== 'object' || error === null) return { message: 'Uncaught ' + textOf(error) };
    const { name, message, stack } = error;
    return { name: textOf(name), message: textOf(message), stack: textOf(stack) };
  };
  return (transform, input) => {
    try {
      const { event, mark, rounded } = parse(input);
      event.data = null;
      if (typeof event.body === 'string') {
        try {
          event.data = parse(event.body[0] === '\\ufeff' ? event.body.slice(1) : event.body);
        } catch {}
      }
      const places = rounded.map(([path, digits]) => {
        let [holder, key] = [event, 'data'];
        for (const next of path) [holder, key] = [holder[key], next];
        return { holder, key, digits, value: holder[key] };
      });
      const result = transform(event);
      if (typeof result !== 'object' || result === null || isArray(result)) {
        return wrong('transform(event) must return an object');
      }
      if (typeof result.then === 'function') return wrong('transform(event) must not be async: it must return an object');
      const { data, body, ...head } = result;
      const has = keys(result);
      const line = stringify({ has, head });
      if (line.length > ${HEAD_CHARACTERS}) return wrong('${TOO_MANY_HEADERS}');
      const content = has.includes('data') ? data : body;
      const isText = typeof content === 'string';
      if (isText && content.length > ${LIMITS.transformedBytes}) return wrong('${TOO_LARGE}');
      // The host takes the marks out. What the code has frozen keeps its rounded number.
      let marks = 0;
      for (const { holder, key, digits, value } of has.includes('data') ? places : []) {
        if (holder[key] !== value || !Reflect.set(holder, key, mark + digits)) continue;
        marks += mark.length + digits.length;
      }
      const text = stringify(content) ?? '';
      if (text.length > ${LIMITS.transformedBytes} * (isText ? 6 : 1) + 2 + marks) return wrong('${TOO_LARGE}');
      return line + '\\n' + text;
    } catch (error) {
      return stringify({ error: describe(error) }) + '\\n';
    }
  };
}`;
