import type { Request, Response } from 'express';
import { answerCsv, answerJson, answerText, isJsonText } from '../transport/answer.ts';
import { answerEvents, isEventStream } from '../transport/event-stream.ts';
import { answerPages, isPages, shownBy } from '../transport/pages.ts';
import type { Route } from './route.ts';

/** The result of an operation, and everything else that its answer may need. */
export type Answering = {
  request: Request;
  response: Response;
  route: Route;
  /** The schema of its answer when the request was a dry run. */
  dryRun: Route['dryRun'];
  status: number;
  result: unknown;
  /** Writes a message of a stream. */
  textOf: (message: object) => string;
  /** Whether the caller may still read the stream. */
  isAllowed: () => Promise<boolean>;
};

/** Answers a result of one form. Returns false for a result of another form, and answers nothing. */
type Answerer = (answering: Answering) => boolean | Promise<boolean>;

/** The first that takes a result answers it. Where a schema is parsed, only the fields that it names are sent. */
const ANSWERERS: readonly Answerer[] = [noBody, dryRunReport, eventStream, largeDocument, pages, csv, json];

/** Answers with the result of an operation, in the form that it has and that the request prefers. */
export async function answerResult(answering: Answering): Promise<void> {
  for (const answerer of ANSWERERS) if (await answerer(answering)) return;
}

function noBody({ response, route }: Answering): boolean {
  if (route.response !== undefined) return false;
  response.status(route.status).end();
  return true;
}

function dryRunReport({ response, dryRun, result }: Answering): boolean {
  if (dryRun === undefined) return false;
  answerJson(response, 200, dryRun.parse(result));
  return true;
}

async function eventStream({ response, result, textOf, isAllowed }: Answering): Promise<boolean> {
  if (!isEventStream(result)) return false;
  await answerEvents(response, result, { textOf, isAllowed });
  return true;
}

function largeDocument({ response, route, result }: Answering): boolean {
  if (!isJsonText(result)) return false;
  answerText(response, route.status, result);
  return true;
}

async function pages({ response, route, result }: Answering): Promise<boolean> {
  if (route.response === undefined || !isPages(result)) return false;
  await answerPages(response, route.status, { pages: result, shown: shownBy(route.response) });
  return true;
}

function csv({ request, response, route, status, result }: Answering): boolean {
  if (route.csv === undefined || request.accepts('json', 'csv') !== 'csv') return false;
  answerCsv(response, status, route.csv(route.response?.parse(result)));
  return true;
}

function json({ response, route, status, result }: Answering): boolean {
  answerJson(response, status, route.response?.parse(result));
  return true;
}
