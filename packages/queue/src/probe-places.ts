import type { AdmissionRequest, RefusedBy } from './probes.ts';

/** A place in which probes are counted: its name among those of the owner, and the most probes at once. */
export type ProbePlace = { by: Exclude<RefusedBy, 'pause'>; name: string; most: number };

/** The places of a probe. The third is the owner's. The name of the first also names the pause. */
export function placesOfProbe(asked: AdmissionRequest): [ProbePlace, ProbePlace, ProbePlace, ...ProbePlace[]] {
  const { kind, endpointId, workspaceId, portal } = asked;
  // The agents of customers take no place from people.
  const workspace = `:${workspaceId}${kind === 'challenge' ? ':challenges' : ''}`;
  const ofPortals: ProbePlace[] =
    portal === undefined
      ? []
      : [
          { by: 'portal', name: `${workspace}:portal:${portal.applicationId}`, most: portal.most },
          { by: 'portals', name: `${workspace}:portals`, most: portal.mostOfAll },
        ];
  return [
    { by: 'endpoint', name: `${workspace}:${kind}:${endpointId}`, most: asked.mostOfEndpoint },
    { by: 'workspace', name: workspace, most: asked.mostOfWorkspace },
    { by: 'owner', name: '', most: asked.mostOfOwner },
    ...ofPortals,
  ];
}
