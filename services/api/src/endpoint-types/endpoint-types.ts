import type { endpointType } from '@posthorn/contract/endpoints';
import type { Kind } from '@posthorn/destinations/kind';
import { KINDS } from '@posthorn/destinations/kinds';
import { z } from 'zod';
import type { WorkspaceContext } from '../http/context.ts';

/** The kinds of endpoints, described for people and for forms. */
export function listEndpointTypes({ settings }: Pick<WorkspaceContext, 'settings'>): z.output<typeof endpointType>[] {
  return KINDS.map((kind: Kind) => ({
    type: kind.type,
    label: kind.label,
    description: kind.description,
    setup: kind.setup,
    hasUrl: kind.hasUrl,
    configKey: kind.section?.key ?? null,
    configSchema: schemaOf(kind.section?.schema),
    credentialsSchema: schemaOf(kind.credentials),
    delivered: kind.delivered,
    ordering: kind.ordering,
    deduplication: kind.deduplication,
    maxBytes: Math.min(kind.maxBytes ?? settings.maxPayloadBytes, settings.maxPayloadBytes),
  }));
}

function schemaOf(schema: z.ZodObject | null | undefined): Record<string, unknown> | null {
  return schema === null || schema === undefined ? null : { ...z.toJSONSchema(schema, { io: 'input' }) };
}
