import { fromId } from '@posthorn/contract/ids';
import { portalLocale } from '@posthorn/contract/portal-sessions';
import type { Db } from '@posthorn/db/client';
import type { Clock } from '@posthorn/runtime/clock';
import { isLocalUrl } from '@posthorn/runtime/local-url';
import { parseUrl } from '@posthorn/runtime/parse-url';

/** The origins that may frame a page, those that it may load images from, its language, and its word for an event. */
export type Framing = { framedBy: readonly string[]; images: readonly string[]; lang: string; eventTerm?: string };

/** For the dashboard, and for a portal whose session is unknown. */
export const PLAIN: Framing = { framedBy: [], images: [], lang: 'en' };
const HOST_CHARACTERS = new Set('abcdefghijklmnopqrstuvwxyz0123456789-.:');

/**
 * For the portal of a session (docs/interface.md, Workspace, Portal session): the origins of its workspace frame it, and
 * the origin of its logo is the only other one that it loads images from. None for a session that is unknown or has
 * ended.
 */
export async function findPortalFraming({ db, clock }: { db: Db; clock: Clock }, sessionId: string): Promise<Framing> {
  const id = fromId('prt', sessionId);
  if (id === undefined) return PLAIN;
  const session = await db.portalSession.findUnique({
    where: { id },
    select: {
      expiresAt: true,
      theme: true,
      locale: true,
      application: { select: { workspace: { select: { portalOrigins: true, portalEventTerm: true } } } },
    },
  });
  if (session === null) return PLAIN;
  const { portalOrigins, portalEventTerm } = session.application.workspace;
  const words = { lang: portalLocale.parse(session.locale), eventTerm: portalEventTerm };
  // The page says in its language that the session has ended.
  if (session.expiresAt <= clock.now()) return { ...PLAIN, ...words };
  return { ...words, framedBy: portalOrigins, images: logoOrigins(session.theme) };
}

/** A host may have characters that mean something in a policy, such as `;`, `,` and `*`: such a logo is not loaded. */
function logoOrigins(theme: unknown): string[] {
  const logoUrl: unknown = typeof theme === 'object' && theme !== null ? Reflect.get(theme, 'logoUrl') : undefined;
  const url = typeof logoUrl === 'string' ? parseUrl(logoUrl) : undefined;
  if (url === undefined) return [];
  const { protocol, host, origin } = url;
  const isPlain = [...host].every((character) => HOST_CHARACTERS.has(character));
  // An http logo is allowed only on this machine.
  return isPlain && (protocol === 'https:' || isLocalUrl(url.href)) ? [origin] : [];
}
