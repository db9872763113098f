import { isStandard, type Signature } from '@posthorn/contract/signature';
import { hasDestination, isPulled, kindOf } from '@posthorn/destinations/kinds';
import { invalid } from '../transport/error.ts';

type Given = {
  config?: { signature?: Signature | undefined } | undefined;
  secretHeaders?: Readonly<Record<string, unknown>> | undefined;
  authUsername?: string | null | undefined;
  authPassword?: string | null | undefined;
};

/**
 * The settings of requests that are sent. A consumer that fetches sets the pace itself, and needs no credentials here.
 */
const OF_REQUESTS = ['headers', 'standardHeaders', 'timeoutSeconds', 'rateLimit', 'maxConcurrency', 'catchUp'];

/** The settings that only HTTP requests have. */
const OF_HTTP = ['headers', 'standardHeaders'];

/** The settings of the connection to a customer's server: only for kinds whose endpoints have a URL. */
const OF_CONNECTIONS = ['oauth2', 'tls'];

/**
 * Refuses settings of sent requests if consumers fetch from endpoints of this type, and settings of a connection if
 * endpoints of this type have no URL of their own. Messages to a broker or a store have no headers of the customer.
 */
export function refuseRequestSettings(type: string, { config = {}, secretHeaders = {}, ...credentials }: Given): void {
  const kind = kindOf(type);
  if (kind === undefined) return;
  for (const key of kind.hasUrl ? [] : OF_CONNECTIONS) {
    if (Reflect.get(config, key) === undefined) continue;
    throw invalid(`config.${key} is not for a ${type} endpoint: no request is sent to a server`, `config.${key}`);
  }
  if (!isPulled(kind) && !hasDestination(kind)) return;
  const refuse = (field: string) => {
    const why = isPulled(kind) ? 'nothing is sent to it' : 'its messages are not HTTP requests';
    throw invalid(`${field} is not for a ${type} endpoint: ${why}`, field);
  };
  if (kind.payloadFormat !== null && Reflect.get(config, 'payloadFormat') !== undefined) refuse('config.payloadFormat');
  for (const key of isPulled(kind) ? OF_REQUESTS : OF_HTTP)
    if (Reflect.get(config, key) !== undefined) refuse(`config.${key}`);
  // A consumer verifies these messages with the libraries of Standard Webhooks.
  if (!isStandard(config.signature)) refuse('config.signature');
  if (Object.values(secretHeaders).some((value) => value !== null)) refuse('secretHeaders');
  if (typeof credentials.authUsername === 'string') refuse('authUsername');
  if (typeof credentials.authPassword === 'string') refuse('authPassword');
}
