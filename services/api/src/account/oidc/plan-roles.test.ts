import { expect, test } from '@jest/globals';
import { parseGroups } from './oidc-settings.ts';
import { planRoles } from './plan-roles.ts';

const ONE = 'ws_01jczhk8m3fd8tqv5x0w2b9n4e';
const mapping = parseGroups(
  JSON.stringify({
    platform: { workspace: '*', role: 'viewer' },
    shop: { workspace: ONE, role: 'admin' },
    readers: { workspace: ONE, role: 'member' },
  }),
);
const one = mapping.get('shop')?.workspaceId ?? '';
const other = 'another workspace';

test.each([
  ['the highest role of the groups is given', ['readers', 'shop', 'platform'], null, false, 'admin'],
  ['a member that groups did not make gets the role of a group', ['shop'], 'owner', false, 'admin'],
  ['what groups gave ends with them', ['unknown'], 'admin', true, null],
  ['what a member gave stays without groups', [], 'admin', false, undefined],
  ['nothing changes where the role is the same', ['shop'], 'admin', true, undefined],
  ['nobody comes in without a group', ['unknown'], null, false, undefined],
] as const)('%s', (_, groups, role, isFromGroups, expected) => {
  const changes = planRoles(groups, mapping, [{ workspaceId: one, role, isFromGroups }]);
  expect(changes).toEqual(expected === undefined ? [] : [{ workspaceId: one, role: expected }]);
});

test('a star means every workspace, and an id its own alone', () => {
  const standings = [one, other].map((workspaceId) => ({ workspaceId, role: null, isFromGroups: false }));
  expect(planRoles(['shop'], mapping, standings)).toEqual([{ workspaceId: one, role: 'admin' }]);
  expect(planRoles(['platform'], mapping, standings)).toEqual([
    { workspaceId: one, role: 'viewer' },
    { workspaceId: other, role: 'viewer' },
  ]);
});

test('a right that ended is taken away before others are given', () => {
  const standings = [
    { workspaceId: one, role: null, isFromGroups: false },
    { workspaceId: other, role: 'admin' as const, isFromGroups: true },
  ];
  expect(planRoles(['shop'], mapping, standings)).toEqual([
    { workspaceId: other, role: null },
    { workspaceId: one, role: 'admin' },
  ]);
});

test.each([
  ['[]', 'must be a JSON object'],
  ['{', 'must be JSON'],
  ['{"a": {"workspace": "*"}}', 'the group a must be {"workspace"'],
  ['{"a": {"workspace": "x", "role": "admin"}}', 'the workspace of the group a must be the id of one, or *'],
])('%s is refused with the rule', (text, message) => {
  expect(() => parseGroups(text)).toThrow(message);
});
