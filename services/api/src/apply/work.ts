import type { applyBody, WorkspaceChange, WorkspaceDocument } from '@posthorn/contract/apply';
import type { DbTransaction } from '@posthorn/db/client';
import type { z } from 'zod';
import type { WorkspaceContext } from '../operation/context.ts';
import type { Attempt } from './faults.ts';

type Keep = NonNullable<z.output<typeof applyBody>['keep']>;

/** What the parts of an application share. */
export type Work = {
  /** Operations that get this context run in the transaction. */
  ctx: WorkspaceContext;
  transaction: DbTransaction;
  document: WorkspaceDocument;
  prune: boolean;
  /** Whether resources that the lists do not name are removed, and not only what is beyond the named ones. */
  removes: boolean;
  /** Names that no list has, and that are not removed either. */
  keep: Keep;
  dryRun: boolean;
  /**
   * Whether stored passwords, secret headers and credentials are compared. No answer shows them, so a dry run compares
   * them only for a caller who may also apply the document.
   */
  comparesStored: boolean;
  /** What differed, in the order in which it was changed. */
  changes: WorkspaceChange[];
  attempt: Attempt;
};

type Object = Pick<WorkspaceChange, 'kind' | 'key' | 'fields'> & { environment?: string };

/** Notes what became of an object: `none` where no field differed. */
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

/** For a query of what is to be removed: one more than may be. */
export const REMOVED_AND_ONE = MOST_REMOVED + 1;
