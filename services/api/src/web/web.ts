import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Db } from '@posthorn/db/client';
import { networkOf } from '@posthorn/egress/network-of';
import type { Clock } from '@posthorn/runtime/clock';
import { type RequestHandler, type Response, Router } from 'express';
import { refuseMethod } from '../operation/mount.ts';
import { createRateLimit } from '../operation/rate-limit.ts';
import { type Framing, findPortalFraming, PLAIN } from './portal-framing.ts';
import { sendCopy } from './send-copy.ts';

/** The built pages of packages/web, beside the services in a checkout and in the image. */
export const WEB_FOLDER = fileURLToPath(new URL('../../../../packages/web/dist', import.meta.url));

/** The placeholder that the build writes where the nonce of an answer belongs (packages/web/vite.config.mjs). */
const NONCE_PLACE = '__CSP_NONCE__';
/** The language in the built page. Each answer replaces it. */
const LANG_PLACE = '<html lang="en"';
const NONCE_BYTES = 16;
const ASSET_MAX_AGE_MS = 365 * 86_400_000;

/** The addresses of the dashboard. Every other unknown path is `not_found`. */
const DASHBOARD_PATHS = [
  '/',
  '/login',
  '/forgot-password',
  '/set-password',
  '/confirm-alerts',
  '/stop-alerts',
  '/invitations',
  '/second-factor',
  '/device',
  '/oidc/callback',
  '/sign-in-link',
  '/w',
  '/w/*rest',
];
const PORTAL_PATH = '/portal/:sessionId';

export type WebDeps = { db: Db; clock: Clock; folder: string };

/**
 * The dashboard at `/` and the customer portal at `/portal/{prt_…}`: pages that no cache keeps, and assets that are
 * named by their content and compressed at the build, which caches keep for a year. Without a build, the paths are
 * unknown.
 */
export function createWebRouter({ db, clock, folder }: WebDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (!existsSync(join(folder, 'index.html'))) return router;
  const dashboard = readFileSync(join(folder, 'index.html'), 'utf8');
  const portal = readFileSync(join(folder, 'portal.html'), 'utf8');
  const addressLimit = createRateLimit({ clock, perSecond: 20, burstSeconds: 10, caller: 'This address' });

  const sendPortal: RequestHandler<{ sessionId: string }> = async (request, response) => {
    addressLimit(response, networkOf(request.ip ?? ''));
    sendPage(response, portal, await findPortalFraming({ db, clock }, request.params.sessionId));
  };
  router.get('/assets/:name', serveAssets(join(folder, 'assets')));
  router.get(DASHBOARD_PATHS, (_request, response) => sendPage(response, dashboard, PLAIN));
  router.get(PORTAL_PATH, sendPortal);
  router.all([...DASHBOARD_PATHS, PORTAL_PATH], refuseMethod(['GET']));
  return router;
}

/** The folder is listed at the start, so that a request for an unknown asset reads no file. */
function serveAssets(folder: string): RequestHandler<{ name: string }> {
  const names = new Set(readdirSync(folder));
  return (request, response, next) => {
    const { name } = request.params;
    response.locals.operation = 'web';
    if (!names.has(name)) return next();
    const options = { root: folder, etag: false, lastModified: false, immutable: true, maxAge: ASSET_MAX_AGE_MS };
    sendCopy(response, name, { names, options, next });
  };
}

function sendPage(response: Response, page: string, framing: Framing): void {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  response.locals.operation = 'web';
  response.set('Content-Security-Policy', contentSecurityPolicy(nonce, framing));
  response.set('Cache-Control', 'no-store');
  // X-Frame-Options is an older form of frame-ancestors, and cannot list origins.
  if (framing.framedBy.length > 0) response.removeHeader('X-Frame-Options');
  else response.set('X-Frame-Options', 'DENY');
  const { lang, eventTerm } = framing;
  const words = `<html lang="${lang}"${eventTerm === undefined ? '' : ` data-event-term="${eventTerm}"`}`;
  response.type('html').send(page.replaceAll(NONCE_PLACE, nonce).replace(LANG_PLACE, words));
}

/**
 * No inline script, and no request to another origin. The nonce admits the <style> elements that the component library
 * adds for its variables and for properties that depend on the window's width; style attributes set by scripts need no
 * permission.
 */
function contentSecurityPolicy(nonce: string, { framedBy, images }: Framing): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    ["img-src 'self' data:", ...images].join(' '),
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy.length === 0 ? "'none'" : framedBy.join(' ')}`,
  ].join('; ');
}
