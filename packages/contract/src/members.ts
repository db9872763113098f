import { z } from 'zod';
import { role } from './access.ts';
import { emailAddress, newPassword } from './accounts.ts';
import { id, name, timestamp } from './primitives.ts';

export const member = z
  .object({
    userId: id('usr').meta({ description: 'While invited, the invitation’s: it tells nothing of an account.' }),
    email: z.string(),
    name: z.string(),
    role,
    status: z
      .enum(['active', 'invited'])
      .meta({ description: 'An invited person has no access until the invitation is accepted.' }),
    createdAt: timestamp.meta({ description: 'When the person was invited, and from acceptance on when that was.' }),
  })
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
      description:
        'Accepts the invitation by `POST /api/auth/set-password`: good once, within 7 days. Null for one who is active.',
    }),
  })
  .meta({ id: 'AddedMember' });

export const updateMemberBody = z.object({ role: role.optional() });
