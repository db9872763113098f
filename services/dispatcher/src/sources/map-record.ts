import { idempotencyKey, orderingKey } from '@posthorn/contract/ingest';
import type { SourceConfig } from '@posthorn/contract/sources';
import type { ReadRecord } from '@posthorn/destinations/source-kind';
import type { GivenRecord } from '@posthorn/ingest/accept-records';
import { isRounded } from '@posthorn/runtime/json-tokens';
import { namesOf, rawValueAt } from './raw-value.ts';

type Options = { config: SourceConfig; maxPayloadBytes: number };

/** The event that a record becomes, or why it cannot become one; undefined for a tombstone that is skipped. */
export function mapRecord(record: ReadRecord, { config, maxPayloadBytes }: Options): GivenRecord | undefined {
  const { offset, at, value } = record;
  if (value === null && config.tombstones === 'skip') return undefined;
  const place = { offset, at, size: value?.length ?? 0 };
  const reject = (message: string): GivenRecord => ({
    ...place,
    ...{ kind: 'rejected', reason: 'validation_error', message },
  });
  const read = createReading(record);

  const eventType = read.text(config.eventType);
  if (eventType === undefined) return reject(`No event type: ${placeOf(config.eventType)} has no text`);
  const { application, fault } = applicationOf(read, config.application);
  if (fault !== undefined) return reject(fault);
  const key = config.orderingKey === null ? undefined : record.key?.toString();
  if (key !== undefined && !orderingKey.safeParse(key).success) {
    return reject('The key of the record must be 1 to 255 visible ASCII characters to be an ordering key');
  }
  const idempotency = config.idempotencyKey && record.header(config.idempotencyKey.header);
  if (idempotency !== undefined && !idempotencyKey.safeParse(idempotency).success) {
    return reject('The idempotency key must be 1 to 255 visible ASCII characters');
  }
  const body = config.data === undefined || value === null ? (value ?? NO_BYTES) : read.part(config.data.pointer);
  if (body === undefined) return reject(`No data: ${placeOf(config.data ?? {})} has no value`);
  if (body.length > maxPayloadBytes) {
    const message = `data must be at most ${maxPayloadBytes.toLocaleString('en')} bytes`;
    return { ...place, kind: 'rejected', reason: 'payload_too_large', message };
  }
  const named = {
    application: application === undefined ? undefined : `ext:${application}`,
    ...{ orderingKey: key, idempotencyKey: idempotency },
  };
  const content = { contentType: value === null ? undefined : config.contentType, body };
  const input = { target: { kind: 'event_type', name: eventType } as const, ...named, ...content };
  return { ...place, kind: 'event', input: { ...input, deliverAt: undefined, linkedTraceparent: undefined } };
}

/** An event without an application goes to the endpoints of all customers, so only a record that names none has none. */
function applicationOf(read: Reading, where: Where | undefined): { application?: string; fault?: string } {
  const application = where && read.text(where);
  if (application !== undefined) return { application };
  return where === undefined || read.isAbsent(where) ? {} : { fault: `No application: ${placeOf(where)} has no text` };
}

const NO_BYTES = Buffer.alloc(0);

type Reading = ReturnType<typeof createReading>;
type Where = { header?: string | undefined; pointer?: string | undefined; fixed?: string | undefined };

function placeOf({ header, pointer }: Where): string {
  return header === undefined ? `the value at ${pointer === '' ? 'its root' : pointer}` : `the header ${header}`;
}

/** Parses the value only once, and only if a pointer needs it. */
function createReading(record: ReadRecord) {
  let parsed: Parsed | undefined;
  const parse = () => (parsed ??= parseJson(record.value));
  const valueAt = (names: readonly string[]): unknown => resolve(parse().value, names);
  const rawAt = (names: readonly string[]) => (record.value === null ? undefined : rawValueAt(record.value, names));
  return {
    text({ header, pointer, fixed }: Where): string | undefined {
      if (fixed !== undefined) return fixed;
      if (header !== undefined) return record.header(header);
      const names = namesOf(pointer ?? '');
      const found = valueAt(names);
      if (typeof found !== 'number') return typeof found === 'string' ? found : undefined;
      // The ids of two customers may differ in digits that a number of JavaScript does not have.
      const written = rawAt(names)?.toString() ?? '';
      return isRounded(written) ? written : String(found);
    },
    /** Whether the record has nothing there. False for a value that is not JSON. */
    isAbsent({ header, pointer }: Where): boolean {
      if (header !== undefined) return record.header(header) === undefined;
      return record.value === null || (parse().isJson && lacks(parse().value, namesOf(pointer ?? '')));
    },
    part(pointer: string): Buffer | undefined {
      const names = namesOf(pointer);
      return valueAt(names) === undefined ? undefined : rawAt(names);
    },
  };
}

type Parsed = { isJson: boolean; value?: unknown };

function parseJson(value: Buffer | null): Parsed {
  try {
    return value === null ? { isJson: false } : { isJson: true, value: JSON.parse(value.toString()) };
  } catch {
    return { isJson: false };
  }
}

/** Whether an object on the way of these names lacks the next one. False if the way leads through a value that is no object. */
function lacks(value: unknown, names: readonly string[]): boolean {
  // `null` for a whole record means no value, as a tombstone does.
  if (value === null) return true;
  let found = value;
  for (const name of names) {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return false;
    if (!Object.hasOwn(found, name)) return true;
    found = Reflect.get(found, name);
  }
  return false;
}

/** The value on the way of these names; undefined where there is none. */
function resolve(value: unknown, names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    // An array has its length, too.
    if (Array.isArray(found) && name === 'length') return undefined;
    found = Reflect.get(found, name);
  }
  return found;
}
