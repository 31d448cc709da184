/** `troubledCommands`: the tools and command lines that an attempt repeated, that failed, or that it was denied. */
import { commandOf } from '../../core/detect/call-kind.ts';
import type { Examination } from '../../core/vocabulary/events/examination.ts';

type Troubled = Pick<Examination, 'repeated' | 'knowledge' | 'deniedTools'>;

export function troubledCommands(examination: Troubled | null | undefined) {
  const { repeated = [], deniedTools = [], knowledge } = examination ?? {};
  const calls = [...repeated, ...(knowledge?.failedCalls ?? [])].map(({ call }) => call);
  // A call is `Bash npm test`, a denied one `Bash(npm test)`.
  const all = [...calls, ...deniedTools.map((rule) => rule.replace(/\((.*)\)$/s, ' $1'))];
  return {
    tools: all.map((call) => call.split(' ', 1)[0] ?? ''),
    commands: all.map((call) => commandOf(call.slice(call.indexOf(' ') + 1))),
  };
}
