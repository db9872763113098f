/**
 * Who asks for a place: a workspace, the owner of that workspace (one person may own many), and the application whose
 * customer portal asks, if it is a portal.
 */
export type Claimant = { ownerId: string; workspaceId: string; applicationId?: string | undefined };

export type GateOptions = {
  /** The most that runs at once, as pieces of work or as their weight. */
  atOnce: number;
  /**
   * The most of `atOnce` that one claimant may hold. Without `portals`, all portals of a workspace together hold at
   * most half of the workspace's limit. Without `portal`, one portal holds at most an eighth.
   */
  most?: { owner?: number; workspace?: number; portals?: number; portal?: number };
  /**
   * Limits an owner or workspace that already holds something: it gets more only while it then holds at most this many
   * times what stays free. So some room always stays free: with `share: 1`, one claimant gets half, and two get a third
   * each. Set it where a place may be held for seconds.
   */
  share?: number;
  /**
   * The most pieces of work that wait. Beyond that, the latest work of the owner with the most is refused. Default:
   * none wait.
   */
  waiting?: number;
  /**
   * The most work of one workspace that waits. All its portals get half of it, one portal a quarter. Default:
   * `waiting`.
   */
  waitingOfWorkspace?: number;
  /** Work that has waited for this long is refused. Default: no limit. */
  forMs?: number;
  /**
   * Makes the error of refused work, which never starts. `claimant`: the claimant's limit is reached; `all`: the
   * gate's.
   */
  refusal: (limit: 'claimant' | 'all') => Error;
};

export type Gate = {
  /**
   * Runs the work when its turn comes. Throws the refusal, or the work's own error. `waitsMs` replaces `forMs` as the
   * limit of the wait.
   */
  run: <Result>(
    claimant: Claimant,
    work: () => Promise<Result>,
    options?: { weight?: number | undefined; waitsMs?: number | undefined },
  ) => Promise<Result>;
  /**
   * Takes a place, which `leave` gives back with the same weight. Returns undefined if a place is free now, else a
   * promise of one. Throws the refusal, or rejects with it. A weight above a limit of the claimant counts as that
   * limit.
   */
  enter: (claimant: Claimant, weight?: number, waitsMs?: number) => Promise<void> | undefined;
  leave: (claimant: Claimant, weight?: number) => void;
  /**
   * Gives the place to others that wait, and resolves when it is the claimant's turn again. Call it between two parts
   * of long work. The claimant's later work waits behind it. Never refused.
   */
  pass: (claimant: Claimant, weight?: number) => Promise<void>;
  /** True if nothing runs, and so nothing waits. */
  isIdle: () => boolean;
};

/** A place in the queue. `refuse` is absent for work that has begun, and waits for its next turn. */
type Place = { weight: number; begin: () => void; refuse?: (error: Error) => void };

/** One claimant in the tree owner → workspace → its own work, or its portals → application. */
type Node = {
  /** The limits of the weight that the node holds, and of the work that waits in it. */
  most: number;
  mostWaiting: number;
  parent: Node | undefined;
  key: string;
  held: number;
  waiting: number;
  /** The number of places that the gate had given out when this node last got one. */
  servedAt: number;
  children: Map<string, Node>;
  /** The waiting work, in order. Only nodes without children have any. */
  queue: Set<Place>;
  /** Whether the option `share` limits the node. */
  leavesRoom: boolean;
};

const OWN = 'own';
const PORTALS = 'portals';

/**
 * Makes a gate for work that shares a resource. It decides how much runs at once, how much waits, for how long, and
 * whose turn is next. The owners of workspaces take turns, then the workspaces of an owner, then the portals of a
 * workspace: the claimant that holds least goes first, and among equals the one that was served longest ago. A
 * workspace's own work never waits behind its portals' work. One claimant's work runs in order.
 */
