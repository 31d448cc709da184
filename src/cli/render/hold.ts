/** `renderHold`: a hold as text for a terminal, with what to do about it. */
import { holdJson } from '../../report/hold-json.ts';
import type { ActiveHold } from '../../supervise/active-holds.ts';
import { plain } from './plain.ts';
import { clockTime } from './time.ts';

export function renderHold(active: ActiveHold, now: number): string {
  const { id, reason, owner, ends, binds, waiting, staying, question } = holdJson(active, now, clockTime);
  const lines = [
    `held       ${plain(reason)}`,
    `             ${id} · first met by run ${owner} · since ${clockTime(active.hold.since)} · ${ends}`,
    `             holds ${waiting.length === 0 ? 'no run now' : `run ${waiting.join(', ')}`}; it concerns ${binds}`,
    ...staying.map(({ run, waits }) => `             run ${run} waits for ${waits} as well`),
    `             do  ${question === null ? '' : `mayday answer ${question} ...   or   `}mayday holds release ${id}`,
  ];
  return `${lines.join('\n')}\n`;
}
