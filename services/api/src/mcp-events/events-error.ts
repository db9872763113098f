import { type Dialect, EVENTS_ERROR_CODES } from '@posthorn/contract/agents';

/** A refusal that an agent can act on. Its message says what is wrong, and repeats nothing that the callback wrote. */
export class EventsError extends Error {
  override name = 'EventsError';
  readonly kind: keyof typeof EVENTS_ERROR_CODES;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(kind: keyof typeof EVENTS_ERROR_CODES, message: string, data: Readonly<Record<string, unknown>>) {
    super(message);
    this.kind = kind;
    this.data = data;
  }
}

export function invalidField(field: string, rule: string): EventsError {
  return new EventsError('invalid', `${field} ${rule}`, { field });
}

/** The code of an error in a dialect. */
export function codeOf({ kind }: EventsError, dialect: Dialect): number {
  return EVENTS_ERROR_CODES[kind][dialect];
}

/** The extension of the protocol, as both sides name it. */
export const EXTENSION = 'io.modelcontextprotocol/events';

/** The dialect of a message: that of the extension, if the client says in the message that it knows the extension. */
export function dialectOf(message: unknown): Dialect {
  const capabilities = at(message, 'params', '_meta', 'io.modelcontextprotocol/clientCapabilities');
  return at(capabilities, 'extensions', EXTENSION) === undefined ? 'sketch' : 'sep';
}

/**
 * The name that the client gives itself in this message, if any: at most 100 characters, without control characters.
 */
export function clientNameOf(message: unknown): string | null {
  const name = at(message, 'params', '_meta', 'io.modelcontextprotocol/clientInfo', 'name');
  if (typeof name !== 'string') return null;
  const shown = [...name.replace(/[\p{Cc}\p{Cs}\p{Cf}\u2028\u2029]+/gu, '')].slice(0, 100).join('');
  return shown === '' ? null : shown;
}

/** A value within an object of unknown form. */
function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined,
    value,
  );
}
