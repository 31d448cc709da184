/** `checkOf`, `bareCommand`: what a call checks, so that two runs of one check are seen as the same. */
import { oneOf } from '../text/one-of.ts';
import { commandOf } from './call-kind.ts';
import { editOf } from './edit-target.ts';
import { hashLoose } from './text-hash.ts';
import type { AgentTurn } from './agent-turn.ts';

/** What stands before a program without changing what it does: another place, a pause, a time limit, values of the environment. */
const BEFORE = new RegExp(
  `^(?:${
    oneOf(
      /cd [^&;|\n]{0,200}(?:&&|;)\s*/,
      /sleep [\d.]{1,8}[smh]?\s*(?:&&|;)\s*/,
      /(?:env\s+)?[A-Z_]\w{0,60}=\S{0,200}\s+/,
      /timeout(?: -\S+)? [\d.]+[smh]?\s+/,
    ).source
  })+`,
);
/** From here on a command line only cuts, filters or stores what the check says. */
const AFTERWARDS = /\s*(?:\||\d?&?>|;\s*echo\b|&&\s*echo\b|\|\|).*$/s;
const FLAG = /(?:^|\s)--?(?:[\w-]+(?:=\S+)?)?(?=\s|$)/g;

/** The command line of a call without what hides that it is the same again. */
export function bareCommand(input: string): string {
  return commandOf(input).trim().replace(BEFORE, '');
}

/** 0 for a call that checks nothing: looking, planning, waiting. A program that did not end by itself is told by how it ended. */
export function checkOf({ tool, kind, input, ended, callStep, step }: AgentTurn): number {
  // An error of the harness belongs to no call.
  if (callStep === step) return 0;
  if (ended !== null) return hashLoose(`${tool} ${ended}`);
  switch (kind) {
    case 'test':
    case 'run': {
      const line = bareCommand(input).replace(AFTERWARDS, '');
      return hashLoose(`${tool} ${line.replace(FLAG, ' ').trim()}`);
    }
    // Some tools change a file and run the tests at once; an editor may refuse what would not compile.
    case 'edit':
      return hashLoose(`${tool} ${editOf(input)?.path ?? ''}`);
    default:
      return 0;
  }
}
