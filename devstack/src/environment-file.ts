import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Instance } from './instance-file.ts';
import { writePrivateFile } from './private-file.ts';
import { projectRoot } from './project-root.ts';
import { RECEIVER_PORT } from './receiver/options.ts';

/** Says which instance a shell's BASE_URL comes from, so that a later `npm start` does not take it for a setting. */
export const SOURCED_BASE_URL = 'POSTHORN_SOURCED_BASE_URL';

/**
 * A shell function that reads a field of a JSON response: `curl … | field .id`. For an error it prints the message and
 * fails. docs/how-to/send-an-event.md has the same line, for installations without this file.
 */
export const FIELD_COMMAND =
  'field() { node -p "const answer = JSON.parse(fs.readFileSync(0)); if (answer.error?.message) { console.error(answer.error.message); process.exit(1) } answer$1"; }';

/**
 * Writes `env` into the home, for its owner only, to be sourced as `. .posthorn/env`: the addresses and the credentials
 * as shell variables, `posthorn` (the command line), and a command for JSON responses.
 */
export function writeEnvironmentFile(home: string, instance: Instance): void {
  const variables = {
    BASE_URL: instance.baseUrl,
    WORKSPACE_ID: instance.workspaceId,
    ENVIRONMENT_ID: instance.environmentId,
    MANAGEMENT_TOKEN: instance.managementToken,
    API_KEY: instance.apiKey,
    // The addresses of the workspace and of `npm run receiver`. The commands of docs/how-to use them.
    WORKSPACE_URL: `${instance.baseUrl}/management/v1/workspaces/${instance.workspaceId}`,
    RECEIVER_URL: `https://127.0.0.1:${RECEIVER_PORT}/webhooks`,
    [SOURCED_BASE_URL]: instance.baseUrl,
    // Variables that the command line and the client libraries read.
    POSTHORN_BASE_URL: instance.baseUrl,
    POSTHORN_TOKEN: instance.managementToken,
    POSTHORN_API_KEY: instance.apiKey,
    POSTHORN_WORKSPACE_ID: instance.workspaceId,
  };
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  const commandLine = `posthorn() { node ${quoted(join(projectRoot, 'packages/cli/bundle/main.js'))} "$@"; }`;
  writePrivateFile(environmentFile(home), `${lines.join('')}${FIELD_COMMAND}\n${commandLine}\n`);
}

/** Removes the file: without a running instance its address leads nowhere. */
export function removeEnvironmentFile(home: string): void {
  rmSync(environmentFile(home), { force: true });
}

export function environmentFile(home: string): string {
  return join(home, 'env');
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}
