import { CONTROL_OR_LONE_SURROGATE } from '@posthorn/contract/primitives';
import type { Kind } from '@posthorn/destinations/kind';
import { hasDestination, KINDS } from '@posthorn/destinations/kinds';
import { z } from 'zod';
import { parseInput } from '../operation/parse.ts';
import { invalid } from '../transport/error.ts';

const SECTION_KEYS = new Set<string>(['destination', ...KINDS.flatMap(({ section }: Kind) => section?.key ?? [])]);

/** Refuses a config whose part for the kind is missing or wrong, or that has the part of another kind. */
export function checkKindConfig(
  { type, section, faultOf }: Pick<Kind, 'type' | 'section' | 'faultOf'>,
  config: object,
): void {
  for (const key of SECTION_KEYS) {
    if (key !== section?.key && Reflect.get(config, key) !== undefined) {
      throw invalid(`config.${key} is not for a ${type} endpoint`, `config.${key}`);
    }
  }
  if (section === null) return;
  const { key, schema } = section;
  const part = z.object({ [key]: hasDestination({ section }) ? schema : schema.optional() });
  const checked = parseInput(z.object({ config: part }), { config: { [key]: Reflect.get(config, key) } });
  const settings = checked.config[key];
  const fault = (hasDestination({ section }) ? controlFault(settings) : undefined) ?? faultOf?.(settings);
  if (fault === undefined) return;
  const field = `config.${key}.${fault.field}`;
  throw invalid(`${field} ${fault.message}`, field);
}

/**
 * Refuses control characters in names at a broker. Such names are shown in one line, to people and to agents, and a
 * line break could pass for the end of it. The rule is not in the schema, because stored settings that a schema refuses
 * could no longer be read.
 */
function controlFault(settings: unknown) {
  const isNamed = ([key, value]: [string, unknown]) =>
    // Certificates have line breaks.
    key !== 'ca' && [value].flat().some((one) => typeof one === 'string' && CONTROL_OR_LONE_SURROGATE.test(one));
  const [field] = Object.entries(settings ?? {}).find(isNamed) ?? [];
  return field === undefined ? undefined : { field, message: 'must not contain control characters or lone surrogates' };
}
