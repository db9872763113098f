import { addedMember, addMemberBody, member, updateMemberBody } from '@posthorn/contract/members';
import { pageQuery } from '@posthorn/contract/primitives';
import { z } from 'zod';
import { route } from '../operation/route.ts';
import { addMember, getMember, listMembers, reinviteMember, removeMember, updateMember } from './members.ts';

// Not for management tokens, which have no role: the right to make an owner depends on a person's role.
const shared = { tag: 'Members', dashboardOnly: true, role: 'admin' } as const;

export const memberRoutes = [
  route({
    ...shared,
    operationId: 'listMembers',
    method: 'get',
    path: '/members',
    summary: 'List members',
    description: 'In the order of joining; after them the invited people who have not accepted yet.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    errors: ['invalid_cursor'],
    links: true,
    query: pageQuery,
    response: z.array(member),
    run: (ctx, { query }) => listMembers(ctx, query),
  }),
  route({
    ...shared,
    operationId: 'addMember',
    method: 'post',
    path: '/members',
    summary: 'Add a member',
    description:
      'The person is invited, and becomes a member by accepting with the link of a mail. Where the installation sends no mail, `setPasswordToken` accepts, and is shown only here; otherwise it is null. With a `password`, a person whose email has no account becomes a member at once; it is ignored when there is an account. Only an owner adds an owner.',
    scopes: ['write'],
    status: 201,
    errors: ['member_exists', 'limit_reached'],
    body: addMemberBody,
    response: addedMember,
    secrets: ['setPasswordToken'],
    run: (ctx, { body }) => addMember(ctx, body),
  }),
  route({
    ...shared,
    operationId: 'reinviteMember',
    method: 'post',
    path: '/members/{userId}/reinvite',
    summary: 'Invite a member again',
    description:
      'A new link for a person who has not accepted yet; the previous one becomes void. It is mailed; where the installation sends no mail, the answer has its `setPasswordToken`. Only an owner reinvites an owner.',
    scopes: ['write'],
    status: 200,
    errors: ['not_found', 'member_exists', 'limit_reached'],
    response: addedMember,
    secrets: ['setPasswordToken'],
    run: (ctx, { params }) => reinviteMember(ctx, params.userId),
  }),
  route({
    ...shared,
    operationId: 'updateMember',
    method: 'patch',
    path: '/members/{userId}',
    summary: 'Change a member’s role',
    description: 'Only an owner can give or take the role of owner, and the last owner keeps it.',
    scopes: ['write'],
    status: 200,
    errors: ['not_found', 'last_owner', 'limit_reached'],
    body: updateMemberBody,
    response: member,
    immutable: ['email', 'name'],
    present: (ctx, params) => getMember(ctx, params.userId),
    run: (ctx, { params, body }) => updateMember(ctx, params.userId, body),
  }),
  route({
    ...shared,
    operationId: 'removeMember',
    method: 'delete',
    path: '/members/{userId}',
    summary: 'Remove a member',
    description:
      'The person loses access to this workspace at once; an invitation becomes void. Only an owner removes an owner, and the last owner cannot be removed.',
    scopes: ['write'],
    status: 204,
    errors: ['not_found', 'last_owner'],
    run: (ctx, { params }) => removeMember(ctx, params.userId),
  }),
];
