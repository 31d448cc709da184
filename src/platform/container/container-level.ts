/** `bestLevel`, `availableLevels`, `prefixFor`: which containers this machine offers, and the words that start a program in one. */
import type { ContainerLevel } from './attempt-files.ts';
import { cgroupPrefix } from './cgroup.ts';
import { namespacePrefix } from './pid-namespace.ts';

type Prefixes = Readonly<Record<ContainerLevel, readonly string[] | null>>;
let probed: Promise<Prefixes> | undefined;

export async function bestLevel(): Promise<ContainerLevel> {
  return (await availableLevels())[0] ?? 'process-group';
}

/** Strongest first. Each level is tested by starting a program in it, once per process. */
export async function availableLevels(): Promise<readonly ContainerLevel[]> {
  const prefixes = await prefixesOnce();
  const order: readonly ContainerLevel[] = ['cgroup', 'pid-namespace', 'process-group'];
  return order.filter((level) => prefixes[level] !== null);
}

/** Null where the machine does not offer this level. */
export async function prefixFor(level: ContainerLevel): Promise<readonly string[] | null> {
  return (await prefixesOnce())[level];
}

async function prefixesOnce(): Promise<Prefixes> {
  probed ??= cgroupPrefix().then((cgroup) => ({
    cgroup,
    'pid-namespace': namespacePrefix(),
    'process-group': [],
  }));
  return await probed;
}
