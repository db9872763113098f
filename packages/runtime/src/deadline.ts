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
