import { z } from 'zod';
import { plan } from './access.ts';
import { id, name, slug, timestamp } from './primitives.ts';

export const workspace = z
  .object({ id: id('ws'), name: z.string(), slug: z.string(), plan, createdAt: timestamp, updatedAt: timestamp })
  .meta({ id: 'Workspace', description: 'The tenant: every other resource belongs to one.' });

export const createWorkspaceBody = z.object({ name, slug });

export const updateWorkspaceBody = z.object({ name: name.optional() });
