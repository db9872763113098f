import { attempt, delivery, deliveryDetail, type payloadEnvelope } from '@posthorn/contract/deliveries';
import { z } from 'zod';
import { type Answer, beginningOf, bytesOfUntrusted, clip } from './answer.ts';
import * as args from './arguments.ts';
import type { Caller } from './ask.ts';
import { deliveryFacts, deliveryLine } from './event-tools.ts';
import { afterAttempt, afterDelivery } from './next-step.ts';
import { tool } from './tool.ts';

type Attempt = z.output<typeof attempt>;
type Payload = z.output<typeof payloadEnvelope>;

/** How much of a payload one answer shows: little enough that none of it is cut to make the answer fit. */
const PAYLOAD_CHARACTERS = 1_500;
const PAYLOAD_BYTES = 4_000;
/** How much of a receiver's answer is shown, and how much of it beside a payload. */
const ANSWER_CHARACTERS = 600;
const ANSWER_BESIDE_PAYLOAD = 200;

const showInput = z.strictObject({
  delivery_id: args.deliveryId,
  include_payload: z
    .boolean()
    .default(false)
    .describe('Whether to also show the payload. Requires the right to read payloads.'),
  payload_from: z
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .default(0)
    .describe('The position of the first character of the payload to show: the payload_next of the previous response.'),
  limit: args.limit.default(3).describe('The maximum number of attempts to return.'),
  cursor: args.cursor,
});

export const deliveryTools = [
  tool({
    name: 'show_delivery',
    title: 'Show a delivery',
    description:
      'Shows a delivery with its newest attempts: the time, duration and response of each, and what to do next. With include_payload, also shows the payload.',
    needs: ['getDelivery', 'listAttempts'],
    input: showInput,
    run: showDelivery,
  }),
  tool({
    name: 'retry_delivery',
    title: 'Retry a delivery',
    description: 'Sends a delivery again now, and restarts its retry schedule.',
    needs: ['retryDelivery'],
    changes: true,
    input: z.strictObject({ delivery_id: args.deliveryId }),
    async run(caller, { delivery_id: id }) {
      const { answer } = await caller.ask('retryDelivery', delivery, { params: { id } });
      return {
        lines: ['It is sent again now. show_delivery tells how it went.', deliveryLine(answer)],
        facts: { delivery: deliveryFacts(answer) },
      };
    },
  }),
];

async function showDelivery(caller: Caller, given: z.output<typeof showInput>): Promise<Answer> {
  const { delivery_id: id, include_payload, payload_from, limit, cursor } = given;
  const { answer: row } = await caller.ask('getDelivery', deliveryDetail, {
    params: { id },
    query: { include: include_payload ? 'payload' : undefined },
  });
  const { answer: attempts, nextCursor } = await caller.ask('listAttempts', z.array(attempt), {
    params: { id },
    query: { limit, cursor },
  });
  const newestFirst = attempts.toReversed();
  const part = row.payload === undefined ? undefined : partOf(row.payload, payload_from);
  const untrusted = {
    ...answersOf(newestFirst, part === undefined ? ANSWER_CHARACTERS : ANSWER_BESIDE_PAYLOAD),
    ...(part?.text !== undefined && { payload: part.text }),
    ...(row.cancelReason !== null && { cancel_reason: row.cancelReason }),
  };
  return {
    lines: [
      deliveryLine(row),
      `Next: ${afterDelivery(row)}`,
      ...(row.waitingFor === null ? [] : [`It waits until ${row.waitingFor} has ended: the endpoint keeps the order.`]),
      ...newestFirst.map(attemptLine),
      ...(part === undefined ? [] : [part.line]),
    ],
    facts: {
      delivery: deliveryFacts(row),
      attempts: newestFirst.map(attemptFacts),
      ...(part !== undefined && { payload: part.facts }),
    },
    ...(Object.keys(untrusted).length > 0 && { untrusted }),
    nextCursor,
  };
}

export function attemptLine(one: Attempt): string {
  const answered = one.responseStatus === null ? (one.errorCode ?? 'no answer') : `answer ${one.responseStatus}`;
  const next = afterAttempt(one);
  return `- attempt ${one.number} at ${one.startedAt}: ${one.outcome}, ${answered}, ${Math.round(one.durationMs)} ms, ${one.trigger}.${next === '' ? '' : ` Next: ${next}`}`;
}

export function attemptFacts(one: Attempt) {
  return {
    number: one.number,
    outcome: one.outcome,
    started_at: one.startedAt,
    duration_ms: Math.round(one.durationMs),
    trigger: one.trigger,
    response_status: one.responseStatus,
    error_code: one.errorCode,
    remote_address: one.remoteAddress,
  };
}

/**
 * The URL, the receiver's answer and the error of each attempt, by its number. An attacker may have written such text:
 * a transformation may even put parts of the payload into the path of the URL.
 */
export function answersOf(
  attempts: readonly Attempt[],
  characters = ANSWER_CHARACTERS,
): { answers?: Record<string, unknown> } {
  const said = attempts.map((one) => {
    const body = one.responseBody === null || one.responseBody === '' ? undefined : clip(one.responseBody, characters);
    const error = one.errorMessage === null ? undefined : clip(one.errorMessage, characters / 2);
    const retryAfter = one.responseHeaders?.['retry-after'];
    const parts = {
      url: clip(one.url, 200),
      ...(body !== undefined && { body }),
      ...(error !== undefined && { error }),
      ...(typeof retryAfter === 'string' && { retry_after: clip(retryAfter, 60) }),
      ...(one.responseHidden && { hidden: 'This credential may not see what the receiver answered.' }),
    };
    return [String(one.number), parts] as const;
  });
  return said.length === 0 ? {} : { answers: Object.fromEntries(said) };
}

function partOf(payload: Payload, from: number) {
  const { status, contentType, encoding, size, body } = payload;
  if (body === null) return { line: `The payload is not shown: ${status}.`, facts: { status } };
  const text = beginningOf(body.slice(from, from + PAYLOAD_CHARACTERS), PAYLOAD_BYTES, bytesOfUntrusted);
  const next = from + text.length < body.length ? from + text.length : null;
  const more = next === null ? '' : ` There is more: payload_from ${next}.`;
  return {
    line: `The payload has ${size} bytes (${contentType}); characters from ${from} are below.${more}`,
    facts: { status, content_type: contentType, encoding, size, payload_next: next },
    text,
  };
}
