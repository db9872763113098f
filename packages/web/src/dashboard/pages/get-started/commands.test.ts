import { expect, test } from '@jest/globals';
import { commandsOf } from './commands.ts';

type Known = Parameters<typeof commandsOf>[0];

const known: Known = {
  baseUrl: 'http://localhost:3000',
  workspaceId: 'ws_2',
  environmentId: 'env_2',
  typeName: 'order.created',
  type: undefined,
  endpoint: undefined,
  application: undefined,
  apiKey: undefined,
  token: undefined,
};

const tokens = (commands: Record<string, string>) => {
  const { send: _byKey, ...managing } = commands;
  return new Set(Object.values(managing).flatMap((text) => text.match(/Bearer [^"]+/g) ?? []));
};

test('every command of management carries the token of the page', () => {
  expect(tokens(commandsOf({ ...known, token: 'phm_of_ws_2' }))).toEqual(new Set(['Bearer phm_of_ws_2']));
});

test('without a token no command takes the one of another workspace, which a shell has in MANAGEMENT_TOKEN', () => {
  expect(tokens(commandsOf(known))).toEqual(new Set(['Bearer $WORKSPACE_TOKEN']));
});
