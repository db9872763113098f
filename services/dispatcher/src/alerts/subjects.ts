/** An alert as a trigger raised it. Keys are UUIDs. */
export type RaisedAlert = {
  workspaceId: string;
  environmentId: string;
  applicationId: string | null;
  endpointId: string | null;
  eventType: string;
  raisedAt: Date;
  facts: Record<string, unknown>;
};

/**
 * The subject of a message: an endpoint, an operation, an API key or a source, by its key. The words are made on
 * sending.
 */
export type Subject = {
  key: string;
  environmentId: string;
  applicationId: string | null;
  endpointId: string | null;
  /** How often it happened. `lastAt` and `facts` describe the last time. */
  count: number;
  lastAt: string;
  facts: Record<string, unknown>;
};

/** Whether a rule covers something, by its environment and application. A rule may name neither. */
export function isAbout(
  rule: { environmentId: string | null; applicationId: string | null },
  { environmentId, applicationId }: Pick<Subject, 'environmentId' | 'applicationId'>,
): boolean {
  return (
    (rule.environmentId === null || rule.environmentId === environmentId) &&
    (rule.applicationId === null || rule.applicationId === applicationId)
  );
}

/** The number of first subjects that are kept with their facts. */
const WITH_FACTS = 20;
/**
 * The most subjects that are kept, and thus counted exactly. If there are more, a message says "at least" this many.
 */
export const COUNTED_SUBJECTS = 1_000;

/**
 * Adds raised alerts to the gathered subjects, each of which is kept once. After the first 20 subjects, only keys are
 * kept.
 */
export function addRaised(subjects: readonly Subject[], raised: readonly RaisedAlert[]): Subject[] {
  const byKey = new Map(subjects.map((subject) => [subject.key, subject]));
  const full = new Set(subjects.slice(0, WITH_FACTS).map(({ key }) => key));
  for (const { environmentId, applicationId, endpointId, raisedAt, facts } of raised) {
    const key = keyOf(endpointId, facts);
    const known = byKey.get(key);
    if (known === undefined && byKey.size >= COUNTED_SUBJECTS) continue;
    if (known === undefined && full.size < WITH_FACTS) full.add(key);
    const count = (known?.count ?? 0) + 1;
    const kept = full.has(key) ? facts : {};
    byKey.set(key, {
      key,
      environmentId,
      applicationId,
      endpointId,
      count,
      lastAt: raisedAt.toISOString(),
      facts: kept,
    });
  }
  return [...byKey.values()];
}

/** An operation, an API key or a source is its own subject. Otherwise the endpoint is. */
function keyOf(endpointId: string | null, { operationId, apiKeyId, sourceId }: Record<string, unknown>): string {
  return String(operationId ?? apiKeyId ?? sourceId ?? endpointId ?? '');
}
