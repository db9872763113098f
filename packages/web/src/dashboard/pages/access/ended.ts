type Ending = { expiresAt: string | null; revokedAt?: string | null };

/** Why requests with a key or a token are refused now; null while they are accepted. */
export function endedBy({ expiresAt, revokedAt = null }: Ending, nowMs: number): 'expiry' | 'rotation' | null {
  if (revokedAt !== null && Date.parse(revokedAt) <= nowMs) return 'rotation';
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? 'expiry' : null;
}

/**
 * The rows that work at `nowMs`, then those that have ended, each in their order. A row that ends later keeps its
 * place.
 */
export function endedLast<Row extends Ending>(rows: readonly Row[], nowMs: number): Row[] {
  const hasEnded = (row: Row) => endedBy(row, nowMs) !== null;
  return [...rows.filter((row) => !hasEnded(row)), ...rows.filter(hasEnded)];
}

/** The instant from which requests are refused: the earlier one of expiry and revocation. */
export function endOf({ expiresAt, revokedAt = null }: Ending): string | null {
  if (revokedAt === null || expiresAt === null) return revokedAt ?? expiresAt;
  return Date.parse(revokedAt) < Date.parse(expiresAt) ? revokedAt : expiresAt;
}
