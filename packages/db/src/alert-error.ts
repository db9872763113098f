/** Why the last message of an alert rule was not sent. `status` is the target's answer. */
export type AlertError = { reason: string; code: string; status?: number };

/** The columns of an alert rule for the error of its last message, or for none. They are always written together. */
export function alertErrorColumns(error: AlertError | null) {
  return {
    lastError: error?.reason ?? null,
    lastErrorCode: error?.code ?? null,
    lastErrorStatus: error?.status ?? null,
    lastErrorCoded: error?.reason ?? null,
  };
}

/**
 * The error of a rule. A process of an earlier version writes only the text, so then there is no code and no status.
 */
export function readAlertError(row: ReturnType<typeof alertErrorColumns>) {
  const { lastError, lastErrorCode, lastErrorStatus, lastErrorCoded } = row;
  const isCoded = lastError !== null && lastError === lastErrorCoded;
  return isCoded
    ? { lastError, lastErrorCode, lastErrorStatus }
    : { lastError, lastErrorCode: null, lastErrorStatus: null };
}
