import type { Kind } from '@posthorn/destinations/kind';
import { settingsOf } from '@posthorn/destinations/kinds';
import type { WorkspaceContext } from '../operation/context.ts';
import { invalid } from '../transport/error.ts';

/** Refuses a checked config whose servers may not be reached at all, or not without TLS. */
export async function vetDestination(
  { vetUrl, settings }: WorkspaceContext,
  kind: Kind,
  config: object,
): Promise<void> {
  const given = settingsOf(kind, config);
  for (const server of kind.servers?.(given) ?? []) {
    const place = `config.destination.${server.field}`;
    if (!server.url.startsWith('https:') && !settings.allowPlaintext) throw withoutTls(place, given);
    const verdict = await vetUrl(server.url.replace(/^http:/, 'https:'));
    if (verdict.kind === 'refused') throw invalid(verdict.message.replace(/^url\b/, place), place, verdict.rule);
  }
}

/** The refusal of a destination without TLS: a broker has a switch for TLS, and an address over HTTP a scheme. */
function withoutTls(place: string, given: unknown) {
  const hasSwitch = typeof given === 'object' && given !== null && Reflect.get(given, 'tls') === false;
  return hasSwitch
    ? invalid(
        'config.destination.tls must be true: only the operator can allow connections without TLS',
        'config.destination.tls',
      )
    : invalid(`${place} must use https`, place, 'https');
}
