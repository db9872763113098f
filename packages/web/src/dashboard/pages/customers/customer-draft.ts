import type { Application } from '../../../client/resources.ts';
import { changedOf, type DraftOf, field, pairs, pairsOf, plain, typedValue } from '../../../components/draft.ts';

/** The form's fields for a customer. */
export const CUSTOMER = {
  name: plain,
  externalId: field<string | null, string>(
    (value) => value ?? '',
    (typed) => typed.trim() || null,
  ),
  metadata: { ...pairs, write: pairsOf },
};

type CustomerBody = Pick<Application, 'name' | 'externalId' | 'metadata'>;

/**
 * Returns only the changed fields. Others may have changed elsewhere, and metadata that a program wrote may have keys
 * and values that lines of text cannot hold, such as a colon in a key.
 */
export function changedCustomer(
  before: DraftOf<typeof CUSTOMER>,
  draft: DraftOf<typeof CUSTOMER>,
): Partial<CustomerBody> {
  const body = customerBody(draft);
  const changed = Object.keys(changedOf(before, draft));
  return Object.fromEntries(Object.entries(body).filter(([name]) => changed.includes(name)));
}

export function customerBody(draft: DraftOf<typeof CUSTOMER>): CustomerBody {
  return typedValue(CUSTOMER, draft, { name: '', externalId: null, metadata: {} });
}
