import type { Invocation } from './command.ts';

export function run(invocation: Invocation): Promise<number> {
  invocation.stderr.write('mayday diagnose: the engine is being built\n');
  return Promise.resolve(1);
}
