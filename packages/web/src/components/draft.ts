// Converts between values of the API and the drafts of forms. A shape has a field for each key that the form knows,
// nested like the value, so that an input has the name by which a refusal names it.

/** Converts a value into what is typed, and back; undefined leaves the key out. */
export type Field<Draft> = { read: (value: unknown) => Draft; write: (draft: Draft) => unknown };
type AnyField = { read: (value: unknown) => unknown; write: (draft: never) => unknown };
export type Shape = { readonly [name: string]: AnyField | Shape };

export type DraftOf<Of extends Shape> = {
  -readonly [Name in keyof Of]: Of[Name] extends { read: (value: unknown) => infer Draft }
    ? Draft
    : Of[Name] extends Shape
      ? DraftOf<Of[Name]>
      : never;
};

/** The draft of a value. Without a value, the empty form. */
export function draftOf<Of extends Shape>(shape: Of, value?: object): DraftOf<Of> {
  const given = recordOf(value);
  return eachOf(shape, (part, name) =>
    isField(part) ? part.read(given[name]) : draftOf(part, recordOf(given[name])),
  ) as DraftOf<Of>;
}

/** The value of a draft. Other keys of `before` stay. A nested part without a key is left out. */
export function typedValue<Value extends object>(shape: Shape, draft: object, before: Value): Value {
  const [typed, present] = [recordOf(draft), recordOf(before)];
  const values = eachOf(shape, (part, name) => {
    if (isField(part)) return part.write(typed[name] as never);
    const inner = typedValue(part, recordOf(typed[name]), recordOf(present[name]));
    return Object.keys(inner).length === 0 ? undefined : inner;
  });
  const kept = Object.entries({ ...present, ...values }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as Value;
}

/**
 * Applies the changes since `start` to `now`. Somebody else may have changed the other fields, so they are as in `now`.
 */
export function rebased<Draft extends object>(shape: Shape, draft: Draft, start: Draft, now: Draft): Draft {
  const [typed, first, present] = [recordOf(draft), recordOf(start), recordOf(now)];
  return eachOf(shape, (part, name) => {
    if (isField(part)) return isSame(typed[name], first[name]) ? present[name] : typed[name];
    return rebased(part, recordOf(typed[name]), recordOf(first[name]), recordOf(present[name]));
  }) as Draft;
}

/** The keys whose values differ. Others are left out, because they may have changed elsewhere. */
export function changedOf<Value extends object>(before: Value, after: Value): Partial<Value> {
  const present = recordOf(before);
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isSame(value, present[name])),
  ) as Partial<Value>;
}

/** A field with its own conversion. */
export function field<Value, Draft>(
  read: (value: Value | undefined) => Draft,
  write: (draft: Draft) => Value | undefined,
): Field<Draft> {
  return { read: (value) => read(value as Value | undefined), write };
}

/** A text exactly as typed, even an empty one. */
export const plain = field<string, string>(
  (value = '') => value,
  (typed) => typed,
);

/** A text without surrounding spaces. */
export const text = field<string, string>(
  (value = '') => value,
  (typed) => typed.trim() || undefined,
);

/** A number. An empty field means the default. */
export const number = field<number, number | string>(
  (value) => value ?? '',
  (typed) => (typed === '' ? undefined : Number(typed)),
);

/** A choice. `byDefault` is the meaning of an absent key. */
export function choice<Value>(byDefault: Value): Field<Value> {
  return field<Value, Value>(
    (value = byDefault) => value,
    (typed) => (typed === byDefault ? undefined : typed),
  );
}

/** Several texts, with this separator between them. */
export function list(separator: string): Field<string> {
  return field<string[], string>(
    (value = []) => value.join(separator),
    (typed) => {
      const entries = entriesOf(typed, separator);
      return entries.length === 0 ? undefined : entries;
    },
  );
}

export function entriesOf(typed: string, separator: string): string[] {
  const entries = typed.split(separator).map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '');
}

/** Names with values, one on each line, such as `X-Team: billing`. */
export const pairs = field<Record<string, string>, string>(
  (value = {}) =>
    Object.entries(value)
      .map(([name, one]) => `${name}: ${one}`)
      .join('\n'),
  (typed) => {
    const read = pairsOf(typed);
    return Object.keys(read).length === 0 ? undefined : read;
  },
);

/**
 * Parses the lines. A line without a colon is a name with an empty value, which the service then refuses or accepts.
 */
export function pairsOf(typed: string): Record<string, string> {
  return Object.fromEntries(
    entriesOf(typed, '\n').map((line) => {
      const colon = line.indexOf(':');
      return colon === -1 ? [line, ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

function isField(part: AnyField | Shape): part is AnyField {
  return typeof part.read === 'function';
}

function eachOf(shape: Shape, of: (part: AnyField | Shape, name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shape).map(([name, part]) => [name, of(part, name)]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
