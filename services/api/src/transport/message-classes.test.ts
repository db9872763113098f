import { createServer } from 'node:http';
import { afterAll, expect, test } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { messageClasses } from './message-classes.ts';

const app = express();
const server = createServer(messageClasses(app, () => {}));
afterAll(() => void server.close());

test('Express accepts the requests and answers, and changes the prototype of none', async () => {
  const born: unknown[] = [];
  server.on('request', (req, res) => {
    born.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res));
    app(req, res);
  });
  app.get('/:name', (req, res) => {
    expect(Object.getPrototypeOf(req)).toBe(born[0]);
    expect(Object.getPrototypeOf(res)).toBe(born[1]);
    res.set('X-Seen', String(req.get('x-given'))).json({ name: req.params.name, path: req.path, own: req.app === app });
  });

  const answer = await request(server).get('/me').set('X-Given', 'yes');
  expect(answer.body).toEqual({ name: 'me', path: '/me', own: true });
  expect(answer.get('X-Seen')).toBe('yes');
});
