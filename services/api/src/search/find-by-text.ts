import type { findBody } from '@posthorn/contract/events';
import { idempotencyKey } from '@posthorn/contract/ingest';
import type { z } from 'zod';
import { listApplications } from '../applications/applications.ts';
import { listEvents } from '../events/list-events.ts';
import type { WorkspaceContext } from '../operation/context.ts';

const MOST_OF_EACH = 6;

/** The customers and the events that a text names: by a part of a name or of an external id, and by an idempotency key. */
export async function findByText(ctx: WorkspaceContext, { text, environmentId }: z.output<typeof findBody>) {
  const key = idempotencyKey.safeParse(text);
  const page = { limit: MOST_OF_EACH };
  // The free plan has no customers.
  const applications =
    ctx.workspace.plan === 'free' ? [] : (await listApplications(ctx, { ...page, search: text })).applications;
  const events = key.success
    ? await listEvents(ctx, { ...page, environment_id: environmentId, idempotency_key: key.data })
    : NO_EVENTS;
  return { applications, ...events };
}

const NO_EVENTS = { events: [], nextCursor: null };
