import { z } from 'zod';
import { role } from './access.ts';
import { emailAddress, newPassword } from './accounts.ts';
import { id, name, timestamp } from './primitives.ts';

export const member = z
  .object({
    userId: id('usr').meta({
      description:
        'The id of the user. While the person is invited, the id of the invitation, which does not reveal whether there is an account.',
    }),
    email: z.string(),
    name: z.string(),
    role,
    status: z.enum(['active', 'invited']).meta({
      description: 'The status of the member. An invited person has no access until the invitation is accepted.',
    }),
    hasSecondFactor: z.boolean().nullable().meta({
      description:
        'Whether the account has a second factor. Null for an invited person, and for a caller who is not an admin.',
    }),
    createdAt: timestamp.meta({
      description: 'When the person was invited, or when the invitation was accepted.',
    }),
  })
  .meta({ id: 'Member', description: 'A member of a workspace, or a person who is invited to it.' });

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
        'The token that accepts the invitation with `POST /api/auth/set-password`. It can be used once, within 7 days. Null for an active member, and if the installation sends email, because only the invited person receives the link.',
    }),
  })
  .meta({ id: 'AddedMember' });

export const updateMemberBody = z.object({ role: role.optional() });
