import { expect, test } from '@jest/globals';
import { sign, verify } from './webhooks.ts';

const SECRET = `whsec_${btoa('a secret of this receiver')}`;

test('a tolerance that is not a number accepts nothing', async () => {
  const headers = await sign('{}', SECRET, { timestamp: new Date(1_000_000) });
  const verified = verify('{}', headers, SECRET, { toleranceSeconds: Number('a few minutes') });
  await expect(verified).rejects.toMatchObject({ name: 'WebhookVerificationError', reason: 'too_old' });
});
