import { externalId } from '@posthorn/contract/applications';
import { ApiError, invalid } from '../transport/error.ts';
import { type Created, created } from './route.ts';

/** The externalId that `ext:` in a path names. A body may repeat it. */
export function nameOfUpsert(reference: string, field: string, given: string | null | undefined): string {
  const parsed = externalId.safeParse(reference.slice('ext:'.length));
  if (!reference.startsWith('ext:') || !parsed.success) {
    throw invalid(`${field} must be ext: and an externalId: the service gives the id of what is new`, `path.${field}`);
  }
  if (given != null && given !== parsed.data) {
    throw invalid('externalId must be the one in the path', 'externalId');
  }
  return parsed.data;
}

/** Each try can lose against one more request that creates or deletes it at the same moment. */
const TRIES = 5;

type Upsert<Answer> = {
  /** Undefined if there is nothing to replace. */
  replace: () => Promise<Answer | undefined>;
  create: () => Promise<Answer>;
};

/** Replaces what exists, otherwise creates it. Of requests at once, one creates it and the others replace it. */
export async function upsert<Answer>({ replace, create }: Upsert<Answer>): Promise<Answer | Created<Answer>> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const replaced = await replace();
    if (replaced !== undefined) return replaced;
    const made = await create().catch(noneIf('external_id_taken'));
    if (made !== undefined) return created(made);
  }
  throw new ApiError('unavailable', 'Others create and delete it at the same moment; try again', {
    'Retry-After': '1',
  });
}

/** Turns this refusal into undefined, and throws any other error again. */
export function noneIf(code: ApiError['code']) {
  return (error: unknown): undefined => {
    if (error instanceof ApiError && error.code === code) return undefined;
    throw error;
  };
}
