import { describe, expect, test } from '@jest/globals';
import { parseArn, parseQueueUrl } from './arn.ts';

describe('the URL of a queue', () => {
  test.each([
    ['https://sqs.eu-central-1.amazonaws.com/123456789012/events', 'eu-central-1', 'events'],
    ['https://sqs.us-gov-west-1.amazonaws.com/123456789012/a.fifo', 'us-gov-west-1', 'a.fifo'],
    ['https://sqs.cn-north-1.amazonaws.com.cn/123456789012/a', 'cn-north-1', 'a'],
    ['https://eu-west-1.queue.amazonaws.com/123456789012/a', 'eu-west-1', 'a'],
    ['https://vpce-0a-1b.sqs.ap-southeast-2.vpce.amazonaws.com/123456789012/a', 'ap-southeast-2', 'a'],
    ['https://queue.example.com/123456789012/a', undefined, 'a'],
    // A host that only looks like Amazon's names no region.
    ['https://sqs.eu-central-1.amazonaws.com.example.com/123456789012/a', undefined, 'a'],
  ])('%s is in region %s', (url, region, name) => {
    expect(parseQueueUrl(url)).toMatchObject({ region, name, account: '123456789012' });
  });

  test.each([
    'not a url',
    'ftp://sqs.eu-central-1.amazonaws.com/1/a',
    'https://sqs.eu-central-1.amazonaws.com/123456789012',
    'https://sqs.eu-central-1.amazonaws.com/123456789012/a/b',
    'https://sqs.eu-central-1.amazonaws.com/123456789012/a?x=1',
    'https://user:secret@sqs.eu-central-1.amazonaws.com/123456789012/a',
    'https://sqs.eu-central-1.amazonaws.com/123456789012/wrong name',
  ])('%s is refused', (url) => {
    expect(parseQueueUrl(url)).toBeUndefined();
  });
});

test('an ARN has five parts, and a resource that may have colons', () => {
  expect(parseArn('arn:aws:sns:eu-west-1:123456789012:topic:sub')).toEqual({
    ...{ partition: 'aws', service: 'sns', region: 'eu-west-1', account: '123456789012', resource: 'topic:sub' },
  });
  expect(parseArn('urn:aws:sns:eu-west-1:1:t')).toBeUndefined();
});
