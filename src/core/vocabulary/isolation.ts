/** `isolationWords`: what Mayday contained of an agent and what not, in the sentences of docs/explanation/isolation.md. */
export interface Isolation {
  /** How the processes of the agent are contained: a level of the platform. Null if no attempt has started. */
  readonly level: string | null;
  /** Neither the agent nor the checks of its work could see Mayday's own folder. */
  readonly homeHidden: boolean;
  /** It was hidden by the modes of its files only: the agent was another user. */
  readonly homeClosed?: boolean;
  /** The agent wrote into the same caches of tools that the checks read. */
  readonly cachesShared?: boolean;
  /** The agent and the checks of its work could look into no process outside. */
  readonly scoped?: boolean;
  /** Programs outside that the agent reached and that start whatever they are told, for example docker. */
  readonly doors?: readonly string[];
  readonly asRoot: boolean;
}

interface IsolationWords {
  readonly processes: string;
  readonly home: string;
  readonly caches: string;
  readonly temporary: string;
  /** What was not contained, in short. If empty: nothing beyond what docs/explanation/isolation.md says about every level. */
  readonly open: readonly string[];
}

const OUTSIDE = 'unless a program outside starts something for it (tmux, systemd-run, docker, cron)';

/** By level and by what the agent can undo. `held`: the agent cannot move its own processes out. */
export const PROCESS_WORDS = {
  cgroup_held: `control group that the agent cannot change: what it starts stays inside, ${OUTSIDE}`,
  cgroup_held_unscoped:
    'control group, but as root: what it starts stays inside unless it finds the way out through a process of another user, ' +
    `and ${OUTSIDE}`,
  cgroup_user: `control group: what it starts stays inside unless it moves itself to another group of yours, and ${OUTSIDE}`,
  cgroup_root: 'control group, but as root and with the home in sight: an agent can move itself out',
  'pid-namespace_held': `process namespace: what it starts ends with it, ${OUTSIDE}`,
  'pid-namespace_root': 'process namespace, but as root and with the home in sight: an agent can leave it',
  'process-group':
    'process group and marker scan: an agent that hides its children on purpose could leave some behind',
} as const;

const GONE = "record, keys, checkpoints and other runs' work are not there for agents and checks";

const NOT_APART = 'an answer of yours is recorded as not told apart from one of an agent';

export const HOME_WORDS = {
  hidden_user: `hidden: ${GONE}; a program of yours outside that obeys them could still open it`,
  closed:
    'closed: agents and checks run as another user, who cannot read record, keys and checkpoints; ' +
    'what lies there of other runs of the same user, it can reach',
  hidden_root: `hidden, but as root: ${GONE}; an agent can still change system files that processes outside run; ${NOT_APART}`,
  hidden_root_unscoped:
    `hidden, but as root: ${GONE}; an agent can still change system files that processes outside run, ` +
    `and look into another agent, or through a process of another user, at the same time; ${NOT_APART}`,
  shown: `in sight: agents and checks can read and write Mayday's own folder; ${NOT_APART}`,
} as const;

export const CACHE_WORDS = {
  layered:
    'kept apart: what agents write into caches and toolchains in your home stays in the run; checks find them as you left them',
  shared: 'shared: checks read the caches and toolchains in your home as agents left them',
} as const;

export const TEMPORARY_WORDS = {
  own:
    'of their own: checks find nothing that agents left in /tmp, /var/tmp, /dev/shm and the like, ' +
    'but what you name in a check or a variable',
  shared: 'shared: checks read files in /tmp, /var/tmp and /dev/shm as agents left them',
} as const;

/** `isOver`: false while the agent begins. */
export function isolationWords(
  { level, homeHidden, homeClosed, cachesShared, scoped, doors = [], asRoot }: Isolation,
  isOver = true,
): IsolationWords {
  const [was, were, ran] = isOver ? ['was', 'were', 'ran'] : ['is', 'are', 'runs'];
  const hidden = homeClosed
    ? 'closed'
    : asRoot
      ? scoped
        ? 'hidden_root'
        : 'hidden_root_unscoped'
      : 'hidden_user';
  return {
    processes: PROCESS_WORDS[processKey(level, homeHidden, asRoot, scoped === true)],
    home: HOME_WORDS[homeHidden ? hidden : 'shown'],
    caches: CACHE_WORDS[homeHidden && !cachesShared ? 'layered' : 'shared'],
    temporary: TEMPORARY_WORDS[homeHidden && !homeClosed ? 'own' : 'shared'],
    open: [
      ...(homeHidden ? [] : [`Mayday's own folder ${was} in sight of the agent and the checks`]),
      ...(homeHidden && homeClosed ? [`other runs' workspaces ${were} in reach of the agent`] : []),
      ...(homeHidden && cachesShared ? [`caches of tools ${were} in reach of the agent`] : []),
      ...(doors.length > 0
        ? [`${doors.join(' and ')} starts whatever the agent tells it, outside the run`]
        : []),
      ...(asRoot ? [`the agent ${ran} as root`] : []),
      ...(level === 'process-group' ? ['processes that hide on purpose could outlive the agent'] : []),
    ],
  };
}

function processKey(
  level: string | null,
  homeHidden: boolean,
  asRoot: boolean,
  scoped: boolean,
): keyof typeof PROCESS_WORDS {
  if (level === 'cgroup' && asRoot && !scoped) return homeHidden ? 'cgroup_held_unscoped' : 'cgroup_root';
  if (level === 'cgroup') return homeHidden ? 'cgroup_held' : 'cgroup_user';
  if (level === 'pid-namespace') return asRoot && !homeHidden ? 'pid-namespace_root' : 'pid-namespace_held';
  return 'process-group';
}

export function isolationLine(isolation: Isolation): string {
  const { open } = isolationWords(isolation);
  return open.length === 0
    ? "Mayday's own folder was hidden from the agent and the checks"
    : `not contained: ${open.join('; ')}`;
}

/** The isolation of a whole run is that of its weakest attempt. */
export function isolationOf(
  attempts: readonly (Isolation & { readonly startedAt: number | null })[],
): Isolation | null {
  const started = attempts.filter(({ startedAt }) => startedAt !== null);
  if (started.length === 0) return null;
  const weakest = ['process-group', 'pid-namespace'].find((level) =>
    started.some((one) => one.level === level),
  );
  const doors = [...new Set(started.flatMap((one) => one.doors ?? []))];
  return {
    level: weakest ?? started.at(-1)?.level ?? null,
    homeHidden: started.every(({ homeHidden }) => homeHidden),
    ...(started.some(({ homeClosed }) => homeClosed === true) ? { homeClosed: true } : {}),
    ...(started.some(({ cachesShared }) => cachesShared === true) ? { cachesShared: true } : {}),
    ...(started.every(({ scoped }) => scoped === true) ? { scoped: true } : {}),
    ...(doors.length > 0 ? { doors } : {}),
    asRoot: started.some(({ asRoot }) => asRoot),
  };
}
