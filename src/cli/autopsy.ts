import type { Invocation } from './command.ts';

export function run(invocation: Invocation): Promise<number> {
  invocation.stderr.write('mayday autopsy: the engine is being built\n');
  return Promise.resolve(1);
}
