import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { eventTypeName } from './arguments.ts';
import { callTool, tool } from './tool.ts';

test('a fault of the service is told to the log, and to the caller without its text', async () => {
  const fault = new Error('the text of a statement');
  const row = tool({
    ...{ name: 'ask', title: 'Ask', description: 'Asks.', needs: [], input: z.strictObject({}) },
    run: () => Promise.reject(fault),
  });
  const told: unknown[] = [];
  const onFault = (error: unknown) => void told.push(error);
  // The tool asks nothing of its caller.
  const { isError, content } = await callTool(row, { caller: {} as never, given: {}, onFault });
  expect(told).toEqual([fault]);
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain('internal_error: Something went wrong on our side');
  expect(JSON.stringify(content)).not.toContain('statement');
});

test('the name of an event type may have no character that Postgres cannot hold', () => {
  const issues = eventTypeName.safeParse('a\0').error?.issues ?? [];
  expect(issues).toMatchObject([{ message: 'must not contain U+0000' }]);
});
