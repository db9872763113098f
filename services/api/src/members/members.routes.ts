import { addedMember, addMemberBody, member, updateMemberBody } from '@posthorn/contract/members';
import { z } from 'zod';
import { route } from '../http/route.ts';
import { addMember, listMembers, removeMember, updateMember } from './members.ts';

// Not for management tokens, which have no role: who may make an owner is a question about people.
const shared = { tag: 'Members', dashboardOnly: true, role: 'admin' } as const;

export const memberRoutes = [
  route({
    ...shared,
    operationId: 'listMembers',
    method: 'get',
    path: '/members',
    summary: 'List members',
    description: 'In the order in which they joined.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    response: z.array(member),
    run: (ctx) => listMembers(ctx),
  }),
  route({
    ...shared,
    operationId: 'addMember',
    method: 'post',
    path: '/members',
    summary: 'Add a member',
    description:
      'A new user without a password gets a `setPasswordToken`, shown once. For an email that has a user already, only the membership is added. Only an owner adds an owner.',
    scopes: ['write'],
    status: 201,
    errors: ['member_exists'],
    body: addMemberBody,
    response: addedMember,
    run: (ctx, { body }) => addMember(ctx, body),
  }),
  route({
    ...shared,
    operationId: 'updateMember',
    method: 'patch',
    path: '/members/{userId}',
    summary: 'Change a member’s role',
    description: 'Only an owner makes or unmakes an owner, and the last owner stays.',
    scopes: ['write'],
    status: 200,
    errors: ['not_found', 'last_owner'],
    body: updateMemberBody,
    response: member,
    run: (ctx, { params, body }) => updateMember(ctx, params.userId, body),
  }),
  route({
    ...shared,
    operationId: 'removeMember',
    method: 'delete',
    path: '/members/{userId}',
    summary: 'Remove a member',
    description: 'The person loses this workspace at once. Only an owner removes an owner, and the last owner stays.',
    scopes: ['write'],
    status: 204,
    errors: ['not_found', 'last_owner'],
    run: (ctx, { params }) => removeMember(ctx, params.userId),
  }),
];
