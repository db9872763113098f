import { isDeepStrictEqual } from 'node:util';
import type { AgentSettings } from '@posthorn/contract/agents';
import { newUuid } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { uniqueViolation } from '@posthorn/db/violations';
import { AGENT_KIND } from '@posthorn/destinations/kinds';
import type { FilterDocument } from '@posthorn/filter/parse-filter';
import { endSubscriptions, HAS_EXPIRED } from '@posthorn/ledger/agent-subscriptions';
import { parseUrl } from '@posthorn/runtime/parse-url';
import { holdApplication } from '../applications/require-application.ts';
import { storeSecret } from '../endpoints/secrets.ts';
import { agentSettingsOf } from '../environments/agent-settings.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import type { Agent } from './agent.ts';
import { failureOfChallenge } from './challenge.ts';
import type { SpendChallenge } from './challenge-limits.ts';
import { EventsError, invalidField } from './events-error.ts';
import { expiryIn, type Subscribed, type Told, ttlSeconds, type Wanted } from './granted.ts';
import { identityOf } from './identity.ts';
import { findEvent } from './list-events.ts';
import { filterOf, type OfferingType } from './offered-arguments.ts';
import { refresh } from './refresh.ts';
import type { RefreshInBatches } from './refresh-in-batches.ts';
import {
  MOST_OF_APPLICATION,
  MOST_OF_PRINCIPAL,
  readSubscribe,
  requireAllowedHost,
  requireMode,
  requireSecret,
  type SubscribeParams,
} from './subscribe-params.ts';

/** `onChallenge` is called for each challenge that was sent, with `passed` or why it failed. */
type Challenges = { spendChallenge: SpendChallenge; onChallenge: (result: string) => void };
type Options = Told & Challenges & { refreshInBatches: RefreshInBatches };

/** How often to try. Each try finds what another request has made or ended meanwhile. */
const TRIES = 3;

/**
 * Subscribes an agent to an event type, or refreshes the subscription that it has: both are the same call. A new one is made
 * after its callback has echoed a challenge. Throws an `EventsError`, which leaves everything as it was.
 */
export async function subscribe(
  ctx: WorkspaceContext,
  agent: Agent,
  params: unknown,
  { spendChallenge, onChallenge, refreshInBatches, ...told }: Options,
): Promise<Subscribed> {
  const { mode, givenSecret, ...shape } = readSubscribe(params);
  const requireParts = (): Omit<Wanted, 'eventTypeId'> => {
    requireMode(mode);
    const secret = requireSecret(givenSecret);
    const url = normalForm(shape.url);
    return { ...shape, ...told, url, secret, identity: identityOf({ ...agent, ...shape, url }) };
  };
  const parts = partsOrNone(() => {
    const known = requireParts();
    requireAllowedHost(agent, known.url);
    return known;
  });
  const extended = parts && (await refreshInBatches({ agent, wanted: parts }));
  if (extended !== undefined) return extended;
  // Check the type first, so that its error comes first.
  const event = await findEvent(ctx, agent, shape.name);
  if (event === undefined) {
    await endOfHiddenType(ctx, agent, shape);
    throw noSuchEvent();
  }
  const wanted: Wanted = { ...requireParts(), eventTypeId: event.id };
  let isVetted = false;
  for (let tried = 0; ; tried += 1) {
    const refreshed = await refresh(ctx, agent, wanted);
    if (refreshed !== undefined) return refreshed;
    if (!isVetted) await vet(ctx, agent, wanted, { event, spendChallenge, onChallenge });
    isVetted = true;
    try {
      const filter = filterOf(wanted.arguments, event);
      return await create(ctx, agent, wanted, { filter, isTaken: tried > 0 });
    } catch (error) {
      // An equal request was faster, or the former subscription has expired and nothing has ended it yet.
      if (tried + 1 >= TRIES || uniqueViolation(error) === undefined) throw error;
    }
  }
}

function partsOrNone<Parts>(requireParts: () => Parts): Parts | undefined {
  try {
    return requireParts();
  } catch (error) {
    if (error instanceof EventsError) return undefined;
    throw error;
  }
}

/** The URL as it is stored and compared. The rules of its parts are checked with the look-up of its name. */
export function normalForm(url: string): string {
  const parsed = url.length <= MAX_URL_CHARACTERS ? parseUrl(url) : undefined;
  if (parsed === undefined) throw invalidField('delivery.url', 'must be an https URL of at most 2,048 characters');
  return parsed.href;
}

const MAX_URL_CHARACTERS = 2_048;

const noSuchEvent = () => new EventsError('not_found', 'There is no such event', { kind: 'event' });

type Named = Pick<SubscribeParams, 'name' | 'arguments' | 'url'>;

