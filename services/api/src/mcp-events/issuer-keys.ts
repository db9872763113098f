import type { AgentIssuer } from '@posthorn/contract/agents';
import { LIMITS } from '@posthorn/contract/limits';
import type { Claimant } from '@posthorn/runtime/gate';
import { createRemoteJWKSet, customFetch, type RemoteJWKSet } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { admitted, askDispatcher, noDispatcher } from '../endpoints/probe-endpoint.ts';
import type { Services } from '../operation/context.ts';

/** The issuer gives no keys: it does not answer, or answers something else. */
export class IssuerFault extends Error {
  override name = 'IssuerFault';
}

/** The environment that has the issuer, and the claimant for whom its keys are read. */
export type IssuerOf = { environmentId: string; claimant: Claimant };

const KEPT_MS = 600_000;
/** An unknown key lets the keys be read again at most this often. */
const SETTLE_MS = 60_000;
/** After a failure, requests fail for this time without another read. */
const FAILED_MS = 10_000;
/** A dispatcher reads for at most 10 s, and needs some time beside that. */
const ENDS_WITHIN_MS = 15_000;
const MOST_KEPT = 1_000;

type Deps = Pick<Services, 'probes' | 'clock' | 'timing'>;

/** Reads the keys of issuers through a dispatcher, as requests to customers are made, and keeps them for 10 minutes. */
export function createIssuerKeys(deps: Deps) {
  const kept = new LRUCache<string, () => Promise<RemoteJWKSet>>({ max: MOST_KEPT, ttl: KEPT_MS });
  return {
    /**
     * The keys that verify the issuer's tokens. They reload themselves. Throws an `IssuerFault`, and `unavailable`
     * without a dispatcher.
     */
    keysOf(of: IssuerOf, issuer: AgentIssuer): Promise<RemoteJWKSet> {
      const name = JSON.stringify([of.environmentId, issuer.issuer, issuer.jwksUri]);
      const known = kept.get(name) ?? openIssuer(deps, of, issuer);
      if (!kept.has(name)) kept.set(name, known);
      return known();
    },
  };
}

/** Reads the description and the keys of an issuer now. Returns the number of its keys; throws as `keysOf` does. */
export async function readIssuer(deps: Deps, of: IssuerOf, issuer: AgentIssuer): Promise<number> {
  const keys = await openIssuer(deps, of, issuer)();
  await keys.reload();
  return keys.jwks()?.keys.length ?? 0;
}

function openIssuer(deps: Deps, of: IssuerOf, issuer: AgentIssuer): () => Promise<RemoteJWKSet> {
  const { clock } = deps;
  let failed: { error: unknown; untilMs: number } | undefined;
  const once = async <Value>(read: () => Promise<Value>): Promise<Value> => {
    if (failed !== undefined && clock.monotonicMs() < failed.untilMs) throw failed.error;
    try {
      return await read();
    } catch (error) {
      failed = { error, untilMs: clock.monotonicMs() + FAILED_MS };
      throw error;
    }
  };
  const read = (url: string, shape: z.ZodType) => once(() => readDocument(deps, of, { url, shape }));
  let opened: Promise<RemoteJWKSet> | undefined;
  const open = async () => {
    const jwksUri = issuer.jwksUri ?? (await once(() => discover(deps, of, issuer.issuer)));
    return createRemoteJWKSet(new URL(jwksUri), {
      cacheMaxAge: KEPT_MS,
      cooldownDuration: SETTLE_MS,
      timeoutDuration: 2 * ENDS_WITHIN_MS,
      [customFetch]: async (url) => Response.json(await read(url, keySet)),
    });
  };
  return () => {
    opened ??= open().catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

/**
 * A tenant chooses these keys, and anybody may send tokens to be verified with them. A larger RSA key or exponent would
 * take milliseconds for each token. Base64url: 4,096 bits, and 32 bits.
 */
const key = z.looseObject({ kty: z.string(), n: z.string().max(683).optional(), e: z.string().max(6).optional() });
const keySet = z.looseObject({ keys: z.array(key).max(100) });
const description = z.looseObject({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https$/ }).max(2_048) });

/** The address of the keys, from the issuer's own description (OpenID Connect or RFC 8414). */
async function discover(deps: Deps, of: IssuerOf, issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const openId = `${origin}${path}/.well-known/openid-configuration`;
  const oauth = `${origin}/.well-known/oauth-authorization-server${path}`;
  const found = await readDocument(deps, of, { url: openId, shape: description }).catch((error) => {
    if (!(error instanceof IssuerFault)) throw error;
    return readDocument(deps, of, { url: oauth, shape: description });
  });
  if (found.issuer === issuer) return found.jwks_uri;
  throw new IssuerFault(`The description of the issuer names another issuer: ${found.issuer.slice(0, 300)}`);
}

const reply = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), status: z.int(), text: z.string() }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);

async function readDocument<Shape extends z.ZodType>(
  deps: Deps,
  { environmentId, claimant }: IssuerOf,
  { url, shape }: { url: string; shape: Shape },
): Promise<z.output<Shape>> {
  const most = LIMITS.testsAtOncePerEndpoint;
  const limits = { kind: 'document', mostOfEndpoint: most, pauseMs: 0, endpointId: environmentId } as const;
  const outcome = await admitted({ ...deps, claimant, bounds: {} }, limits, (probe) => {
    const task = { kind: 'document', url, workspaceId: claimant.workspaceId } as const;
    return askDispatcher(deps, probe, { ...task, endsWithinMs: ENDS_WITHIN_MS });
  });
  const told = outcome?.kind === 'replied' ? reply.safeParse(outcome.reply) : undefined;
  // A dispatcher of an earlier version cannot read documents.
  if (!told?.success) throw noDispatcher('No dispatcher has read the keys of the issuer');
  if (told.data.kind === 'failed') throw new IssuerFault(`${url} cannot be read: ${told.data.message}`);
  const { status, text } = told.data;
  if (status !== 200) throw new IssuerFault(`${url} answers ${status} instead of 200`);
  const parsed = shape.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const [fault] = parsed.error.issues;
  const place = fault === undefined || fault.path.length === 0 ? 'the answer' : fault.path.join('.');
  throw new IssuerFault(
    `${url} is not what it should be: ${place.slice(0, 100)} is missing, too large or of the wrong type`,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
