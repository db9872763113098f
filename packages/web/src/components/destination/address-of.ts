import type { Endpoint } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { FETCHED } from '../pull/fetched.ts';

/** Where messages go, in words for people. It is the URL of a webhook; others have one that leads nowhere. */
export function addressOf({ type, target }: Pick<Endpoint, 'type' | 'target'>): string {
  return type === FETCHED ? t('Fetched by a program') : target;
}

const NOWHERE = '.invalid';

/** Where an attempt went. The URL that the service gives to an endpoint without a server leads nowhere, and its type says more. */
export function addressOfAttempt(url: string): string {
  const host = url.split('/')[2] ?? '';
  return host.endsWith(NOWHERE) ? host.slice(0, -NOWHERE.length) : url;
}