/** Ends the subscription when an agent refreshes it, but its type is no longer published or shown. */
async function endOfHiddenType(ctx: WorkspaceContext, agent: Agent, { name, arguments: given, url }: Named) {
  const address = partsOrNone(() => normalForm(url));
  if (address === undefined) return;
  const identity = identityOf({ ...agent, name, arguments: given, url: address });
  const reason = 'event_type_removed';
  await ctx.change('agent_subscription.ended', async (transaction) => {
    const [ended] = await endSubscriptions(transaction, Prisma.sql`a.identity = ${identity}::text`, { reason });
    if (ended === undefined) return { result: undefined, entry: null };
    const changes = { eventType: { from: name, to: null }, endReason: { from: null, to: reason } };
    const { applicationId, environmentId } = ended;
    const entry = { resourceId: identity, changes, applicationId, environmentId, countsAs: 0 };
    return { result: undefined, entry };
  });
}

/** Checks a new subscription before its first write: arguments, address, limits, and the echo of the callback. */
async function vet(
  ctx: WorkspaceContext,
  agent: Agent,
  wanted: Wanted,
  { event, spendChallenge, onChallenge }: Challenges & { event: OfferingType },
): Promise<void> {
  filterOf(wanted.arguments, event);
  const verdict = await ctx.vetUrl(wanted.url);
  if (verdict.kind === 'refused') {
    throw new EventsError('invalid', verdict.message.replace(/^(?:Webhook URL|url)\b/, 'delivery.url'), {
      field: 'delivery.url',
    });
  }
  requireAllowedHost(agent, wanted.url);
  await requireRoom(ctx, agent);
  if (await hasPassed(ctx, agent, wanted.url)) return;
  spendChallenge({ principal: agent.principal, ownerId: ctx.claimant.ownerId, url: wanted.url });
  const { identity, url, secret } = wanted;
  const endpointId = newUuid(ctx.clock.now());
  const reason = await failureOfChallenge(ctx, { endpointId, identity, url, secret });
  onChallenge(reason ?? 'passed');
  if (reason !== undefined) throw new EventsError('callback', 'The callback did not echo the challenge', { reason });
}

/** Whether the callback echoed a challenge of this agent before: it counts until a day after its last subscription. */
async function hasPassed({ db }: WorkspaceContext, { environmentId, principal }: Agent, url: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ passed: boolean }[]>`
    select exists (select from agent_subscription where environment_id = ${environmentId}::uuid
      and principal = ${principal}::text and hashtextextended(url, 0) = hashtextextended(${url}::text, 0)
      and url = ${url}::text
      and coalesce(ended_at, expires_at) > now() - interval '24 hours') as passed`;
  return row?.passed === true;
}

/** Throws when a limit of live subscriptions is reached. Requests at the same time may exceed it by their number. */
async function requireRoom({ db, workspace, settings }: WorkspaceContext, agent: Agent): Promise<void> {
  const { environmentId, principal, applicationId } = agent;
  const most = settings.agents?.maxSubscriptions ?? 0;
  const live = Prisma.sql`ended_at is null and expires_at > now()`;
  const [count] = await db.$queryRaw<{ ofPrincipal: number; ofApplication: number; ofWorkspace: number }[]>`
    select
      (select count(*)::int from agent_subscription where environment_id = ${environmentId}::uuid
        and principal = ${principal}::text and ${live}) as "ofPrincipal",
      (select count(*)::int from agent_subscription where application_id = ${applicationId}::uuid and ${live})
        as "ofApplication",
      (select count(*)::int from (select from agent_subscription where workspace_id = ${workspace.id}::uuid and ${live}
        limit ${most}::int) n) as "ofWorkspace"`;
  const refuse = (max: number) => {
    throw new EventsError('exhausted', 'The limit of subscriptions is reached', { limit: 'subscriptions', max });
  };
  if (count === undefined) return;
  if (count.ofPrincipal >= MOST_OF_PRINCIPAL) refuse(MOST_OF_PRINCIPAL);
  if (count.ofApplication >= MOST_OF_APPLICATION) refuse(MOST_OF_APPLICATION);
  if (most > 0 && count.ofWorkspace >= most) refuse(most);
}

/** Seconds before the retries of an event: the agent may answer 503 until it has stored the answer to its subscribe. */
const RETRY_SCHEDULE = [2, 10, 60, 300];
const TIMEOUT_SECONDS = 10;

/**
 * Makes the endpoint, its secret and its subscription in one transaction. A taken identity is a unique violation; with
 * `isTaken`, a former subscription that has expired is ended before. From the lock on, creations in an environment wait
 * for one another, so everything that needs no lock comes first.
 */
