import type { Endpoint } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { FETCHED } from '../pull/fetched.ts';

/**
 * The address of an endpoint, for people. For a webhook it is the URL; other endpoints have a URL that leads nowhere.
 */
export function addressOf({ type, target }: Pick<Endpoint, 'type' | 'target'>): string {
  return type === FETCHED ? t('Fetched by a program') : target;
}

const NOWHERE = '.invalid';

/**
 * The address of an attempt. An endpoint without a server has a URL that leads nowhere, so its type is shown instead.
 */
export function addressOfAttempt(url: string): string {
  const host = url.split('/')[2] ?? '';
  return host.endsWith(NOWHERE) ? host.slice(0, -NOWHERE.length) : url;
}
