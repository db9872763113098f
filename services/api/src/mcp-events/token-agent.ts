import { createHmac } from 'node:crypto';
import type { AgentIssuer } from '@posthorn/contract/agents';
import { fromId, toId } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { open } from '@posthorn/crypto/seal';
import type { Request } from 'express';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { keyOfApplication } from '../applications/require-application.ts';
import { claimantOf } from '../auth/principal.ts';
import type { Services } from '../operation/context.ts';
import { ApiError, notFound } from '../transport/error.ts';
import type { Agent, FindPlace, Place } from './agent.ts';
import { createIssuerKeys, IssuerFault } from './issuer-keys.ts';

/** An environment whose agents may use access tokens. */
type PlaceOfTokens = Place & { settings: { issuer: AgentIssuer }; subjectsSealed: Uint8Array };

type Claims = JWTPayload & { sub: string };

type ByKey = (request: Request, environment: string) => Promise<Agent>;

/** Only asymmetric algorithms: never `none`, and never a secret that the issuer shares. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];
const LEEWAY_SECONDS = 60;
const MOST_SUBJECT_CHARACTERS = 255;

/**
 * Authenticates an agent by an access token of the environment's issuer, and by an agent key otherwise. Throws
 * `unauthorized` with the address of the resource's description, `forbidden` if the token does not allow this, and
 * `unavailable` while the keys of the issuer cannot be read.
 */
export function createAgentAuthentication(services: Services, byKey: ByKey, findPlace: FindPlace) {
  const { clock, settings } = services;
  const findPlaceOfTokens = async (environment: string): Promise<PlaceOfTokens | undefined> => {
    const id = fromId('env', environment);
    const place = id === undefined ? undefined : await findPlace(id);
    return place !== undefined && takesTokens(place) ? place : undefined;
  };
  const keys = createIssuerKeys(services);
  const resourceOf = (environmentId: string) => `${settings.baseUrl}/mcp/events/${toId('env', environmentId)}`;
  const authenticate = async (request: Request, environment: string): Promise<Agent> => {
    const token = tokenOf(request);
    if (token === undefined) {
      return byKey(request, environment).catch(async (error) => {
        const isRefused = error instanceof ApiError && error.code === 'unauthorized';
        const place = isRefused ? await findPlaceOfTokens(environment) : undefined;
        throw place === undefined ? error : challenging(error, place);
      });
    }
    const place = await findPlaceOfTokens(environment);
    // Without an issuer, only keys are accepted: this refuses the token.
    if (place === undefined) return byKey(request, environment);
    const claims = await verify(token, place).catch((error) => {
      throw challenging(error, place);
    });
    if (!scopesOf(claims).includes(place.settings.issuer.scope)) {
      throw challenging(
        new ApiError('forbidden', `The token lacks the scope ${place.settings.issuer.scope}`),
        place,
        'error="insufficient_scope", ',
      );
    }
    return agentOf(services, place, claims);
  };
  const challenging = (error: unknown, { environmentId, settings: { issuer } }: PlaceOfTokens, reason = '') => {
    if (!(error instanceof ApiError) || (error.code !== 'unauthorized' && reason === '')) return error;
    const { origin, pathname } = new URL(resourceOf(environmentId));
    const metadata = `${origin}${WELL_KNOWN}${pathname}`;
    return new ApiError(error.code, error.message, {
      ...error.headers,
      'WWW-Authenticate': `Bearer ${reason}resource_metadata="${metadata}", scope="${issuer.scope}"`,
    });
  };
  const verify = async (token: string, place: PlaceOfTokens): Promise<Claims> => {
    const { issuer } = place.settings;
    try {
      const claimant = claimantOf({ workspace: place.workspace, grant: { kind: 'scopes', scopes: [] } });
      const { payload } = await jwtVerify(
        token,
        await keys.keysOf({ environmentId: place.environmentId, claimant }, issuer),
        {
          algorithms: ALGORITHMS,
          issuer: issuer.issuer,
          audience: issuer.audience ?? resourceOf(place.environmentId),
          requiredClaims: ['exp', 'sub'],
          clockTolerance: LEEWAY_SECONDS,
          currentDate: clock.now(),
        },
      );
      const { sub } = payload;
      if (typeof sub !== 'string' || sub.length < 1 || sub.length > MOST_SUBJECT_CHARACTERS) {
        const rule = `sub must have 1 to ${MOST_SUBJECT_CHARACTERS} characters`;
        throw new ApiError('unauthorized', `The token is not valid: ${rule}`);
      }
      return { ...payload, sub };
    } catch (error) {
      throw refusalOf(error);
    }
  };
  return {
    authenticate,
    /** The description of the address (RFC 9728); `not_found` where no access tokens are accepted. */
    async describe(environment: string) {
      const place = await findPlaceOfTokens(environment);
      if (place === undefined) throw notFound('Environment');
      const { issuer } = place.settings;
      return {
        resource: resourceOf(place.environmentId),
        authorization_servers: [issuer.issuer],
        scopes_supported: [issuer.scope],
        bearer_methods_supported: ['header'],
      };
    },
  };
}

