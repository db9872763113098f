import { randomUUID } from 'node:crypto';
import { markNumbers } from '@posthorn/runtime/json-tokens';
import { z } from 'zod';

// Templates of a destination: texts in which `{{name}}` stands for a value of the event. They contain no code.

/** The names that a template may use, apart from `data.` with a path into the payload. */
const NAMES = ['eventType', 'eventId', 'orderingKey', 'applicationId', 'date'] as const;
type Name = (typeof NAMES)[number];

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const DATA = /^data(?:\.[^.{}]{1,100}){1,20}$/;

/** A field that is a template. A name that no event has is refused. */
export const template = z
  .string()
  .min(1, 'must not be empty')
  .max(1_000, 'must have at most 1,000 characters')
  .superRefine((text, context) => {
    const wrong = [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name).find((name) => !isKnown(name));
    if (wrong !== undefined) {
      const names = [...NAMES, 'data.<path>'].join(', ');
      context.addIssue({ code: 'custom', message: `has the unknown name "${wrong}": use ${names}` });
    } else if (/\{\{|\}\}/.test(text.replaceAll(PLACEHOLDER, ''))) {
      context.addIssue({ code: 'custom', message: 'must close each {{ with }}' });
    }
  });

function isKnown(name: string): boolean {
  return NAMES.some((known) => known === name) || DATA.test(name);
}

export type TemplateValues = Readonly<Record<Name, string>> & {
  /** The payload as ingested. */
  payload: Buffer;
};

/** Fills in the values. A value that is missing, an object or a list becomes empty. */
export function fillTemplate(text: string, values: TemplateValues): string {
  let payload: unknown;
  let isRead = false;
  const read = (path: readonly string[]) => {
    if (!isRead) payload = jsonOf(values.payload);
    isRead = true;
    return textAt(payload, path);
  };
  // Each placeholder is replaced once, so a value that looks like one stays as it is.
  return text.replaceAll(PLACEHOLDER, (_whole, name: string) => {
    const known = NAMES.find((one) => one === name);
    return known === undefined ? read(name.split('.').slice(1)) : values[known];
  });
}

/** The text with `x` for every value. A fault in it is a fault in every message. */
export function withLetters(text: string): string {
  return text.replaceAll(PLACEHOLDER, 'x');
}

function textAt(value: unknown, path: readonly string[]): string {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return '';
    found = Reflect.get(found, key);
  }
  if (typeof found !== 'string' && typeof found !== 'number' && typeof found !== 'boolean') return '';
  const text = String(found);
  if (text.startsWith(MARK)) return text.slice(MARK.length);
  // Replaces half a surrogate pair, which cannot be sent as UTF-8.
  return Buffer.from(text, 'utf8').toString('utf8');
}

/** Undefined if the payload is not JSON. */
function jsonOf(payload: Buffer): unknown {
  try {
    // The text may begin with a byte order mark.
    const text = new TextDecoder().decode(payload);
    const value: unknown = JSON.parse(text);
    // JSON.parse rounds long numbers, and an id may have 19 digits.
    return LONG.test(text)
      ? JSON.parse(markNumbers(text, MARK, (number) => number.length > MOST_EXACT_CHARACTERS))
      : value;
  } catch {
    return undefined;
  }
}

/** The prefix of a number that is kept as text. It is random, so that no payload can contain it. */
const MARK = randomUUID();
/** A number of up to this many characters survives as a 64-bit float. */
const MOST_EXACT_CHARACTERS = 15;
const LONG = /[\d.]{16}/;