function create(
  ctx: WorkspaceContext,
  agent: Agent,
  wanted: Wanted,
  { filter, isTaken }: { filter: FilterDocument | null; isTaken: boolean },
): Promise<Subscribed> {
  const { environmentId, applicationId } = agent;
  const { identity, url, name, eventTypeId } = wanted;
  const configWith = ({ rateLimit }: AgentSettings) => ({
    headers: { 'X-MCP-Subscription-Id': identity },
    retrySchedule: RETRY_SCHEDULE,
    timeoutSeconds: TIMEOUT_SECONDS,
    rateLimit,
  });
  return ctx.change('agent_subscription.created', async (transaction) => {
    const endpointId = newUuid(ctx.clock.now());
    await transaction.endpoint.create({
      data: {
        ...{ id: endpointId, workspaceId: ctx.workspace.id, environmentId, applicationId },
        ...{ type: AGENT_KIND.type, url, isTemporary: true, timeoutSeconds: TIMEOUT_SECONDS },
        config: configWith(agent.settings),
      },
    });
    await storeSecret(transaction, ctx, { endpointId, secret: wanted.secret, config: undefined });
    const settings = await holdAgent(transaction, agent);
    // The agent's settings may be almost a second old, and the subscription keeps the rate limit with which it is made.
    if (!isDeepStrictEqual(settings.rateLimit, agent.settings.rateLimit))
      await transaction.endpoint.update({ where: { id: endpointId }, data: { config: configWith(settings) } });
    // The type may have been hidden during the challenge. Hiding it takes the lock of the environment, too.
    if ((await findEvent(ctx, agent, name, transaction)) === undefined) throw noSuchEvent();
    if (isTaken) {
      const former = Prisma.sql`a.identity = ${identity}::text and ${HAS_EXPIRED}`;
      await endSubscriptions(transaction, former, { reason: 'expired' });
    }
    const id = newUuid(ctx.clock.now());
    await transaction.subscription.create({
      data: {
        id,
        endpointId,
        eventTypeId,
        filter: filter === null ? Prisma.DbNull : (filter as Prisma.InputJsonObject),
      },
    });
    const seconds = ttlSeconds(agent, wanted.ttlMs);
    const [row] = await transaction.$queryRaw<{ expiresAt: Date }[]>`
      insert into agent_subscription (endpoint_id, workspace_id, environment_id, application_id, identity, principal,
        agent_key_id, event_type_id, event_type, arguments, url, dialect, client_name, expires_at)
      values (${endpointId}::uuid, ${ctx.workspace.id}::uuid, ${environmentId}::uuid, ${applicationId}::uuid,
        ${identity}::text, ${agent.principal}::text, ${agent.keyId}::uuid, ${eventTypeId}::uuid, ${name}::text,
        ${JSON.stringify(wanted.arguments)}::json, ${url}::text, ${wanted.dialect}::text, ${wanted.clientName}::text,
        ${expiryIn(seconds, agent.endsAt)})
      returning expires_at as "expiresAt"`;
    if (row === undefined) throw new Error('Postgres returned no subscription');
    const changes = {
      eventType: { from: null, to: name },
      arguments: { from: null, to: wanted.arguments },
      callback: { from: null, to: new URL(url).origin },
      ...(wanted.clientName === null ? {} : { clientName: { from: null, to: wanted.clientName } }),
    };
    const result = {
      id: identity,
      refreshBefore: row.expiresAt.toISOString(),
      cursor: null,
      truncated: wanted.hasCursor,
    };
    return { result, entry: { resourceId: identity, changes, applicationId, environmentId } };
  });
}

/**
 * Locks what the agent depends on until the transaction ends, and returns the settings. Throws `forbidden` if any of it
 * has ended since the request began. A new subscription changes the routing of its environment, so the lock is that of
 * a change: two requests that shared the row would each wait for the other at their insert.
 */
async function holdAgent(
  transaction: DbTransaction,
  { keyId, issuer, environmentId, applicationId }: Agent,
): Promise<AgentSettings> {
  const ended = (reason: string) => new EventsError('forbidden', 'Subscribing is no longer allowed', { reason });
  const [environment] = await transaction.$queryRaw<{ agents: unknown }[]>`
    select agents from environment where id = ${environmentId}::uuid and deleted_at is null for no key update`;
  const settings = agentSettingsOf(environment ?? { agents: null });
  if (!settings.enabled) throw ended('disabled');
  if (applicationId !== null) {
    await holdApplication(transaction, applicationId).catch(() => {
      throw ended('application_ended');
    });
  }
  if (keyId === null) {
    if (settings.issuer?.issuer !== issuer) throw ended('issuer_ended');
    return settings;
  }
  const keys = await transaction.$queryRaw<unknown[]>`
    select 1 from agent_key where id = ${keyId}::uuid and expires_at > now() for share`;
  if (keys.length === 0) throw ended('key_ended');
  return settings;
}
