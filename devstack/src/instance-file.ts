import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from './private-file.ts';

/** A process that belongs to the running instance. */
export type InstanceProcess = { name: string; pid: number; metricsUrl?: string; adminUrl?: string };

/** What tests and tools need to drive a running instance. It holds credentials. */
export type Instance = {
  baseUrl: string;
  dashboardUrl: string;
  metricsUrl: string;
  databaseUrl: string;
  redisUrl: string;
  workspaceId: string;
  environmentId: string;
  managementToken: string;
  apiKey: string;
  login: { email: string; password: string };
  admin: { user: string; password: string };
  processes: InstanceProcess[];
};

/** Says that the instance is ready, in `instance.json` of its home: written whole, by rename, for its owner only. */
export function writeInstanceFile(home: string, instance: Instance): void {
  writePrivateFile(instanceFile(home), `${JSON.stringify(instance, null, 2)}\n`);
}

/** Says that the instance is not ready, or gone. Harmless where there is no file. */
export function removeInstanceFile(home: string): void {
  rmSync(instanceFile(home), { force: true });
}

export function instanceFile(home: string): string {
  return join(home, 'instance.json');
}
