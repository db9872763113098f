import { isDeepStrictEqual } from 'node:util';
import type { EndpointConfig } from '@posthorn/contract/endpoint-config';
import { transformationError } from '@posthorn/messages/transform-event';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError, invalid } from '../transport/error.ts';

const FIELD = 'config.transformation';

/**
 * Checks the transformation of a config before it is saved: the caller may write one, and its code compiles and has the
 * function. One that stays as it is, is not checked again.
 */
export async function checkTransformation(
  ctx: WorkspaceContext,
  config: EndpointConfig | undefined,
  before: EndpointConfig,
): Promise<void> {
  if (config === undefined || isDeepStrictEqual(config.transformation, before.transformation)) return;
  if (!ctx.mayTransform) {
    throw new ApiError(
      'forbidden',
      'config.transformation may be changed only with the capability transformations:write',
    );
  }
  if (config.transformation === undefined) return;
  const { code } = config.transformation;
  if (code === before.transformation?.code) return;
  const fault = await ctx.transformer.check(ctx.claimant, code);
  if (fault === undefined) return;
  if ('kind' in fault) throw tooBusy();
  throw invalid(`${FIELD}.code does not work: ${transformationError({ kind: 'failed', ...fault })}`, `${FIELD}.code`);
}

export function tooBusy(): ApiError {
  return new ApiError('unavailable', 'Too many transformations are being tried: try again in a few seconds', {
    'Retry-After': '5',
  });
}
