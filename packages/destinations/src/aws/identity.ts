import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import type { Place } from '../kind.ts';

/** Keys for a request, in the form that the SDK's clients take. */
export type Identity = { accessKeyId: string; secretAccessKey: string; sessionToken?: string; expiration?: Date };

/** A role could not be taken. `cause` is the error of the token service, or says that the dispatcher has no identity. */
export class RoleError extends Error {
  override name = 'RoleError';
}

export type Identities = {
  /**
   * The endpoint's own keys, or a function that gets keys of its role. A client calls it again before the keys expire.
   */
  of(place: Place, region: string): Identity | (() => Promise<Identity>);
  /** The endpoint's credentials and the latest keys of its role, none of which may show in any text. */
  secretsOf(place: Pick<Place, 'credentials'>): Place['credentials'];
  close(): void;
};

/**
 * Takes roles with the dispatcher's own identity, which the AWS SDK finds: environment, web identity, container or
 * instance. Customers never send with that identity. The token service is Amazon's or the operator's
 * (`AWS_ENDPOINT_URL_STS`), often at a private address. The egress rules do not apply to it, because no customer
 * chooses it: a region can name only a host of Amazon's.
 */
export function createIdentities(): Identities {
  const services = new Map<string, STSClient>();
  const withTaken = new WeakMap<Place['credentials'], Place['credentials']>();
  const serviceIn = (region: string) => {
    const known = services.get(region);
    if (known !== undefined) return known;
    const made = new STSClient({
      region,
      maxAttempts: 1,
      requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000 },
    });
    if (services.size >= MOST_REGIONS) for (const service of services.values()) service.destroy();
    if (services.size >= MOST_REGIONS) services.clear();
    services.set(region, made);
    return made;
  };
  return {
    of({ credentials, endpointId, owner }, region) {
      const { roleArn, accessKeyId = '', secretAccessKey = '', sessionToken } = credentials;
      if (roleArn === undefined) {
        return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
      }
      const command = () =>
        new AssumeRoleCommand({
          RoleArn: roleArn,
          ExternalId: owner,
          RoleSessionName: `posthorn-${endpointId}`,
          DurationSeconds: SESSION_SECONDS,
        });
      return async () => {
        const taken = await take(serviceIn(region), command());
        const { accessKeyId, secretAccessKey, sessionToken = '' } = taken;
        withTaken.set(credentials, { ...credentials, accessKeyId, secretAccessKey, sessionToken });
        return taken;
      };
    },
    secretsOf: ({ credentials }) => withTaken.get(credentials) ?? credentials,
    close() {
      for (const service of services.values()) service.destroy();
    },
  };
}

/** The shortest session that every role allows. */
const SESSION_SECONDS = 900;
const MOST_REGIONS = 64;

async function take(service: STSClient, command: AssumeRoleCommand): Promise<Identity> {
  const answer = await service.send(command).catch((error: unknown) => {
    throw new RoleError('the role could not be taken', { cause: error });
  });
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = answer.Credentials ?? {};
  if (AccessKeyId === undefined || SecretAccessKey === undefined || SessionToken === undefined) {
    throw new RoleError('the role could not be taken', { cause: new Error('the answer has no keys') });
  }
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: SessionToken,
    ...(Expiration === undefined ? {} : { expiration: Expiration }),
  };
}
