import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot } from '../pages/run-page.ts';

// install-tools.sh puts the tools here.
const TOOLS = process.env.POSTHORN_TOOLS || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'posthorn');
const HELM = join(TOOLS, 'helm-4.3.1', 'helm');
export const SCHEMAS = join(TOOLS, 'kubernetes-models-5.1.0');

/** A PATH with helm on it. */
export const toolsPath = `${dirname(HELM)}:${process.env.PATH}`;
export const hasTools = existsSync(HELM) && existsSync(SCHEMAS);
export const chartFolder = join(projectRoot, 'deploy/helm/posthorn');

/** Runs `helm <arguments>` in deploy/helm. */
export function helm(...options: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(HELM, options, {
    cwd: join(projectRoot, 'deploy/helm'),
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  return { status, stdout, stderr };
}
