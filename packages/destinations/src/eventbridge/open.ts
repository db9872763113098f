import { DescribeEventBusCommand, EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { atMost } from '@posthorn/runtime/at-most';
import { LRUCache } from 'lru-cache';
import { describeAwsError } from '../aws/describe-aws-error.ts';
import { ended } from '../aws/failed.ts';
import { type AwsKind, openAws } from '../aws/open-aws.ts';
import type { OpenDestination, Place } from '../kind.ts';
import { templateValues } from '../message-attributes.ts';
import { fillTemplate } from '../template.ts';
import { type EventBridgeSettings, MOST_CHARACTERS } from './describe.ts';
import { detailOf, judgeAnswer } from './entry.ts';

const eventbridge: AwsKind<EventBridgeClient, EventBridgeSettings> = {
  where: ({ region, endpoint }) => ({ region, endpoint }),
  createClient: (config) => new EventBridgeClient(config),
  async publish(client, settings, request, options) {
    const detail = detailOf(request.body);
    if (detail === undefined) return ended('invalid_payload', 'The payload is not a JSON object');
    const detailType = fillTemplate(settings.detailType, templateValues(request));
    if (detailType === '' || detailType.length > MOST_CHARACTERS) {
      return ended('invalid_target', `The detail type must have 1 to ${MOST_CHARACTERS} characters`);
    }
    const { eventBusName, source } = settings;
    await requireBus(client, eventBusName, { revision: request.place.revision, secrets: options.secrets() });
    const entry = { EventBusName: eventBusName, Source: source, DetailType: detailType, Detail: detail };
    const answer = await client.send(new PutEventsCommand({ Entries: [entry] }), options);
    return judgeAnswer(answer, options.secrets());
  },
  async inspect(client, { eventBusName }, options) {
    const { Arn } = await client.send(new DescribeEventBusCommand({ Name: eventBusName }), options);
    return `The event bus is ${Arn ?? eventBusName}`;
  },
};

/** A bus that was found is assumed to exist for this long. */
const THERE_MS = 60_000;
const LOOKING_MS = 10_000;

/** The last check of whether an endpoint's bus exists, by the endpoint's revision. */
const looks = new LRUCache<string, Promise<void>>({ ...atMost(10_000), ttl: THERE_MS });

type Asking = { revision: string; secrets: Place['credentials'] };

/**
 * Rejects if the bus does not exist, or if EventBridge cannot say. This check is needed because EventBridge accepts
 * events for a missing bus and drops them. A bus with an ARN may be in an account that these credentials may not read,
 * so it is not checked.
 */
function requireBus(client: EventBridgeClient, eventBusName: string, { revision, secrets }: Asking): Promise<void> {
  if (eventBusName.startsWith('arn:')) return Promise.resolve();
  const last = looks.get(revision);
  if (last !== undefined) return last;
  const isThere = look(client, eventBusName, secrets);
  looks.set(revision, isThere);
  isThere.catch(() => looks.delete(revision));
  return isThere;
}

async function look(client: EventBridgeClient, eventBusName: string, secrets: Place['credentials']): Promise<void> {
  // The attempts that wait for this check end by their own time limits.
  const abortSignal = AbortSignal.timeout(LOOKING_MS);
  try {
    await client.send(new DescribeEventBusCommand({ Name: eventBusName }), { abortSignal });
  } catch (error) {
    if (abortSignal.aborted) throw Object.assign(new Error(), { code: 'ETIMEDOUT' });
    if (describeAwsError(error, secrets).errorCode !== 'access_denied') throw error;
  }
}

export const open: OpenDestination = (tools) => openAws(tools, eventbridge);
