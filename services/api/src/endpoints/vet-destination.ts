import type { Kind } from '@posthorn/destinations/kind';
import { settingsOf } from '@posthorn/destinations/kinds';
import type { WorkspaceContext } from '../http/context.ts';
import { invalid } from '../http/error.ts';

/** Refuses a checked config whose servers may not be reached, or not without TLS. */
export async function vetDestination(
  { vetUrl, settings }: Pick<WorkspaceContext, 'vetUrl' | 'settings'>,
  kind: Kind,
  config: object,
): Promise<void> {
  const field = 'config.destination';
  for (const server of kind.servers?.(settingsOf(kind, config)) ?? []) {
    if (!server.startsWith('https:') && !settings.allowPlaintext) throw invalid(`${field} must use https`, field);
    const verdict = await vetUrl(server.replace(/^http:/, 'https:'));
    if (verdict.kind === 'refused') throw invalid(verdict.message.replace(/^url\b/, field), field);
  }
}
