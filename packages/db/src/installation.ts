import type { Db } from './client.ts';

/** The id of the installation. It is random, made with the database, and the same in every copy of it. */
export async function readInstallationId(db: Db): Promise<string> {
  return (await db.installation.findFirstOrThrow()).id;
}
