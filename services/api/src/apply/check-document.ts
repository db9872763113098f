import type { WorkspaceDocument } from '@posthorn/contract/apply';
import type { FieldProblem } from '@posthorn/contract/errors';
import { fieldPath } from '@posthorn/contract/field-path';
import { parseFilter } from '@posthorn/filter/parse-filter';
import { refuseProblems } from '../transport/error.ts';

/** Refuses a document that names something twice, or has an invalid filter. The error names every place. */
export function checkDocument(document: WorkspaceDocument): void {
  refuseProblems([
    ...twice('environments', document.environments ?? [], ({ slug }) => slug, 'slug'),
    ...twoDefaults(document.environments ?? []),
    ...twice('eventTypes', document.eventTypes ?? [], ({ name }) => name, 'name'),
    ...twice('applications', document.applications ?? [], ({ externalId }) => externalId, 'externalId'),
    ...twice('endpoints', document.endpoints ?? [], (one) => `${one.environment} ${one.externalId}`, 'externalId'),
    ...twice('sources', document.sources ?? [], (one) => `${one.environment} ${one.externalId}`, 'externalId'),
    ...(document.endpoints ?? []).flatMap(({ eventTypes = [] }, index) => [
      ...twice(`endpoints[${index}].eventTypes`, eventTypes, ({ name }) => name, undefined),
      ...eventTypes.flatMap(({ filter }, place) => faultOfFilter(['endpoints', index, 'eventTypes', place], filter)),
    ]),
  ]);
}

function twice<Item>(
  list: string,
  items: readonly Item[],
  keyOf: (item: Item) => string,
  field: string | undefined,
): FieldProblem[] {
  const first = new Map<string, number>();
  return items.flatMap((item, index) => {
    const known = first.get(keyOf(item));
    if (known === undefined) {
      first.set(keyOf(item), index);
      return [];
    }
    const at = `document.${list}[${index}]${field === undefined ? '' : `.${field}`}`;
    return [{ field: at, message: `${at} is the same as that in document.${list}[${known}]` }];
  });
}

function twoDefaults(environments: NonNullable<WorkspaceDocument['environments']>): FieldProblem[] {
  const [first, ...others] = [...environments.keys()].filter((index) => environments[index]?.isDefault);
  return others.map((index) => {
    const at = `document.environments[${index}].isDefault`;
    return { field: at, message: `${at} must not be true: document.environments[${first}] is the default` };
  });
}

function faultOfFilter(place: readonly PropertyKey[], filter: unknown): FieldProblem[] {
  if (filter === null) return [];
  const parsed = parseFilter(filter);
  if (parsed.kind === 'filter') return [];
  const at = [fieldPath(['document', ...place, 'filter']), parsed.path].filter((part) => part !== '').join('.');
  return [{ field: at, message: `${at} ${parsed.rule}` }];
}
