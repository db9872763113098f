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

/** What a message is about: an endpoint, an operation, an API key or a source, by its key. The words are made when it is sent. */
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

/** Whether something belongs to the environment and the application that a rule is about, as far as it names them. */
export function isAbout(
  rule: { environmentId: string | null; applicationId: string | null },
  { environmentId, applicationId }: Pick<Subject, 'environmentId' | 'applicationId'>,
): boolean {
  return (
    (rule.environmentId === null || rule.environmentId === environmentId) &&
    (rule.applicationId === null || rule.applicationId === applicationId)
  );
}

/** The first subjects are kept with what happened to them. */
const WITH_FACTS = 20;
/** The most subjects that are kept, and so counted exactly. Of more, a message says that there are at least so many. */
export const COUNTED_SUBJECTS = 1_000;

/** Adds raised alerts to the gathered subjects, each of which is kept once. Of the ones after the first 20 only their keys are kept. */
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

/** An operation, an API key or a source is a subject of its own; otherwise the endpoint is. */
function keyOf(endpointId: string | null, { operationId, apiKeyId, sourceId }: Record<string, unknown>): string {
  return String(operationId ?? apiKeyId ?? sourceId ?? endpointId ?? '');
}
