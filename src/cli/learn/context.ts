/** `mayday context ...`: lists, searches, adds, approves and rejects the lessons of this repository. */
import { inspectRepository } from '../../act/workspace/inspect-repository.ts';
import { usageError } from '../../platform/mayday-error.ts';
import type { Invocation } from '../command.ts';
import { withRecord } from '../with-record.ts';
import type { LessonVerb } from './context-verbs.ts';

const VERBS: readonly LessonVerb[] = ['ls', 'search', 'add', 'approve', 'reject', 'show'];

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (caller) => {
    const asked = invocation.args[0] ?? 'ls';
    if (asked === 'why') {
      const { contextWhy } = await import('./context-why.ts');
      return await contextWhy(invocation, caller);
    }
    const verb = VERBS.find((each) => each === asked);
    if (verb === undefined)
      throw usageError('WRONG_ARGUMENTS', `mayday context has no ${JSON.stringify(asked.slice(0, 40))}`, [
        ['do', `mayday context ${[...VERBS, 'why'].join(', mayday context ')}`],
      ]);
    const { home } = caller;
    const { root } = await inspectRepository(invocation.cwd, { home, env: invocation.env });
    const { actOnLessons } = await import('./context-verbs.ts');
    return await actOnLessons(verb, invocation, caller, root);
  });
}
