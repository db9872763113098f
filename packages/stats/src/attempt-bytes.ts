import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';

/** The fields of an attempt whose size depends on customers and receivers. */
type KeptFields = {
  url: string;
  requestHeaders?: Record<string, string>;
  requestBody?: Uint8Array | null;
  responseHeadersSealed: Uint8Array | null;
  responseBodySealed: Uint8Array | null;
  errorMessage: string | null;
};

/** The number of bytes that are stored for an attempt, by the rules of `attemptBytesKept`. */
export function bytesOfAttempt(attempt: KeptFields): number {
  const texts =
    attempt.url.length + (attempt.errorMessage?.length ?? 0) + lengthOfHeaders(attempt.requestHeaders ?? {});
  const sealed = [attempt.requestBody, attempt.responseHeadersSealed, attempt.responseBodySealed];
  return sealed.reduce((sum, bytes) => sum + (bytes?.length ?? 0), texts);
}

function lengthOfHeaders(headers: Record<string, string>): number {
  return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}

/** Bytes by UTC day and workspace. Its size is bounded by the workspaces that exist. */
export type AttemptBytes = Map<string, Map<string, number>>;

export function addBytes(all: AttemptBytes, { day, workspaceId }: { day: string; workspaceId: string }, bytes: number) {
  const ofDay = all.get(day) ?? new Map<string, number>();
  all.set(day, ofDay);
  ofDay.set(workspaceId, (ofDay.get(workspaceId) ?? 0) + bytes);
}

/** The most workspaces in one statement. */
const PART = 1_000;

/**
 * Adds the bytes to the stored ones, in the order of their keys, so that two processes never deadlock. Removes the
 * written bytes from `all`.
 */
export async function writeAttemptBytes(db: Db, all: AttemptBytes): Promise<void> {
  for (const [day, ofDay] of all) {
    while (ofDay.size > 0) {
      const part = [...ofDay].slice(0, PART);
      await retryConflicts(
        () => db.$executeRaw`
          insert into workspace_usage as u (workspace_id, day, events, bytes, attempt_bytes)
          select workspace_id, ${day}::date, 0, 0, attempt_bytes
          from unnest(${part.map(([id]) => id)}::uuid[], ${part.map(([, bytes]) => bytes)}::bigint[])
            as g(workspace_id, attempt_bytes) order by workspace_id
          on conflict (workspace_id, day) do update set attempt_bytes = u.attempt_bytes + excluded.attempt_bytes`,
      );
      for (const [id] of part) ofDay.delete(id);
    }
    all.delete(day);
  }
}
