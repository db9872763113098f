import { fromId, toId } from '@posthorn/contract/ids';
import type { Ingest, IngestAnswer, IngestInput } from '@posthorn/ingest/ingest-input';
import type { SpanAttributes, Tracing } from '@posthorn/runtime/tracing';
import { toApiError } from '../transport/error-handler.ts';

/**
 * Ingests with a span for each event, the root of the event's trace. A repeat has its own span, in the trace of the
 * event that it repeats. A refused request has no event, so its span is a trace of its own. The span links to the
 * producer's span.
 */
export function traceIngest(ingest: Ingest, tracing: Tracing): Ingest {
  return async (input) => {
    const startedMs = tracing.nowMs();
    const record = (answer: IngestAnswer | undefined, error?: string) => {
      const { linkedTraceparent } = input;
      const eventId = answer && fromId('msg', answer.id);
      const root = answer?.duplicate === false;
      const span = tracing.start({ name: 'ingest', kind: 'producer', eventId, root, startedMs, linkedTraceparent });
      span.end({ endedMs: tracing.nowMs(), attributes: describe(input, answer), error });
    };
    try {
      const answer = await ingest(input);
      record(answer);
      return answer;
    } catch (error) {
      record(undefined, toApiError(error).code);
      throw error;
    }
  };
}

/** Uses the names of OpenTelemetry's semantic conventions for messaging. */
function describe({ holder, target, body }: IngestInput, answer: IngestAnswer | undefined): SpanAttributes {
  const known = answer && {
    'messaging.message.id': answer.id,
    'posthorn.published': answer.published,
    'posthorn.duplicate': answer.duplicate,
  };
  return {
    'messaging.system': 'posthorn',
    'messaging.operation.type': 'send',
    'messaging.operation.name': 'ingest',
    'messaging.destination.name': (target.kind === 'endpoint' ? target.id : target.name).slice(0, 256),
    'messaging.message.body.size': body.length,
    'posthorn.workspace.id': toId('ws', holder.workspaceId),
    'posthorn.environment.id': toId('env', holder.environmentId),
    ...known,
  };
}
