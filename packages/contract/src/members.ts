import { z } from 'zod';
import { role } from './access.ts';
import { emailAddress, newPassword } from './accounts.ts';
import { id, name, timestamp } from './primitives.ts';

export const member = z
  .object({
    userId: id('usr').meta({
      description: 'While invited, the id of the invitation: it reveals nothing of an account.',
    }),
    email: z.string(),
    name: z.string(),
    role,
    status: z
      .enum(['active', 'invited'])
      .meta({ description: 'An invited person has no access until the invitation is accepted.' }),
    hasSecondFactor: z.boolean().nullable().meta({
      description: 'Whether the account has a second factor. Null while invited, and for a caller who is not an admin.',
    }),
    createdAt: timestamp.meta({
      description: 'The time of the invitation; after acceptance, the time of the acceptance.',
    }),
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
        'Accepts the invitation by `POST /api/auth/set-password`: valid once, within 7 days. Null for an active member, and where the installation sends mail: only the invited person gets the link.',
    }),
  })
  .meta({ id: 'AddedMember' });

export const updateMemberBody = z.object({ role: role.optional() });
