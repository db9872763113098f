import { expect, test } from '@jest/globals';
import { judgeAnswer } from '../eventbridge/entry.ts';
import { describeAwsError } from './describe-aws-error.ts';
import { judgeFault } from './fault.ts';
import { RoleError } from './identity.ts';

test.each([
  ['InvalidClientTokenId', 403, 'authentication_failed'],
  ['SignatureDoesNotMatch', 403, 'authentication_failed'],
  ['ExpiredToken', 400, 'authentication_failed'],
  ['AccessDenied', 403, 'access_denied'],
  ['AuthorizationError', 403, 'access_denied'],
  ['NotAuthorizedForSourceException', 200, 'access_denied'],
  ['NotAuthorizedForDetailTypeException', 200, 'access_denied'],
  ['NotAuthorized', 401, 'access_denied'],
  ['UnknownError', 301, 'target_not_found'],
  // The class comes from the endpoint's settings, not from a template. Once it is corrected, the deliveries go on.
  ['InvalidStorageClass', 400, 'broker_error'],
  ['QueueDoesNotExist', 400, 'target_not_found'],
  ['NotFound', 404, 'target_not_found'],
  ['ResourceNotFoundException', 400, 'target_not_found'],
  ['NoSuchBucket', 404, 'target_not_found'],
  ['ProvisionedThroughputExceededException', 400, 'throttled'],
  ['SlowDown', 503, 'throttled'],
  ['Anything', 429, 'throttled'],
  ['Anything', 403, 'access_denied'],
  ['InternalFailure', 500, 'broker_error'],
  ['ServiceUnavailable', 503, 'broker_error'],
  // Every object has a property of this name, so it must not count as an error of the service.
  ['constructor', 500, 'broker_error'],
])('%s with status %i is %s, and the schedule goes on', (name, status, errorCode) => {
  expect(judgeFault({ name, said: 'Words.', status }, {})).toEqual({ errorCode, message: `${name}: Words.` });
});

test.each([
  ['InvalidParameterValue', 'One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.'],
  ['InvalidParameter', 'Invalid parameter: Message too long'],
  ['ValidationException', 'Total size of the entries in the request is over the limit.'],
  ['ValidationException', "Value at 'data' failed: Member must have length less than or equal to 10485760"],
  ['EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size'],
])('%s about the size ends the delivery', (name, said) => {
  expect(judgeFault({ name, said, status: 400 }, {})).toMatchObject({
    errorCode: 'message_too_large',
    ends: 'message_too_large',
  });
});

test('shows the words of the service in one line, shortened, without what a terminal obeys', () => {
  const { message } = judgeFault({ name: 'X', said: `a\n\u001b[31m${'b'.repeat(2_000)}`, status: 500 }, {});
  expect(message).toMatch(/^X: a {2}\[31mb+…$/);
  expect(message.length).toBeLessThan(510);
});

test('has at most 500 characters, also about a role that could not be taken', () => {
  const cause = Object.assign(new Error('b'.repeat(2_000)), { name: 'AccessDenied', $fault: 'client' });
  const role = describeAwsError(new RoleError('the role could not be taken', { cause }), {});
  expect(role.message).toMatch(/^The role could not be taken\. AccessDenied: b+…$/);
  expect(role.message).toHaveLength(500);
  expect(describeAwsError(cause, {}).message).toHaveLength(500);
});

test('removes a credential that the server repeats', () => {
  const error = Object.assign(new Error('no user AKIDX with s3cr3t+/='), {
    ...{ name: 'AccessDenied', $fault: 'client', $metadata: { httpStatusCode: 403 } },
  });
  const { message } = describeAwsError(error, { accessKeyId: 'AKIDX', secretAccessKey: 's3cr3t+/=' });
  expect(message).toBe('AccessDenied: no user [redacted] with [redacted]');
});

test('removes a credential that the server repeats in another form, or as the name of its error', () => {
  const sessionToken = 'a+b/c=="d" long';
  const forms = [encodeURIComponent(sessionToken), Buffer.from(sessionToken).toString('base64'), sessionToken];
  for (const form of [...forms, JSON.stringify(sessionToken).slice(1, -1)]) {
    for (const fault of [
      { name: 'X', said: `sent ${form}` },
      { name: form, said: '' },
    ]) {
      const { message } = judgeFault({ ...fault, status: 400 }, { sessionToken });
      expect(message).toContain('[redacted]');
      expect(message).not.toContain(form);
    }
    const refused = { FailedEntryCount: 1, Entries: [{ ErrorCode: 'X', ErrorMessage: form }] };
    expect(judgeAnswer(refused, { sessionToken })).toMatchObject({ failure: { message: 'X: [redacted]' } });
  }
});

test('an answer that is not from a service of AWS is a protocol error', () => {
  const error = Object.assign(new SyntaxError('Unexpected token <'), { $response: { statusCode: 200 } });
  expect(describeAwsError(error, {})).toMatchObject({ errorCode: 'protocol_error' });
});
