import type { Application } from '../../../client/resources.ts';

/** A customer as one types it. */
export type CustomerDraft = { name: string; externalId: string; metadata: string };

export const NO_CUSTOMER: CustomerDraft = { name: '', externalId: '', metadata: '' };

export function draftOfCustomer({ name, externalId, metadata }: Application): CustomerDraft {
  const lines = Object.entries(metadata).map(([key, value]) => `${key}: ${value}`);
  return { name, externalId: externalId ?? '', metadata: lines.join('\n') };
}

/** The fields of a draft as a change takes them. */
export function bodyOfCustomer({ name, externalId, metadata }: CustomerDraft) {
  return { name, externalId: externalId === '' ? null : externalId, metadata: metadataOf(metadata) };
}

/** The keys and values of typed lines. A line without a colon is a key with an empty value. */
export function metadataOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return colon === -1 ? [line.trim(), ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}
