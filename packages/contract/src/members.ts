import { z } from 'zod';
import { role } from './access.ts';
import { emailAddress, newPassword } from './accounts.ts';
import { id, name, timestamp } from './primitives.ts';

export const member = z
  .object({ userId: id('usr'), email: z.string(), name: z.string(), role, createdAt: timestamp })
  .meta({ id: 'Member', description: 'A person’s place in a workspace.' });

export const addMemberBody = z.object({
  email: emailAddress,
  name: name.optional(),
  role,
  password: newPassword.optional(),
});

export const addedMember = member
  .extend({
    setPasswordToken: z.string().nullable().meta({
      description: 'For a new user without a password: good once, within 7 days, for `POST /api/auth/set-password`.',
    }),
  })
  .meta({ id: 'AddedMember' });

export const updateMemberBody = z.object({ role: role.optional() });
