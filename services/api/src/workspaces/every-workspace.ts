import { toId } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import { NIL_UUID } from '@posthorn/db/uuid-range';

const PAGE = 500;
/** The ids and names of every workspace with its default environment, oldest first, read in pages. */
export async function* everyWorkspace(db: Db) {
  let after = NIL_UUID;
  for (;;) {
    const page = await db.workspace.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take: PAGE,
      select: {
        id: true,
        name: true,
        slug: true,
        plan: true,
        environments: { where: { isDefault: true, deletedAt: null }, select: { id: true } },
      },
    });
    for (const { id, environments, ...shown } of page) {
      const [environment] = environments;
      const environmentId = environment === undefined ? null : toId('env', environment.id);
      yield { workspaceId: toId('ws', id), environmentId, ...shown };
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
  }
}
