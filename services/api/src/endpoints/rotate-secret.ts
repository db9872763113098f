import type { rotateSecretBody } from '@posthorn/contract/endpoints';
import { toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { z } from 'zod';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError } from '../transport/error.ts';
import { lockEndpoint } from './endpoints.ts';
import { readPresented } from './present-endpoint.ts';
import { chooseSecret, type SignatureConfig, storeSecret } from './secrets.ts';

/**
 * Creates a new signing secret. The previous one also signs for the grace period; at most 3 are valid at a time. A
 * grace of 0 ends every older one at once, and is therefore always allowed.
 */
export async function rotateSecret(
  ctx: WorkspaceContext,
  id: string,
  { gracePeriodSeconds, secret: given }: z.output<typeof rotateSecretBody>,
) {
  return ctx.change('endpoint.secret_rotated', async (transaction) => {
    const before = await lockEndpoint(ctx, transaction, id);
    // The API, the only writer, checked the config against the contract.
    const secret = chooseSecret(given, before.config as SignatureConfig);
    const now = ctx.clock.now();
    const mine = { endpointId: before.id };
    // With a grace of 0, delete all secrets; otherwise only the expired ones.
    await transaction.signingSecret.deleteMany({
      where: gracePeriodSeconds === 0 ? mine : { ...mine, expiresAt: { lte: now } },
    });
    if ((await transaction.signingSecret.count({ where: mine })) >= LIMITS.liveSecretsPerEndpoint) {
      throw new ApiError(
        'limit_reached',
        `An endpoint has at most ${LIMITS.liveSecretsPerEndpoint} live secrets; a gracePeriodSeconds of 0 ends the older ones`,
      );
    }
    await transaction.signingSecret.updateMany({
      where: { ...mine, expiresAt: null },
      data: { expiresAt: new Date(now.getTime() + gracePeriodSeconds * 1_000) },
    });
    await storeSecret(transaction, ctx, { endpointId: before.id, secret, config: before.config as SignatureConfig });
    await transaction.endpoint.update({
      where: { id: before.id },
      data: { version: { increment: 1 }, updatedAt: now },
    });
    const changes = {
      secret: { from: '[redacted]', to: '[redacted]' },
      gracePeriodSeconds: { from: null, to: gracePeriodSeconds },
    };
    const row = await lockEndpoint(ctx, transaction, id);
    const { applicationId, environmentId } = row;
    const entry = { resourceId: toId('ep', row.id), changes, applicationId, environmentId };
    return { result: await readPresented(ctx, transaction, row), entry };
  });
}
