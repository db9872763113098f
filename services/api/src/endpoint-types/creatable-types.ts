import { DEFAULT_KIND, KINDS } from '@posthorn/destinations/kinds';
import { invalid } from '../transport/error.ts';

/** The types of endpoints that may be created by a workspace, and in its portals. */
export type CreatableTypes = { workspace: ReadonlySet<string>; portal: ReadonlySet<string> };

/** Reads `webhook,pull`. Throws an Error that names the rule. */
export function parseEndpointTypes(text: string): string[] {
  const types = text.split(',').map((type) => type.trim());
  const known: string[] = KINDS.map(({ type }) => type);
  const other = types.find((type) => !known.includes(type));
  if (other !== undefined) throw new Error(`must name types of endpoints (${known.join(', ')}), separated by commas`);
  return types;
}

/**
 * The listed types. Without a list, every type; but in portals only the types that need no decision of the operator.
 */
export function creatableTypes(listed: readonly string[] | undefined): CreatableTypes {
  if (listed !== undefined) return { workspace: new Set(listed), portal: new Set(listed) };
  const all = KINDS.map(({ type }) => type);
  return {
    workspace: new Set(all),
    portal: new Set(KINDS.flatMap((kind) => (kind === DEFAULT_KIND || kind.load === null ? [kind.type] : []))),
  };
}

type Caller = { settings: { endpointTypes: CreatableTypes }; bounds: { applicationId?: string } };

/** The types of endpoints that the caller may create. */
export function typesFor({ settings: { endpointTypes }, bounds }: Caller): ReadonlySet<string> {
  return bounds.applicationId === undefined ? endpointTypes.workspace : endpointTypes.portal;
}

export function requireCreatable(ctx: Caller, type: string): void {
  const types = typesFor(ctx);
  if (types.has(type)) return;
  throw invalid(`type must be one that may be created here: ${[...types].join(', ')}`, 'type');
}
