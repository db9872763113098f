import type { applyBody, WorkspaceChange, WorkspaceDocument } from '@posthorn/contract/apply';
import type { DbTransaction } from '@posthorn/db/client';
import type { z } from 'zod';
import type { WorkspaceContext } from '../operation/context.ts';
import type { Attempt } from './faults.ts';

type Keep = NonNullable<z.output<typeof applyBody>['keep']>;

/** The state that all steps of applying a document share. */
export type Work = {
  /** Operations that get this context run in the transaction. */
  ctx: WorkspaceContext;
  transaction: DbTransaction;
  document: WorkspaceDocument;
  prune: boolean;
  /**
   * Whether `prune` removes resources that the lists do not name. If not, it removes only what named resources have
   * beyond the document.
   */
  removes: boolean;
  /** Names that are in no list of this part, and that are not removed either. */
  keep: Keep;
  dryRun: boolean;
  /**
   * Whether stored passwords, secret headers and credentials are compared. No answer shows them, so a dry run compares
   * them only for a caller who may also apply the document.
   */
  comparesStored: boolean;
  /** The differences, in the order in which they were changed. */
  changes: WorkspaceChange[];
  attempt: Attempt;
};

type Object = Pick<WorkspaceChange, 'kind' | 'key' | 'fields'> & { environment?: string };

/** Notes a change of an object, unless no field differed. */
export function note(
  work: Work,
  action: 'create' | 'update' | 'remove',
  { environment = null, ...object }: Noted,
): void {
  const isSame = action === 'update' && object.fields.length === 0;
  work.changes.push({ action: isSame ? 'none' : action, ...object, environment });
}

type Noted = Omit<Object, 'environment'> & { environment?: string | null };

/** The most objects of a kind that one call removes. */
const MOST_REMOVED = 500;

/** The limit of a query for removals: one more than may be removed, to notice that there are too many. */
export const REMOVED_AND_ONE = MOST_REMOVED + 1;
