import type { endpointType } from '@posthorn/contract/endpoints';
import { toId } from '@posthorn/contract/ids';
import type { PageQuery } from '@posthorn/contract/primitives';
import type { Kind } from '@posthorn/destinations/kind';
import { OWNER } from '@posthorn/destinations/kind';
import { KINDS } from '@posthorn/destinations/kinds';
import { z } from 'zod';
import type { WorkspaceContext } from '../operation/context.ts';
import { type ListContext, listItems } from '../operation/list-rows.ts';
import { typesFor } from './creatable-types.ts';

type Settings = Pick<WorkspaceContext['settings'], 'maxPayloadBytes' | 'endpointTypes' | 'endpointDefaults'>;

type Caller = ListContext & { settings: Settings; workspace: Pick<WorkspaceContext['workspace'], 'id'> };

/** The kinds of endpoints that the caller may create, described for people and for forms. */
export function listEndpointTypes(ctx: Caller, query: PageQuery): z.output<typeof endpointType>[] {
  const { settings } = ctx;
  const types = typesFor(ctx);
  const { applicationId } = ctx.bounds;
  const owner = applicationId === undefined ? toId('ws', ctx.workspace.id) : toId('app', applicationId);
  const items = KINDS.filter(({ type }) => types.has(type)).map((kind) => ({
    type: kind.type,
    ...describe(kind, settings),
    setup: kind.setup.replaceAll(OWNER, owner),
  }));
  return listItems(ctx, query, { name: ['endpoint types'], items, keyOf: placeOf });
}

/** The sort key of a type. Types stay in the order in which a form shows them, the most wanted first. */
function placeOf({ type }: { type: string }): string {
  return String(KINDS.findIndex((kind) => kind.type === type)).padStart(4, '0');
}

function describe(kind: Kind, { maxPayloadBytes, endpointDefaults }: Settings) {
  const { label, description, setup, hasUrl, section, credentials, delivered, ordering, deduplication } = kind;
  return {
    ...{ label, description, setup, hasUrl },
    configKey: section?.key ?? null,
    configSchema: section === null ? null : schemaOf(section.schema),
    credentialsSchema: credentials === null ? null : schemaOf(credentials),
    ...{ delivered, ordering, deduplication },
    maxBytes: Math.min(kind.maxBytes ?? maxPayloadBytes, maxPayloadBytes),
    defaults: endpointDefaults,
  };
}

function schemaOf(schema: z.ZodObject): Record<string, unknown> {
  return { ...z.toJSONSchema(schema, { io: 'input' }) };
}