function takesTokens(place: Place): place is PlaceOfTokens {
  const { enabled, issuer } = place.settings;
  return enabled && issuer !== null && place.subjectsSealed !== null;
}

/** The prefix that makes the path of a resource the path of its description (RFC 9728, section 3.1). */
export const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The credential, if it has the form of a JSON Web Token. */
function tokenOf(request: Request): string | undefined {
  return /^Bearer +([\w-]+\.[\w-]+\.[\w-]*)$/i.exec(request.get('authorization') ?? '')?.[1];
}

function refusalOf(error: unknown): unknown {
  const isIssuers =
    error instanceof IssuerFault || error instanceof errors.JWKSInvalid || error instanceof errors.JWKSTimeout;
  if (isIssuers) {
    // Anybody may send a token. Only the workspace may know where its keys are, and what that address answers.
    const message = 'The token cannot be checked now: the keys of its issuer cannot be read';
    return new ApiError('unavailable', message, { 'Retry-After': '10' });
  }
  if (error instanceof errors.JOSEError)
    return new ApiError('unauthorized', `The token is not valid: ${error.message}`);
  return error;
}

function scopesOf({ scope }: JWTPayload): readonly unknown[] {
  if (Array.isArray(scope)) return scope;
  return typeof scope === 'string' ? scope.split(' ') : [];
}

/** The agent of a verified token. Its subject is stored nowhere: a keyed digest of it names the agent. */
async function agentOf({ db, sealingKeys }: Services, place: PlaceOfTokens, claims: Claims): Promise<Agent> {
  const { environmentId, workspace, settings } = place;
  const { issuer } = settings;
  const applicationId = await findApplication(db, workspace.id, claims[issuer.applicationClaim]);
  if (applicationId === undefined) {
    throw new ApiError('forbidden', `The claim ${issuer.applicationClaim} of the token names no application`);
  }
  const opened = open(sealingKeys, place.subjectsSealed, sealContext.agentSubjects(environmentId));
  if (opened.kind !== 'opened') throw new Error('the key of subjects cannot be decrypted');
  const subject = createHmac('sha256', opened.plaintext)
    .update(`${issuer.issuer}\0${claims.sub}`)
    .digest('hex')
    .slice(0, 32);
  return {
    keyId: null,
    issuer: issuer.issuer,
    principal: `oauth:${applicationId}:${issuer.issuer}#${subject}`,
    environmentId,
    applicationId,
    endsAt: null,
    settings: { ...settings, maxTtlSeconds: Math.min(settings.maxTtlSeconds, issuer.maxTtlSeconds) },
    access: {
      workspace,
      actor: { type: 'agent', id: subject, label: issuer.issuer },
      grant: { kind: 'capabilities', capabilities: [], applicationId, environmentId },
    },
  };
}

/** The application that a claim names, by its id or by the operator's own id. */
async function findApplication(db: Services['db'], workspaceId: string, claim: unknown): Promise<string | undefined> {
  if (typeof claim !== 'string') return undefined;
  const which = keyOfApplication(claim.startsWith('app_') ? claim : `ext:${claim}`);
  if (which === undefined) return undefined;
  const row = await db.application.findFirst({
    where: { ...which, workspaceId, deletedAt: null },
    select: { id: true },
  });
  return row?.id;
}
