import { openCursor, sealCursor } from '@posthorn/crypto/cursor';
import { z } from 'zod';
import { ApiError } from '../transport/error.ts';
import type { WorkspaceContext } from './context.ts';
import { FollowsPrimary } from './read-lists.ts';

/** The keys of cursors, and the list's workspace. For a list of a person, the person stands for the workspace. */
export type CursorContext = Pick<WorkspaceContext, 'cursorKeys' | 'bounds' | 'readsFrom'> & {
  workspace: { id: string };
};

/**
 * The cursor after a page's last row. It is valid only for this workspace's list with these filters: `list` names
 * both. If the page was read from the primary, the next page will be read there too.
 */
export function sealPageCursor(
  ctx: CursorContext,
  lastKey: string | undefined,
  list: readonly unknown[],
  part?: string,
) {
  if (lastKey === undefined) return null;
  const primary = ctx.readsFrom === 'primary' ? { primary: true } : {};
  return sealCursor(ctx.cursorKeys, { before: lastKey, part, ...primary }, contextOf(ctx, list));
}

/** The key after which the next page begins; `invalid_cursor` when the cursor was altered or is of another list. */
export function openPageCursor(ctx: CursorContext, cursor: string, list: readonly unknown[]): string {
  return openPosition(ctx, cursor, list).before;
}

/** Like `openPageCursor`, for a list of several parts: it also returns the part that the key belongs to. */
export function openPosition(ctx: CursorContext, cursor: string, list: readonly unknown[]) {
  const position = cursorPosition.safeParse(openCursor(ctx.cursorKeys, cursor, contextOf(ctx, list)));
  if (!position.success) throw new ApiError('invalid_cursor', 'This cursor was altered, or belongs to another list');
  if (position.data.primary === true && ctx.readsFrom === 'replica') throw new FollowsPrimary();
  return position.data;
}

// This service sealed the cursor for this list, so its text is a key of the list.
const cursorPosition = z.object({ before: z.string(), part: z.string().optional(), primary: z.boolean().optional() });

function contextOf({ workspace, bounds }: CursorContext, list: readonly unknown[]): string {
  return JSON.stringify([workspace.id, bounds.applicationId ?? null, bounds.environmentId ?? null, ...list]);
}
