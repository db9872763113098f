import { newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, type SealingKeys, seal } from '@posthorn/crypto/seal';
import { openSession } from '@posthorn/db/session';
import type { Client } from 'pg';

export type BacklogInput = {
  databaseUrl: string;
  /** The services' setting SEALING_KEYS. */
  sealingKeys: string;
  count: number;
  /** The ids as stored in the tables. The deliveries alternate between the endpoints. */
  workspaceId: string;
  environmentId: string;
  endpointIds: readonly string[];
  eventType: string;
  body: string;
};

const ROWS_A_STATEMENT = 5_000;
const CONNECTIONS = 2;

/**
 * Inserts events with one delivery each, pending and due now, directly into the tables: tens of thousands a second,
 * with sealed payloads. No job is enqueued. A delivery has the same id as its event.
 */
export async function insertBacklog(input: BacklogInput): Promise<void> {
  const keys = parseSealingKeys(input.sealingKeys);
  let left = input.count;
  const insert = async () => {
    const client = openSession({ connectionString: input.databaseUrl });
    await client.connect();
    try {
      while (left > 0) {
        const count = Math.min(left, ROWS_A_STATEMENT);
        left -= count;
        await insertRows(client, { ...input, keys, count });
      }
    } finally {
      await client.end();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, insert));
}

async function insertRows(client: Client, { keys, count, body, ...input }: BacklogInput & { keys: SealingKeys }) {
  const plaintext = Buffer.from(body);
  const ids = Array.from({ length: count }, () => newUuid(new Date()));
  await client.query(
    `with wanted as materialized (
      select * from unnest($1::uuid[], $2::bytea[]) with ordinality as w(id, payload, n)
    ), events as (
      insert into event (id, workspace_id, environment_id, event_type, content_type, payload, payload_size, published)
      select id, $3::uuid, $4::uuid, $6, 'application/json', payload, $7, true from wanted
    )
    insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, due_at)
    select id, id, ($5::uuid[])[1 + n % cardinality($5::uuid[])], $3::uuid, $4::uuid, $6, clock_timestamp() from wanted`,
    [
      ids,
      ids.map((id) => seal(keys, plaintext, sealContext.payload(id))),
      input.workspaceId,
      input.environmentId,
      input.endpointIds,
      input.eventType,
      plaintext.length,
    ],
  );
}
