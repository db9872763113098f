import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2';
export const OPENAPI_GENERATOR = '7.17.0';
/** A command that copies the generator from the Maven registry to the working directory. */
export const COPY_OPENAPI_GENERATOR = `mvn -q -B -Dstyle.color=never dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR} -DoutputDirectory=.`;
export const SCHEMATHESIS = 'schemathesis==4.32.5';
/** The conformance tests of the Model Context Protocol. They do not test events yet. */
export const MCP_CONFORMANCE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
/** A third-party server of MCP Events, and the packages that it runs on. */
export const MCP_REFERENCE = ['mcp-webhook-events==0.2.0', 'mcp==2.3.0', 'uvicorn==0.54.0'];

/**
 * For a program, the command that fetches something small from its registry. Other programs are assumed
 * to reach theirs.
 */
const FETCHES: Record<string, string> = {
  go: `go mod download ${OAPI_CODEGEN}@v2.8.2`,
  mvn: COPY_OPENAPI_GENERATOR,
  python3: `python3 -m pip download --quiet --no-deps --dest . ${SCHEMATHESIS}`,
};
const FETCH_MS = 120_000;

/** The reason why a program cannot be used here, or undefined. */
export function lackOf(program: string): string | undefined {
  const known = lacks.get(program);
  if (known !== undefined) return known.lack;
  const lack = findLack(program);
  lacks.set(program, { lack });
  return lack;
}

const lacks = new Map<string, { lack: string | undefined }>();

function findLack(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  if (!folders.some((folder) => existsSync(join(folder, program)))) return `${program} is not installed`;
  const command = FETCHES[program];
  if (command === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-fetch-'));
  const fetched = spawnSync('bash', ['-c', command], { cwd: folder, stdio: 'ignore', timeout: FETCH_MS });
  rmSync(folder, { recursive: true, force: true });
  return fetched.status === 0 ? undefined : `${program} cannot fetch from its registry`;
}

/** Prints one line for a test that is skipped. */
export function saySkipped(name: string, reasons: readonly string[]): void {
  process.stderr.write(`skipped  ${name}: ${reasons.join(', ')}\n`);
}
