import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { Answer } from './unread-answers.ts';

/**
 * The classes of the server's requests and answers, which have the prototypes that Express expects. Without them
 * Express changes the prototype of each object, and V8 makes new hidden classes for every request. That took 150 µs,
 * and 12 KB until a full collection, instead of 40 µs and nothing. `onWrite` is called after each write to an answer.
 */
export function messageClasses(
  app: Express,
  onWrite: (answer: Answer) => void,
): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    declare locals?: Record<string, unknown>;

    override write(...given: unknown[]): boolean {
      const isFlowing = Reflect.apply(super.write, this, given);
      onWrite(this);
      return isFlowing;
    }

    override end(...given: unknown[]): this {
      Reflect.apply(super.end, this, given);
      onWrite(this);
      return this;
    }
  }
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
