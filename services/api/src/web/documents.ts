import { existsSync, readdirSync } from 'node:fs';
import { extname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RequestHandler, Router } from 'express';
import { refuseMethod } from '../operation/mount.ts';
import { sendCopy } from './send-copy.ts';

/** The built documentation site, beside the services in a checkout and in the image. */
export const DOCS_FOLDER = fileURLToPath(new URL('../../../../docs/site/dist', import.meta.url));

/** The endings of the files that are served. A compressed copy has no address of its own. */
const SERVED = new Set(['.html', '.css', '.js', '.json', '.svg', '.png', '.txt']);

/** Scripts, styles, images and the search index all come from this service. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The documentation at `/docs`: the files that `npm run docs` built. A page has the path of its Markdown file, without
 * the ending; with a slash at the end, the path leads to the page. Every browser asks again whether its copy is still
 * current, because an upgrade changes the pages. Without a build, the paths are unknown.
 */
export function createDocumentsRouter(folder: string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  if (!existsSync(folder)) return router;
  // Listed at the start, so that a request for an unknown page reads no file.
  const names = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')),
  );
  const send: RequestHandler<{ path?: string[] }> = (request, response, next) => {
    response.locals.operation = 'docs';
    const path = request.params.path?.join('/') ?? 'index';
    const name = [`${path}.html`, path].find((one) => names.has(one) && SERVED.has(extname(one)));
    if (name === undefined) {
      const page = path.replace(/\/$/, '');
      // Relative, because a proxy may have changed the path.
      if (page !== path && names.has(`${page}.html`)) return response.redirect(301, `../${posix.basename(page)}`);
      return next('router');
    }
    response.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    response.set('X-Frame-Options', 'DENY');
    response.set('Cache-Control', 'no-cache');
    sendCopy(response, name, { names, options: { root: folder, cacheControl: false }, next });
  };
  const paths = ['/docs', '/docs/*path'];
  router.get('/docs/', (_request, response) => response.redirect(301, '../docs'));
  router.get(paths, send);
  router.all(paths, refuseMethod(['GET']));
  return router;
}
