import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type RequestHandler, type Response, Router } from 'express';
import { refuseMethod } from '../operation/mount.ts';

/**
 * `GET /openapi.json`, its part for generated clients at `GET /openapi/sdk.json`, and `GET /reference`, the page for
 * people: it shows each operation of programs once. Nothing is loaded from other hosts.
 */
export function createReferenceRouter(): Router {
  const answerDocument = (part: 'whole' | 'sdk' | 'viewer') => {
    const send = createCompressed(() => writeDocument(part));
    return (response: Response) => send(response.type('json').set('Access-Control-Allow-Origin', '*'));
  };
  const sendViewer = createCompressed(() => readFile(join(SCRIPTS, 'standalone.js'), 'utf8'));
  const router = Router({ caseSensitive: true, strict: true });
  const answers: Record<string, (response: Response) => unknown> = {
    '/openapi.json': answerDocument('whole'),
    '/openapi/sdk.json': answerDocument('sdk'),
    '/reference/openapi.json': answerDocument('viewer'),
    '/reference': (response) => response.type('html').send(PAGE),
    '/reference/start.js': (response) => response.type('js').send(START),
    '/reference/scalar.js': (response) => sendViewer(response.type('js').set('Cache-Control', 'public, max-age=86400')),
  };
  for (const [path, answer] of Object.entries(answers)) {
    const handle: RequestHandler = async (_request, response) => {
      response.locals.operation = 'reference';
      response.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
      await answer(response);
    };
    router.get(path, handle);
    router.all(path, refuseMethod(['GET']));
  }
  return router;
}

/** Sends a text that is read and compressed once, at the first request: the viewer is a quarter as large. */
function createCompressed(read: () => Promise<string>): (response: Response) => Promise<void> {
  let copies: Promise<{ plain: string; gzipped: Buffer }> | undefined;
  return async (response) => {
    copies ??= read().then(async (plain) => ({ plain, gzipped: await compress(plain) }));
    const { plain, gzipped } = await copies;
    const isGzip = response.req.acceptsEncodings('gzip', 'identity') === 'gzip';
    response.vary('Accept-Encoding');
    if (isGzip) response.set('Content-Encoding', 'gzip');
    response.send(isGzip ? gzipped : plain);
  };
}

const compress = promisify(gzip);

/** Loaded and written at the first request: that takes as long as the rest of a start, and most processes are never asked. */
async function writeDocument(part: 'whole' | 'sdk' | 'viewer'): Promise<string> {
  const { createOpenApi } = await import('../openapi/document.ts');
  const { offered } = await import('../openapi/offered.ts');
  if (part !== 'viewer') return JSON.stringify(createOpenApi(offered, part));
  const { withSamples } = await import('./samples.ts');
  return JSON.stringify(withSamples(createOpenApi(offered, 'sdk')));
}

/** The built browser script. The package exports only files beside its folder. */
const SCRIPTS = join(createRequire(import.meta.url).resolve('@scalar/api-reference/style.css'), '../browser');

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Posthorn API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <nav style="padding: 8px 16px; font: 14px system-ui">
      <a href="/docs">Documents of this instance</a> · <a href="/">Dashboard</a>
    </nav>
    <div id="app"></div>
    <script src="/reference/scalar.js"></script>
    <script src="/reference/start.js"></script>
  </body>
</html>
`;

/** Switches off everything that the viewer would fetch from its maker. */
const START = `Scalar.createApiReference('#app', {
  url: '/reference/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  mcp: { disabled: true },
  agent: { disabled: true },
  documentDownloadType: 'json',
});
`;

const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join('; ');