export function createGate(options: GateOptions): Gate {
  const { atOnce, most = {}, share, waiting = 0, forMs, refusal } = options;
  const ofWorkspace = most.workspace ?? atOnce;
  const waitingOfWorkspace = options.waitingOfWorkspace ?? waiting;
  const part = (whole: number, divisor: number) => Math.max(1, Math.floor(whole / divisor));
  /** The limits of each level of the tree. */
  const limits = {
    owner: { most: most.owner ?? atOnce, mostWaiting: waiting },
    workspace: { most: ofWorkspace, mostWaiting: waitingOfWorkspace },
    own: { most: ofWorkspace, mostWaiting: waitingOfWorkspace },
    portals: { most: most.portals ?? part(ofWorkspace, 2), mostWaiting: part(waitingOfWorkspace, 2) },
    portal: { most: most.portal ?? part(ofWorkspace, 8), mostWaiting: part(waitingOfWorkspace, 4) },
  };
  const root = newNode('', undefined, { most: atOnce, mostWaiting: waiting }, false);
  let served = 0;

  function leafOf({ ownerId, workspaceId, applicationId }: Claimant): Node {
    const workspace = childOf(childOf(root, ownerId, limits.owner, true), workspaceId, limits.workspace, true);
    if (applicationId === undefined) return childOf(workspace, OWN, limits.own, false);
    return childOf(childOf(workspace, PORTALS, limits.portals, false), applicationId, limits.portal, false);
  }

  /** Caps a weight at the claimant's limits: a heavier one would wait for ever. */
  const weightIn = (leaf: Node, weight: number) => Math.min(weight, ...pathOf(leaf).map((node) => node.most));

  function fits(node: Node, weight: number): boolean {
    if (node.held + weight > node.most) return false;
    if (share === undefined || !node.leavesRoom || node.held === 0) return true;
    return node.held + weight <= share * (atOnce - root.held - weight);
  }

  function hold(leaf: Node, weight: number): void {
    served += 1;
    for (const node of pathOf(leaf)) {
      node.held += weight;
      node.servedAt = served;
    }
  }

  function leave(claimant: Claimant, weight = 1): void {
    const leaf = leafOf(claimant);
    const held = weightIn(leaf, weight);
    for (const node of pathOf(leaf)) node.held -= held;
    forgetIdle(leaf);
    beginWaiting();
  }

  function beginWaiting(): void {
    while (root.waiting > 0) {
      const next = nextIn(root, fits, root);
      if (next === undefined || next === 'blocked') return;
      const [place] = next.queue;
      if (place === undefined) return;
      take(next, place);
      hold(next, place.weight);
      place.begin();
    }
  }

  function enter(claimant: Claimant, weight = 1, waitsMs = forMs): Promise<void> | undefined {
    const leaf = leafOf(claimant);
    const path = pathOf(leaf);
    const own = weightIn(leaf, weight);
    // If others wait although there is room, they wait for their own limits.
    const mayGo = root.waiting === 0 || nextIn(root, fits, root) === undefined;
    if (leaf.waiting === 0 && mayGo && path.every((node) => fits(node, own))) {
      hold(leaf, own);
      return undefined;
    }
    const reached = () => (path.every((node) => node === root || fits(node, own)) ? 'all' : 'claimant');
    const mayWait = path.every((node) => node === root || node.waiting < node.mostWaiting);
    if (!mayWait || (root.waiting >= waiting && !makeRoom(leaf))) {
      forgetIdle(leaf);
      throw refusal(mayWait || waiting === 0 ? reached() : 'claimant');
    }
    return new Promise((resolve, reject) => {
      const refuse = (error: Error) => {
        clearTimeout(timer);
        take(leaf, place);
        forgetIdle(leaf);
        reject(error);
        beginWaiting();
      };
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = waitsMs === undefined ? undefined : setTimeout(() => refuse(refusal(reached())), waitsMs);
      const place: Place = { weight: own, begin, refuse };
      leaf.queue.add(place);
      for (const node of path) node.waiting += 1;
      beginWaiting();
    });
  }

  function pass(claimant: Claimant, weight = 1): Promise<void> {
    const leaf = leafOf(claimant);
    const own = weightIn(leaf, weight);
    return new Promise((begin) => {
      leaf.queue = new Set([{ weight: own, begin }, ...leaf.queue]);
      for (const node of pathOf(leaf)) {
        node.waiting += 1;
        node.held -= own;
      }
      beginWaiting();
    });
  }

  /** Refuses the latest waiting work of the owner with the most, unless the newcomer's owner has as much. */
  function makeRoom(newcomer: Node): boolean {
    const ownOwner = pathOf(newcomer).at(-2);
    let longest: Node | undefined;
    for (const owner of root.children.values()) if (owner.waiting > (longest?.waiting ?? 0)) longest = owner;
    if (longest === undefined || longest.waiting <= (ownOwner?.waiting ?? 0) + 1) return false;
    const { refuse } = [...longestLeafOf(longest).queue].at(-1) ?? {};
    refuse?.(refusal('all'));
    return refuse !== undefined;
  }

  return {
    enter,
    leave,
    pass,
    isIdle: () => root.held === 0 && root.waiting === 0,
    async run(claimant, work, { weight, waitsMs } = {}) {
      const turn = enter(claimant, weight, waitsMs);
      if (turn !== undefined) await turn;
      try {
        return await work();
      } finally {
        leave(claimant, weight);
      }
    },
  };
}

