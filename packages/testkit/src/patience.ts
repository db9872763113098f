/**
 * How many times as long as on a developer's machine a test, a hook and a condition may take (`TEST_PATIENCE`, 1 by
 * default). These times end what hangs, and assert nothing. CI sets it, because its machines may be slow.
 */
export const patience = Number(process.env.TEST_PATIENCE ?? 1);
