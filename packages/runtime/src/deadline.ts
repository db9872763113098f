/**
 * Resolves with whether `work` ended within `deadlineMs`. It does not stop the work, and passes on an error of `work`.
 */
export async function withDeadline(work: Promise<unknown>, deadlineMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), deadlineMs);
  });
  try {
    return await Promise.race([work.then(() => true), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves with whether the promise resolved in time; false when it rejected. */
export async function answersWithin(asked: Promise<unknown>, withinMs: number): Promise<boolean> {
  return withDeadline(asked, withinMs).catch(() => false);
}

/** The error of work that did not end in time: its outcome is unknown. The code is that of a connection timeout. */
class DeadlineError extends Error {
  readonly code = 'ETIMEDOUT';
}

/** The result of `work`; throws a DeadlineError when it takes longer. The work is not stopped. Infinity: no limit. */
export async function resultWithin<Result>(work: Promise<Result>, deadlineMs: number): Promise<Result> {
  if (deadlineMs === Number.POSITIVE_INFINITY) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(`no answer within ${deadlineMs} ms`)), deadlineMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
