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

type CustomerBody = ReturnType<typeof bodyOfCustomer>;

/**
 * The fields that were changed. The others may have changed elsewhere, and metadata that a program wrote may have keys and
 * values that lines cannot hold, such as a colon in a key.
 */
export function changedCustomer(before: CustomerDraft, draft: CustomerDraft): Partial<CustomerBody> {
  const { name, externalId, metadata } = bodyOfCustomer(draft);
  return {
    ...(draft.name !== before.name && { name }),
    ...(draft.externalId !== before.externalId && { externalId }),
    ...(draft.metadata !== before.metadata && { metadata }),
  };
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
