import type { EndpointConfig } from '@posthorn/contract/endpoint-config';
import { toId } from '@posthorn/contract/ids';
import type { Changes } from '../audit/change.ts';
import { storedPatterns } from '../subscriptions/patterns.ts';
import type { SealedCredentials } from './endpoint-credentials.ts';
import type { EndpointRow } from './present-endpoint.ts';
import type { SecretHeaders } from './secret-headers.ts';

// What the audit log says of an endpoint: never a secret.

export const REDACTED = '[redacted]';

/** The column is written by the endpoint's operations only, after it was checked against the contract. */
export function storedHeaders({ secretHeaders }: Pick<EndpointRow, 'secretHeaders'>): SecretHeaders {
  return secretHeaders as SecretHeaders;
}

/** As the headers: written by the endpoint's operations only. */
export function storedCredentials({ credentials }: Pick<EndpointRow, 'credentials'>): SealedCredentials {
  return credentials as SealedCredentials;
}

export function redacted(headers: SecretHeaders | SealedCredentials) {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, REDACTED]));
}

export function auditFields(row: EndpointRow) {
  const { url, description, type, config, metadata, authUsername, isActive, externalId } = row;
  const environmentId = toId('env', row.environmentId);
  const secretHeaderNames = Object.keys(storedHeaders(row));
  const credentialNames = Object.keys(storedCredentials(row));
  const settings = {
    url,
    externalId,
    eventTypePatterns: storedPatterns(row),
    description,
    type,
    config,
    secretHeaderNames,
    credentialNames,
    metadata,
  };
  return { ...settings, authUsername, isActive, environmentId };
}

/** Customers put their own keys into headers: the audit log shows only the headers' names. */
export function auditChanges({ config, ...changes }: Changes): Changes {
  if (config === undefined) return changes;
  return { ...changes, config: { from: hideHeaders(config.from), to: hideHeaders(config.to) } };
}

function hideHeaders(config: unknown): unknown {
  const { headers, ...rest } = (config ?? {}) as EndpointConfig;
  if (headers === undefined) return config;
  return { ...rest, headers: Object.fromEntries(Object.keys(headers).map((header) => [header, REDACTED])) };
}

export function note(row: EndpointRow, changes: Changes) {
  return {
    resourceId: toId('ep', row.id),
    changes,
    applicationId: row.applicationId,
    environmentId: row.environmentId,
  };
}
