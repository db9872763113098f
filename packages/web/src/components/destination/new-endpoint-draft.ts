import type { EndpointType } from '../../client/resources.ts';
import { draftOf, typedValue } from '../draft.ts';
import { fieldsOf, type SchemaDraft, shapeOf } from './schema-fields.ts';

/** The form's values for a new endpoint. */
export type NewEndpointDraft = {
  type: EndpointType['type'] | undefined;
  url: string;
  description: string;
  eventTypeIds: string[];
  config: { destination: SchemaDraft };
  credentials: SchemaDraft;
};

/** The request body for a new endpoint. */
export type NewEndpointBody = {
  type?: EndpointType['type'];
  url?: string;
  description: string;
  config?: { destination: Record<string, unknown> };
  credentials?: Record<string, string>;
};

type Kind = Pick<EndpointType, 'type' | 'configKey' | 'configSchema' | 'credentialsSchema' | 'hasUrl'>;

/** True if messages of this type go to a broker or a store. */
export function hasDestination({ configKey }: Pick<Kind, 'configKey'>): boolean {
  return configKey === 'destination';
}

/** The empty form of a kind. */
export function draftOfKind(kind: Kind | undefined) {
  return {
    type: kind?.type,
    config: { destination: draftOf(shapeOf(fieldsOf(kind?.configSchema))) },
    credentials: draftOf(shapeOf(fieldsOf(kind?.credentialsSchema))),
  };
}

/** The request body, with the fields that this kind of endpoint needs. */
export function newEndpointBody(
  kind: Kind | undefined,
  { url, description, config, credentials }: NewEndpointDraft,
): NewEndpointBody {
  const common = { description, ...(kind && { type: kind.type }) };
  if (kind === undefined || kind.hasUrl) return { ...common, url };
  if (!hasDestination(kind)) return common;
  const secrets = typedValue<Record<string, string>>(shapeOf(fieldsOf(kind.credentialsSchema)), credentials, {});
  return {
    ...common,
    config: { destination: typedValue(shapeOf(fieldsOf(kind.configSchema)), config.destination, {}) },
    ...(Object.keys(secrets).length > 0 && { credentials: secrets }),
  };
}
