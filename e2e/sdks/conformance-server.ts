import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../sdks/conformance/server.mjs', import.meta.url));

export type ConformanceServer = {
  get: <Answer>(path: string) => Promise<Answer>;
  post: <Answer>(path: string, body?: object) => Promise<Answer>;
  stop: () => Promise<void>;
};

/** Starts the server of sdks/conformance, whose README describes its requests. */
export async function startConformanceServer(): Promise<ConformanceServer> {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return {
    get: async (path) => (await fetch(url + path)).json() as Promise<never>,
    async post(path, body) {
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await fetch(url + path, { method: 'POST', ...json })).json() as Promise<never>;
    },
    async stop() {
      child.stdin.end();
      await once(child, 'close');
    },
  };
}
