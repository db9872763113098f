/** Whether `work` ended within `deadlineMs`; it is not stopped, only no longer waited for. Its fault is passed on. */
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

/** Whether what was asked succeeded within the time: a fault is a no. */
export async function answersWithin(asked: Promise<unknown>, withinMs: number): Promise<boolean> {
  return withDeadline(asked, withinMs).catch(() => false);
}

/** What was asked did not end in time; its outcome is unknown. The code is that of a connection that timed out. */
class DeadlineError extends Error {
  readonly code = 'ETIMEDOUT';
}

/** What `work` answers, or a DeadlineError when it takes longer; it is not stopped. Infinity sets no limit. */
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
