import { testTransformationAnswer, testTransformationBody } from '@posthorn/contract/transformations';
import { route } from '../operation/route.ts';
import { testTransformation } from './test-transformation.ts';

export const transformationRoutes = [
  route({
    operationId: 'testTransformation',
    method: 'post',
    inEnvironment: true,
    path: '/transformations/test',
    tag: 'Endpoints',
    summary: 'Test a transformation',
    description: 'Runs the code on a payload, and returns the result that would be sent. Nothing is stored or sent.',
    scopes: ['write'],
    role: 'member',
    capability: 'transformations:write',
    status: 200,
    errors: ['not_found', 'unavailable'],
    body: testTransformationBody,
    takesBytes: true,
    response: testTransformationAnswer,
    run: (ctx, { body, bytes }) => testTransformation(ctx, { body, given: bytes }),
  }),
];