function newNode(
  key: string,
  parent: Node | undefined,
  limits: { most: number; mostWaiting: number },
  leavesRoom: boolean,
): Node {
  return {
    ...limits,
    parent,
    key,
    held: 0,
    waiting: 0,
    servedAt: 0,
    children: new Map(),
    queue: new Set(),
    leavesRoom,
  };
}

function childOf(parent: Node, key: string, limits: { most: number; mostWaiting: number }, leavesRoom: boolean): Node {
  const known = parent.children.get(key);
  if (known !== undefined) return known;
  const child = newNode(key, parent, limits, leavesRoom);
  parent.children.set(key, child);
  return child;
}

/** The node and all nodes above it, including the root. */
function pathOf(leaf: Node): Node[] {
  const path: Node[] = [];
  for (let node: Node | undefined = leaf; node !== undefined; node = node.parent) path.push(node);
  return path;
}

/** Takes waiting work out of its queue. */
function take(leaf: Node, place: Place): void {
  if (!leaf.queue.delete(place)) return;
  for (const node of pathOf(leaf)) node.waiting -= 1;
}

/** Removes the claimant's nodes that neither hold a place nor wait. */
function forgetIdle(leaf: Node): void {
  for (const node of pathOf(leaf)) {
    if (node.held > 0 || node.waiting > 0 || node.parent === undefined) return;
    node.parent.children.delete(node.key);
  }
}

/**
 * The claimant whose first waiting work may start now. `blocked` if the next claimant's work is within its own limits
 * but does not fit into the gate: then the others wait too, so that small work never starves large work.
 */
function nextIn(node: Node, fits: (node: Node, weight: number) => boolean, root: Node): Node | 'blocked' | undefined {
  if (node.queue.size > 0) {
    const [first] = node.queue;
    if (first === undefined) return undefined;
    const path = pathOf(node).filter((one) => one !== root);
    if (!path.every((one) => fits(one, first.weight))) return undefined;
    return fits(root, first.weight) ? node : 'blocked';
  }
  const inTurn = [...node.children.values()].filter((child) => child.waiting > 0).sort(byTurn);
  for (const child of inTurn) {
    const next = nextIn(child, fits, root);
    if (next !== undefined) return next;
  }
  return undefined;
}

/** Orders the workspace's own work first, then by least held, then by the time since last served. */
function byTurn(a: Node, b: Node): number {
  if (a.key === OWN || b.key === OWN) return a.key === OWN ? -1 : 1;
  return a.held - b.held || a.servedAt - b.servedAt;
}

function longestLeafOf(node: Node): Node {
  let longest: Node | undefined;
  for (const child of node.children.values()) if (child.waiting > (longest?.waiting ?? 0)) longest = child;
  return longest === undefined ? node : longestLeafOf(longest);
}
