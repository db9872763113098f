import type { Endpoint } from '../../../client/resources.ts';

type Shown = Pick<Endpoint, 'config' | 'hasAuth' | 'authUsername' | 'secretHeaderNames' | 'credentialNames'>;

/** The credentials of requests or messages in words, such as `basic login as shop, 1 secret header`. */
export function credentialWords({ config, hasAuth, authUsername, secretHeaderNames, credentialNames }: Shown): string {
  const words = [
    ...(hasAuth ? [`basic login as ${authUsername}`] : []),
    ...(config.oauth2 === undefined ? [] : ['OAuth 2']),
    ...(config.tls?.clientCertificate === undefined ? [] : ['client certificate']),
    ...counted(secretHeaderNames.length, 'secret header', 'secret headers'),
    ...(config.destination === undefined ? [] : counted(credentialNames.length, 'stored value', 'stored values')),
  ];
  return words.join(', ') || 'none';
}

function counted(count: number, one: string, many: string): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}
