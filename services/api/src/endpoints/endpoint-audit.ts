import type { EndpointConfig } from '@posthorn/contract/endpoint-config';
import type { updateEndpointBody } from '@posthorn/contract/endpoints';
import { toId } from '@posthorn/contract/ids';
import type { z } from 'zod';
import { type Changes, diff } from '../audit/change.ts';
import { storedPatterns } from '../subscriptions/patterns.ts';
import type { EndpointRow } from './present-endpoint.ts';
import type { SealedValues } from './sealed-values.ts';

// The audit log shows an endpoint without its secrets.

export const REDACTED = '[redacted]';

/** The column is written by the endpoint's operations only, after it was checked against the contract. */
export function storedHeaders({ secretHeaders }: Pick<EndpointRow, 'secretHeaders'>): SealedValues {
  return secretHeaders as SealedValues;
}

/** Like the headers, the column is written only by the endpoint's operations. */
export function storedCredentials({ credentials }: Pick<EndpointRow, 'credentials'>): SealedValues {
  return credentials as SealedValues;
}

function redacted(headers: SealedValues) {
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

/** The changes of an update. `rows` is how many subscriptions it made or deleted by patterns. */
export function changesOfUpdate(
  before: EndpointRow,
  row: EndpointRow,
  { body, rows }: { body: z.output<typeof updateEndpointBody>; rows: number },
): Changes {
  const changes = auditChanges(diff(auditFields(before), auditFields(row)));
  // A secret in the body may be a new one, although both look the same in the log.
  if (typeof body.authPassword === 'string' && row.authUsername !== null) {
    changes.authPassword = { from: before.authUsername === null ? null : REDACTED, to: REDACTED };
  }
  if (Object.values(body.secretHeaders ?? {}).some((value) => value !== null)) {
    changes.secretHeaders = { from: redacted(storedHeaders(before)), to: redacted(storedHeaders(row)) };
  }
  if (Object.values(body.credentials ?? {}).some((value) => value !== null)) {
    changes.credentials = { from: redacted(storedCredentials(before)), to: redacted(storedCredentials(row)) };
  }
  // Writing the same patterns again makes subscriptions that were deleted. Show the patterns, because the number of
  // subscriptions would tell a customer of types that are not published.
  if (rows > 0) changes.eventTypePatterns ??= { from: storedPatterns(before), to: storedPatterns(row) };
  return changes;
}

export function note(row: EndpointRow, changes: Changes) {
  return {
    resourceId: toId('ep', row.id),
    changes,
    applicationId: row.applicationId,
    environmentId: row.environmentId,
  };
}
